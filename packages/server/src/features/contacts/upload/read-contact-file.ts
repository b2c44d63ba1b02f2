import { TextDecoder } from "node:util";
import {
  ContactCellReader,
  ContactFileReader,
  detectCsvEncoding,
  MixedDecoder,
  limits,
  type ContactFileMapping,
  type ContactFileRead,
  type CsvEncoding,
  type Rates,
} from "@ewebal/contract";
import { VCARD_BEGINNING, VcardCells, ZIP_BEGINNING } from "@ewebal/contract/files";
import { fieldError } from "../../../base/errors.ts";
import type { ReceivedFile } from "./receive-form.ts";
import type { NumbersRead } from "../numbers/take-numbers.ts";
import { readWorkbook } from "./read-workbook.ts";
import { WrongRowsFile } from "./wrong-rows.ts";

const READ_BYTES = 64 * 1024;
/** Bytes that no text has, and every spreadsheet, archive, picture and program has near its beginning. */
// oxlint-disable-next-line no-control-regex -- Control characters are what it looks for.
const BINARY = /[\u0000-\u0008\u000e-\u0019\u001c-\u001f]/;
const PDF = /^%PDF-/;
const ZIP = Buffer.from(ZIP_BEGINNING, "latin1");

export type ReadOptions = {
  rates: Rates;
  /** Those that hold numbers, from 1, when the person has chosen them. */
  columns: readonly number[] | undefined;
  mapping: ContactFileMapping | undefined;
};

export type ReadFile = NumbersRead & {
  /** Its wrong rows as a file; undefined without any. */
  wrongCsv: string | undefined;
  /** What the file calls the columns of the fields, by key. */
  labels: ReadonlyMap<string, string>;
};

/**
 * Reads an uploaded file piece by piece, so that other requests have their turn between two pieces. What kind of file it is its content
 * says, whatever its name: a workbook, vCards, or else CSV.
 *
 * @throws AppError `VALIDATION` at `csv` for what is none of them, is empty or has too much, at `sheet` and `mapping` for a choice that is none.
 */
export async function readContactFile(
  file: ReceivedFile,
  code: string,
  { rates, columns, mapping }: ReadOptions,
): Promise<ReadFile> {
  if (file.byteLength === 0) throw fieldError("csv", "is empty");
  const wrongRows = new WrongRowsFile();
  const options = { rates, columns, mapping, onWrongRow: wrongRows.add.bind(wrongRows) };
  const beginning = Buffer.alloc(READ_BYTES);
  const { bytesRead } = await file.handle.read(beginning, 0, READ_BYTES, 0);
  const first = beginning.subarray(0, bytesRead);
  let read: ContactFileRead;
  if (first.subarray(0, ZIP.length).equals(ZIP)) {
    const reader = new ContactCellReader(code, options);
    await readWorkbook(file.handle, mapping?.sheet, (cell) => reader.take(cell));
    read = reader.finish();
  } else {
    const encoding = await findEncoding(file, first);
    const text = new TextDecoder(encoding).decode(first);
    if (VCARD_BEGINNING.test(text)) {
      const reader = new ContactCellReader(code, options);
      const cards = new VcardCells((cell) => reader.take(cell));
      await readText(file, encoding, (piece) => cards.add(piece));
      cards.finish();
      read = reader.finish();
    } else {
      const reader = new ContactFileReader(code, options);
      await readText(file, encoding, (piece) => reader.add(piece));
      read = reader.finish();
    }
  }
  return toNumbers(read, wrongRows, mapping);
}

async function readText(file: ReceivedFile, encoding: string, take: (text: string) => void): Promise<void> {
  if (encoding === "windows-1252") {
    const mixed = new MixedDecoder();
    for await (const bytes of piecesOf(file)) take(mixed.decode(bytes));
    take(mixed.finish());
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const bytes of piecesOf(file)) take(decoder.decode(bytes, { stream: true }));
  take(decoder.decode());
}

function piecesOf(file: ReceivedFile): AsyncIterable<Buffer> {
  return file.handle.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
}

const NOT_UTF8 = "ERR_ENCODING_INVALID_ENCODED_DATA";

/** Other bytes than UTF-8's, wherever they stand, are an old program's: Windows-1252, of which every byte is a letter. */
async function findEncoding(file: ReceivedFile, first: Buffer): Promise<CsvEncoding | "windows-1252"> {
  const encoding = detectCsvEncoding(first);
  const text = encoding === undefined ? "" : new TextDecoder(encoding).decode(first);
  if (encoding === undefined || BINARY.test(text) || PDF.test(text))
    throw fieldError("csv", "is no list of contacts: it takes CSV, Excel (.xlsx) and vCard files");
  return encoding !== "utf-8" || (await isUtf8(file)) ? encoding : "windows-1252";
}

async function isUtf8(file: ReceivedFile): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isWhole = true;
  // To its end, whatever was found: a stream that is left early takes the file's handle along.
  for await (const bytes of piecesOf(file)) isWhole &&= canDecode(decoder, bytes);
  return isWhole && canDecode(decoder, undefined);
}

function canDecode(decoder: TextDecoder, bytes: Buffer | undefined): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === NOT_UTF8) return false;
    throw error;
  }
}

function toNumbers(read: ContactFileRead, wrongRows: WrongRowsFile, mapping: ContactFileMapping | undefined): ReadFile {
  switch (read.kind) {
    case "read":
      break;
    case "open-quote":
      throw fieldError("csv", `has a cell in row ${read.row} with an opening quotation mark but no closing one`);
    case "too-many":
      throw fieldError("csv", `has more than ${limits.catalogContactsMax.toLocaleString("en")} numbers`);
    case "unknown-column":
      throw fieldError("mapping", `names the column "${read.column.slice(0, 50)}", which the file does not have`);
  }
  const labels = new Map<string, string>();
  for (const [key, column] of Object.entries(mapping?.fields ?? {}))
    labels.set(key, typeof column === "string" ? column : (read.headings.get(column) ?? ""));
  return { ...read, labels, wrongCsv: wrongRows.isEmpty ? undefined : wrongRows.toCsv(read.headings) };
}
