import { Button, type ButtonProps } from "@mantine/core";
import { useId, type ReactNode } from "react";
import { Stack } from "../layout/boxes.tsx";
import { useKeptFocus } from "./use-kept-focus.ts";

type SubmitButtonProps = {
  missing: readonly string[];
  isSending?: boolean;
  children: ReactNode;
  /** Without it the button sends its form. */
  onClick?: () => void;
} & Pick<ButtonProps, "size" | "fullWidth" | "leftSection" | "color" | "variant">;

/**
 * A button that is dimmed and inert until everything required is there, and says what is missing. It is not `disabled`:
 * the keyboard must reach it to hear why it does nothing.
 */
export function SubmitButton({ missing, isSending = false, children, onClick, ...button }: SubmitButtonProps) {
  const hintId = useId();
  const ref = useKeptFocus(isSending);
  const isInert = missing.length > 0;
  return (
    <Stack gap={8} align="start">
      <Button
        {...button}
        ref={ref}
        type={onClick === undefined ? "submit" : "button"}
        loading={isSending}
        data-disabled={isInert || undefined}
        aria-disabled={isInert}
        aria-describedby={isInert ? hintId : undefined}
        onClick={(event) => {
          if (isInert) event.preventDefault();
          else onClick?.();
        }}
      >
        {children}
      </Button>
      {isInert && (
        <p id={hintId} className="muted small">
          Still needed: {missing.join(", ")}
        </p>
      )}
    </Stack>
  );
}
