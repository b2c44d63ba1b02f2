import type { WrongNumberReason } from "@ewebal/contract";

const reasons: Record<Exclude<WrongNumberReason, "wrong-code">, string> = {
  "too-short": "Too short",
  "too-long": "Too long",
  "not-mobile": "Not a mobile number",
  "never-sent": "Premium, shared-cost or satellite number",
  "scientific-notation": "Shortened by a spreadsheet; its last digits are lost",
  "not-digits": "Not a phone number",
};

/** Why a number is not sent to, in plain words. */
export function explainWrongNumber(reason: WrongNumberReason, code: string): string {
  return reason === "wrong-code" ? `Does not begin with ${code === "234" ? "234 or 0" : code}` : reasons[reason];
}
