import { Input } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useId, type ReactNode } from "react";

type NativeSelectProps = {
  label: string;
  name: string;
  value: string;
  onValue: (value: string) => void;
  /** Small in a row of filters. */
  size?: "sm" | "md";
  /** Its label for screen readers alone. */
  isLabelHidden?: boolean;
  /** `option` elements. */
  children: ReactNode;
};

/** The device's own list to choose from: at home on a phone, there before any script, and a tenth of the weight of `CountrySelect`. */
export function NativeSelect({
  label,
  name,
  value,
  onValue,
  size = "md",
  isLabelHidden = false,
  children,
}: NativeSelectProps) {
  const id = useId();
  return (
    <Input.Wrapper id={id} label={isLabelHidden ? undefined : label} size={size}>
      <Input
        component="select"
        id={id}
        name={name}
        size={size}
        aria-label={isLabelHidden ? label : undefined}
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
