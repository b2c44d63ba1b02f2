import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent } from "react";
import { limits } from "@ewebal/contract/rules";
import classes from "./otp-boxes.module.css";

type OtpBoxesProps = {
  label: string;
  digits: OtpDigits;
  onDigits: (digits: OtpDigits) => void;
  /** While the server checks a code, the boxes keep it and take no other. */
  isReadOnly: boolean;
  /** The id of the text that explains the error in the last code. */
  errorId: string | undefined;
};

/**
 * Boxes of one digit each that behave as one field. The first box has the focus on load, and whenever all boxes are
 * emptied.
 */
export function OtpBoxes({ label, digits, onDigits, isReadOnly, errorId }: OtpBoxesProps) {
  const router = useRouter();
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const isEmpty = digits.every((digit) => digit === "");
  const focus = (boxIndex: number): void => boxes.current[boxIndex]?.focus();
  useEffect(() => {
    if (isEmpty) boxes.current[0]?.focus();
  }, [isEmpty]);
  // After a navigation the router focuses the page's content, later than the effect above runs.
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
    // When somebody types into a full box whose digit is not selected, the new digit counts.
    apply(putDigits(digits, boxIndex, text.length === 2 && old !== "" ? text.replace(old, "") : text));
  };

  return (
    <div role="group" aria-label={label} aria-describedby={errorId} className={classes.boxes}>
      {emptyOtp.map((_, boxIndex) => (
        <input
          // The index identifies a box.
          key={boxIndex}
          ref={(box) => {
            boxes.current[boxIndex] = box;
          }}
          className={classes.box}
          type="text"
          inputMode="numeric"
          // Only the first box: phones put the whole code from a message there.
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

/** One text for each box, empty or one digit. */
export type OtpDigits = readonly string[];

export const emptyOtp: OtpDigits = Array.from({ length: limits.otpDigits }, () => "");

type OtpChange = {
  digits: OtpDigits;
  /** The box in which the person continues. */
  boxIndex: number;
};

/**
 * Puts typed, pasted or auto-filled text into the boxes, from one box on. A whole code always fills
 * all boxes. Characters other than 0-9 are ignored.
 */
export function putDigits(current: OtpDigits, boxIndex: number, text: string): OtpChange {
  const typed = text.replaceAll(/[^0-9]/g, "").slice(0, current.length);
  const start = typed.length === current.length ? 0 : boxIndex;
  const digits = current.map((digit, index) => typed[index - start] ?? digit);
  return { digits, boxIndex: Math.min(start + typed.length, current.length - 1) };
}

/** Backspace empties its box; in an empty box it moves back one and empties that. */
export function eraseDigit(current: OtpDigits, boxIndex: number): OtpChange {
  const target = current[boxIndex] === "" ? Math.max(boxIndex - 1, 0) : boxIndex;
  return { digits: current.with(target, ""), boxIndex: target };
}
