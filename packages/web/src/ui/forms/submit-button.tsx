import { Button, type ButtonProps } from "@mantine/core";
import { useId, type ReactNode, useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { Stack } from "../layout/boxes.tsx";
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
          {missingInWords(missing)}
        </p>
      )}
    </Stack>
  );
}

/** What is missing as one text: the names behind "Still needed:", then what is a sentence already. */
export function missingInWords(missing: readonly string[]): string {
  const sentences = missing.filter((name) => name.endsWith("."));
  const names = missing.filter((name) => !name.endsWith("."));
  if (names.length === 0) return sentences.join(" ");
  const needed = `Still needed: ${names.join(", ")}`;
  return sentences.length === 0 ? needed : `${needed}. ${sentences.join(" ")}`;
}

/**
 * For a button that is disabled while it is busy: browsers take the focus from a disabled element, and somebody without a
 * mouse would start again at the top of the page. The button gets the focus back afterwards, unless another element has it.
 */
export function useKeptFocus(isBusy: boolean): RefObject<HTMLButtonElement | null> {
  const ref = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  const lastFocused = useRef<EventTarget | null>(null);
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent): void => {
      lastFocused.current = target;
    };
    document.addEventListener("focusin", onFocusIn);
    return () => document.removeEventListener("focusin", onFocusIn);
  }, []);
  useLayoutEffect(() => {
    // Some browsers take the focus at once (Chromium 150), some with the next frame (156).
    if (isBusy)
      hadFocus.current =
        document.activeElement === ref.current || (hasNobodyFocus() && lastFocused.current === ref.current);
    else if (hadFocus.current && hasNobodyFocus()) ref.current?.focus();
    if (!isBusy) hadFocus.current = false;
  }, [isBusy]);
  return ref;
}

function hasNobodyFocus(): boolean {
  const { activeElement, body } = document;
  return activeElement === body || activeElement === null;
}
