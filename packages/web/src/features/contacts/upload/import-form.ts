import type { CatalogAnswer } from "@ewebal/contract";
import type { ChosenFile } from "../../../shared/numbers/contact-file.ts";
import type { FileWish } from "../../../shared/numbers/file-match.ts";
import type { CsvSummary } from "../../../shared/numbers/read-csv.ts";
import { missingNumbers } from "../../../shared/numbers/clean-numbers.ts";

/** What is filled in on the upload page. */
export type ImportForm = {
  /** Whether the contacts make a catalog or join one. */
  target: "new" | "existing";
  catalogName: string;
  /** The country of the new catalog. */
  newCode: string;
  catalog: CatalogAnswer | undefined;
  source: "file" | "numbers";
  chosen: ChosenFile | undefined;
  /** What the person has said of the file's columns; undefined while the file tells. */
  wish: FileWish | undefined;
  /** Typed or pasted: digits and commas. */
  phoneNo: string;
  onlyGood: boolean;
};

/** The dialling code by which numbers are judged. */
export function codeOf({ target, newCode, catalog }: ImportForm): string {
  return target === "existing" ? (catalog?.code ?? newCode) : newCode;
}

type ReadSoFar = {
  /** Of what was typed. */
  typed: { valid: { length: number }; wrongCount: number };
  /** Of the file, once it is read. */
  summary: CsvSummary | undefined;
  isReading: boolean;
};

/** What is still needed before the contacts can be added, in the order of the page. */
export function findMissing(form: ImportForm, read: ReadSoFar): string[] {
  const missing: string[] = [];
  if (form.target === "new" && form.catalogName.trim() === "") missing.push("catalog name");
  if (form.target === "existing" && form.catalog === undefined) missing.push("catalog");
  return [
    ...missing,
    ...(form.source === "file" ? missingOfFile(form, read) : missingNumbers(read.typed, form.onlyGood)),
  ];
}

function missingOfFile({ chosen, onlyGood }: ImportForm, { summary, isReading }: ReadSoFar): string[] {
  if (chosen === undefined) return ["a file"];
  if (isReading || summary === undefined) return ["The file is being read."];
  if (summary.kind !== "read") return ["a file that can be read"];
  const { columns, goodCount, wrongCount } = summary;
  if (columns.length > 0 && !columns.some(({ isRead }) => isRead)) return ["a column with phone numbers"];
  return missingNumbers({ valid: { length: goodCount }, wrongCount }, onlyGood);
}
