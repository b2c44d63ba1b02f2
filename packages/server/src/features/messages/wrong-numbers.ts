import type { RecipientsRead } from "@ewebal/contract";

type WrongReason = RecipientsRead["wrong"][number]["reason"];

/** Enough to find them in the list; the pages show all of them before anything is sent. */
const NAMED_MAX = 5;

const reasonsInWords: Record<WrongReason, string> = {
  "wrong-code": "does not begin with the chosen country code",
  "too-short": "is too short",
  "too-long": "is too long",
  "lost-leading-zero": "has lost its leading 0",
  "not-mobile": "is not a mobile number",
  "never-sent": "is a premium, shared-cost or satellite number",
  "scientific-notation": "was shortened by a spreadsheet",
  "not-digits": "is not a number",
};

/** @returns the end of a sentence that begins with the field's name: how many are wrong, and the first of them. */
export function describeWrongNumbers({ wrong, wrongCount, receivedCount }: Pick<RecipientsRead, "wrong" | "wrongCount" | "receivedCount">): string {
  const named = wrong.slice(0, NAMED_MAX).map(({ index, value, reason }) => `number ${index + 1} "${value}" ${reasonsInWords[reason]}`);
  const rest = wrongCount > named.length ? `; and ${(wrongCount - named.length).toLocaleString("en")} more` : "";
  return `has ${wrongCount.toLocaleString("en")} wrong of ${receivedCount.toLocaleString("en")}: ${named.join("; ")}${rest}`;
}
