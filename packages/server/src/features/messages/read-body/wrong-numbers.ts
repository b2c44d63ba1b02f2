import { wrongNumberWords, type RecipientsRead } from "@ewebal/contract";

/** Enough to find them in the list; the pages show all of them before anything is sent. */
const NAMED_MAX = 5;

/** @returns the end of a sentence that begins with the field's name: how many are wrong, and the first of them. */
export function describeWrongNumbers({
  wrong,
  wrongCount,
  receivedCount,
}: Pick<RecipientsRead, "wrong" | "wrongCount" | "receivedCount">): string {
  const named = wrong
    .slice(0, NAMED_MAX)
    .map(({ index, value, reason }) => `number ${index + 1} "${value}" ${wrongNumberWords[reason]}`);
  const rest = wrongCount > named.length ? `; and ${(wrongCount - named.length).toLocaleString("en")} more` : "";
  return `has ${wrongCount.toLocaleString("en")} wrong of ${receivedCount.toLocaleString("en")}: ${named.join("; ")}${rest}`;
}
