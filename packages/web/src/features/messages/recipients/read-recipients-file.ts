import type { Rates } from "@ewebal/contract";
import { formatCounted } from "../../../lib/texts/format.ts";
import {
  explainUnreadable,
  readCsvInWorker,
  refuseFile,
  type ChosenFile,
} from "../../../shared/numbers/contact-file.ts";
import type { Composer } from "../compose/composer.ts";

export type Note = { tone: "error" | "warn"; title: string; text?: string };

/** What becomes of a chosen file: a note about it, if any, or columns that a person matches first. */
export type FileOutcome = { kind: "read"; note?: Note } | { kind: "match" };

/** Adds the numbers of a file to the recipients, unless it has more than numbers. */
export async function readRecipientsFile(
  composer: Composer,
  { file, isPasted }: ChosenFile,
  rates: Rates,
): Promise<FileOutcome> {
  const { code } = composer.getState();
  const refused = (title: string): FileOutcome => ({ kind: "read", note: { tone: "error", title } });
  const refusal = refuseFile(file);
  if (refusal !== undefined) return refused(refusal);
  const task = { file, code, rates, takesFields: true, wantsNumbers: true };
  const summary = await readCsvInWorker(task, new AbortController().signal);
  if (summary.kind !== "read") return refused(explainUnreadable(summary));
  const { numbers = "", goodCount, wrongCount, match, sheets } = summary;
  if (match.fields.length > 0 || sheets.length > 0) return { kind: "match" };
  const name = isPasted ? "what you pasted" : file.name;
  if (goodCount === 0) return refused(`${name} holds no valid number of this country`);
  composer.addList(numbers, isPasted ? "pasted" : `from ${file.name}`);
  if (wrongCount === 0) return { kind: "read" };
  const title = `${formatCounted(wrongCount, "line")} of ${name} left out`;
  const text = "They hold no valid number of this country. Upload the file to the phonebook to see and correct them.";
  return { kind: "read", note: { tone: "warn", title, text } };
}
