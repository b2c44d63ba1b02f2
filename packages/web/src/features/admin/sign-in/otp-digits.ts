import { limits } from "@ewebal/contract/rules";

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
