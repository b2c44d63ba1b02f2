import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent } from "react";
import { limits } from "@ewebal/contract/rules";
import classes from "./otp-boxes.module.css";

type OtpBoxesProps = {
  label: string;
  digits: OtpDigits;
  onDigits: (digits: OtpDigits) => void;
  /** While a code is on its way the boxes keep it and take no other. */
  isReadOnly: boolean;
  /** Id of the text that says what was wrong with the last code. */
  errorId: string | undefined;
};

/** Boxes of one digit each that behave as one field. The first one has the focus at the beginning, and whenever all are emptied. */
export function OtpBoxes({ label, digits, onDigits, isReadOnly, errorId }: OtpBoxesProps) {
  const router = useRouter();
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const isEmpty = digits.every((digit) => digit === "");
  const focus = (boxIndex: number): void => boxes.current[boxIndex]?.focus();
  useEffect(() => {
    if (isEmpty) boxes.current[0]?.focus();
  }, [isEmpty]);
  // After a navigation the focus goes to the page's content, which is later than the effect above.
  useEffect(() => router.subscribe("onRendered", () => boxes.current[0]?.focus()), [router]);

  const apply = ({ digits: next, boxIndex }: ReturnType<typeof putDigits>): void => {
    if (isReadOnly) return;
    onDigits(next);
    focus(boxIndex);
  };
  const onPaste = (event: ClipboardEvent, boxIndex: number): void => {
    event.preventDefault();
    apply(putDigits(digits, boxIndex, event.clipboardData.getData("text")));
  };
  const onKeyDown = (event: KeyboardEvent, boxIndex: number): void => {
    if (event.key === "Backspace") {
      event.preventDefault();
      apply(eraseDigit(digits, boxIndex));
    } else if (event.key === "ArrowLeft") focus(boxIndex - 1);
    else if (event.key === "ArrowRight") focus(boxIndex + 1);
  };
  const onType = (text: string, boxIndex: number): void => {
    const old = digits[boxIndex] ?? "";
    // Typed into a full box whose digit is not selected: the new digit counts.
    apply(putDigits(digits, boxIndex, text.length === 2 && old !== "" ? text.replace(old, "") : text));
  };

  return (
    <div role="group" aria-label={label} aria-describedby={errorId} className={classes.boxes}>
      {emptyOtp.map((_, boxIndex) => (
        <input
          // A box is its place.
          key={boxIndex}
          ref={(box) => {
            boxes.current[boxIndex] = box;
          }}
          className={classes.box}
          type="text"
          inputMode="numeric"
          // Only the first: phones put the whole code of a message there.
          autoComplete={boxIndex === 0 ? "one-time-code" : "off"}
          aria-label={`Digit ${boxIndex + 1} of ${emptyOtp.length}`}
          aria-invalid={errorId !== undefined}
          readOnly={isReadOnly}
          value={digits[boxIndex] ?? ""}
          onChange={({ currentTarget }) => onType(currentTarget.value, boxIndex)}
          onPaste={(event) => onPaste(event, boxIndex)}
          onKeyDown={(event) => onKeyDown(event, boxIndex)}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      ))}
    </div>
  );
}

/** One text of no or one digit for each box. */
export type OtpDigits = readonly string[];

export const emptyOtp: OtpDigits = Array.from({ length: limits.otpDigits }, () => "");

type OtpChange = {
  digits: OtpDigits;
  /** The box that the person goes on in. */
  boxIndex: number;
};

/**
 * Puts what was typed, pasted or filled in by the phone into the boxes, from one box on; a whole code always fills them
 * all. Anything but 0-9 is left out.
 */
export function putDigits(current: OtpDigits, boxIndex: number, text: string): OtpChange {
  const typed = text.replaceAll(/[^0-9]/g, "").slice(0, current.length);
  const start = typed.length === current.length ? 0 : boxIndex;
  const digits = current.map((digit, index) => typed[index - start] ?? digit);
  return { digits, boxIndex: Math.min(start + typed.length, current.length - 1) };
}

/** The backspace key empties its box; in an empty box it goes back one and empties that. */
export function eraseDigit(current: OtpDigits, boxIndex: number): OtpChange {
  const target = current[boxIndex] === "" ? Math.max(boxIndex - 1, 0) : boxIndex;
  return { digits: current.with(target, ""), boxIndex: target };
}
