import { limits } from "@ewebal/contract/rules";
import { TextInput, type TextInputProps } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useIsHydrated } from "../../lib/browser/hydration.ts";
import classes from "./form.module.css";

/**
 * A password with a toggle that the keyboard reaches too. Our own few lines: the library's password field weighs 3 kB
 * (brotli) more than a text field, on the first page that people see.
 */
export function PasswordField({ label, ...props }: TextInputProps & { label: string }) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? IconEyeOff : IconEye;
  return (
    <TextInput
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      label={label}
      type={isShown ? "text" : "password"}
      rightSection={
        <button
          type="button"
          className={`${classes.reveal} icon-button`}
          disabled={!useIsHydrated()}
          aria-label={`${isShown ? "Hide" : "Show"}: ${label}`}
          onClick={() => setShown(!isShown)}
        >
          <Icon size={20} stroke={1.6} aria-hidden />
        </button>
      }
    />
  );
}

/** What a telephone field keeps of what is typed or pasted: digits, no leading zeros, at most 14. */
export function cleanPhone(text: string): string {
  return text
    .replaceAll(/[^0-9]/g, "")
    .replace(/^0+/, "")
    .slice(0, limits.phoneInputDigitsMax);
}

type PhoneFieldProps = {
  onValue: (digits: string) => void;
} & Omit<TextInputProps, "onChange">;

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

type CheckFieldProps = {
  label: string;
  description: string;
  isChecked: boolean;
  onChecked: (isChecked: boolean) => void;
};

/** One choice of yes or no. The browser's own box, for pages before sign-in: the library's weighs 3 kB (brotli). */
export function CheckField({ label, description, isChecked, onChecked }: CheckFieldProps) {
  const id = useId();
  return (
    <div className={classes.check}>
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-description`}
        checked={isChecked}
        onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
      />
      <label htmlFor={id} className="small">
        {label}
      </label>
      <p id={`${id}-description`} className="muted tiny">
        {description}
      </p>
    </div>
  );
}
