import { PasswordInput, TextInput, type PasswordInputProps, type TextInputProps } from "@mantine/core";
import { limits } from "@ewebal/contract";
import classes from "./form.module.css";

/** A password with a toggle that the keyboard reaches too. */
export function PasswordField({ label, ...props }: PasswordInputProps & { label: string }) {
  return (
    <PasswordInput
      spellCheck={false}
      autoCapitalize="none"
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ "aria-label": `Show or hide: ${label}` }}
      label={label}
      {...props}
    />
  );
}

/** What a telephone field keeps of what is typed or pasted: digits, no leading zeros, at most 14. */
export function cleanPhone(text: string): string {
  return text.replaceAll(/[^0-9]/g, "").replace(/^0+/, "").slice(0, limits.phoneInputDigitsMax);
}

interface PhoneFieldProps extends Omit<TextInputProps, "onChange"> {
  onValue: (digits: string) => void;
}

/** A Nigerian telephone number behind its fixed +234. */
export function PhoneField({ onValue, ...props }: PhoneFieldProps) {
  return (
    <TextInput
      type="tel"
      inputMode="numeric"
      autoComplete="tel-national"
      leftSection={<span className={classes.prefix}>+234</span>}
      leftSectionWidth={64}
      {...props}
      onChange={({ currentTarget }) => onValue(cleanPhone(currentTarget.value))}
    />
  );
}
