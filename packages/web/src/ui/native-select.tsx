import { Input } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useId, type ReactNode } from "react";

interface NativeSelectProps {
  label: string;
  name: string;
  value: string;
  onValue: (value: string) => void;
  /** In a row of filters: small, and its label for screen readers alone. */
  isCompact?: boolean;
  /** `option` elements. */
  children: ReactNode;
}

/** The device's own list to choose from: at home on a phone, there before any script, and a tenth of the weight of `CountrySelect`. */
export function NativeSelect({ label, name, value, onValue, isCompact = false, children }: NativeSelectProps) {
  const id = useId();
  const size = isCompact ? "sm" : "md";
  return (
    <Input.Wrapper id={id} label={isCompact ? undefined : label} size={size}>
      <Input
        component="select"
        id={id}
        name={name}
        size={size}
        aria-label={isCompact ? label : undefined}
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
