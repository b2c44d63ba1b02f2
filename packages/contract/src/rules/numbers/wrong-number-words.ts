import type { WrongNumberReason } from "./number-check.ts";

/** Why a number is wrong, in words that follow it: `"abc" is not a number`. */
export const wrongNumberWords: Readonly<Record<WrongNumberReason, string>> = {
  "wrong-code": "does not begin with the chosen country code",
  "too-short": "is too short",
  "too-long": "is too long",
  "not-mobile": "is not a mobile number",
  "never-sent": "is a premium, shared-cost or satellite number",
  "scientific-notation":
    "was shortened by a spreadsheet, its last digits are lost: format the column as a number without decimals and save again",
  "not-digits": "is not a number",
};
