import { Input } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useId, type ReactNode } from "react";

interface NativeSelectProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** `option` elements. */
  children: ReactNode;
}

/** The device's own list to choose from: at home on a phone, there before any script, and a tenth of the weight of `CountrySelect`. */
export function NativeSelect({ label, value, onValue, children }: NativeSelectProps) {
  const id = useId();
  return (
    <Input.Wrapper id={id} label={label} size="md">
      <Input
        component="select"
        id={id}
        size="md"
        pointer
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
        rightSection={<IconChevronDown size={18} stroke={1.8} aria-hidden />}
        rightSectionPointerEvents="none"
      >
        {children}
      </Input>
    </Input.Wrapper>
  );
}
