import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent } from "react";
import classes from "./otp-boxes.module.css";
import { emptyOtp, eraseDigit, putDigits, type OtpDigits } from "./otp-digits.ts";

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
