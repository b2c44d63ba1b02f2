/**
 * Where a contact file is read before it is uploaded, in a worker: 20 MB take about a second, in which a page could not even
 * scroll. The judge is the contract's, the same that the server asks.
 */
import type { ContactColumn, Rates, WrongContact } from "@ewebal/contract";
import { ContactFileReader, detectCsvEncoding } from "@ewebal/contract/rules";

export type CsvTask = {
  file: Blob;
  /** The catalog's dialling code. */
  code: string;
  /** As for `readRecipients`. */
  rates: Rates;
  /** The columns that a person has chosen, from 1; without them the file tells. */
  columns: readonly number[] | undefined;
  /** Also give the right numbers themselves, not only how many. */
  wantsNumbers?: boolean;
};

export type CsvSummary =
  | {
      kind: "read";
      /** Distinct right numbers. */
      goodCount: number;
      duplicateCount: number;
      wrongCount: number;
      /** The first 100. */
      wrong: WrongContact[];
      hasHeader: boolean;
      columns: ContactColumn[];
      /** Wrong rows as a CSV file, at most 100,000 of them; absent when none is wrong. */
      wrongFile?: Blob;
      /** The right numbers with their country code, one on each line; only for who wants them. */
      numbers?: string;
    }
  | { kind: "open-quote"; row: number }
  | { kind: "too-many" }
  | { kind: "no-text" };

/** As much of the file as is in memory at once, in bytes. */
const SLICE_BYTES = 1024 * 1024;
const WRONG_SHOWN_MAX = 100;
const WRONG_FILE_ROWS_MAX = 100_000;

export async function readCsv({ file, code, rates, columns, wantsNumbers = false }: CsvTask): Promise<CsvSummary> {
  const reader = new ContactFileReader(code, { rates, columns, wrongKeptMax: WRONG_FILE_ROWS_MAX });
  let decoder: TextDecoder | undefined;
  for (let start = 0; start < file.size; start += SLICE_BYTES) {
    const bytes = new Uint8Array(await file.slice(start, start + SLICE_BYTES).arrayBuffer());
    if (decoder === undefined) {
      const encoding = detectCsvEncoding(bytes);
      if (encoding === undefined) return { kind: "no-text" };
      decoder = new TextDecoder(encoding);
    }
    reader.add(decoder.decode(bytes, { stream: true }));
  }
  if (decoder !== undefined) reader.add(decoder.decode());
  const read = reader.finish();
  if (read.kind !== "read") return read;
  const { numbers, duplicateCount, wrongCount, wrong, hasHeader, columns: found } = read;
  const summary = {
    kind: "read",
    goodCount: numbers.length,
    duplicateCount,
    wrongCount,
    wrong: wrong.slice(0, WRONG_SHOWN_MAX),
    hasHeader,
    columns: found,
    ...(wantsNumbers && { numbers: numbers.join("\n") }),
  } as const;
  return wrongCount === 0
    ? summary
    : { ...summary, wrongFile: new Blob([writeWrongRows(wrong)], { type: "text/csv" }) };
}

/** The byte order mark tells spreadsheets that it is UTF-8. */
export function writeWrongRows(wrong: readonly WrongContact[]): string {
  const rows = wrong.map(({ row, column, value, text }) => [String(row), String(column ?? ""), value, text]);
  return `\u{feff}${[["Line", "Column", "Value", "Reason"], ...rows].map((cells) => cells.map(quote).join(",")).join("\r\n")}\r\n`;
}

/** A cell that begins as a formula does would be run by a spreadsheet; an apostrophe makes it text. */
function quote(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
