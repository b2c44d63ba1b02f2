import { TextDecoder } from "node:util";
import { ContactFileReader, detectCsvEncoding, limits, type ContactFileRead, type Rates } from "@ewebal/contract";
import { fieldError } from "../../../base/errors.ts";
import type { ReceivedFile } from "./receive-form.ts";
import type { NumbersRead } from "../numbers/take-numbers.ts";

const READ_BYTES = 64 * 1024;
/** Bytes that no text has, and every spreadsheet, archive, picture and program has near its beginning. */
// oxlint-disable-next-line no-control-regex -- Control characters are what it looks for.
const BINARY = /[\u0000-\u0008\u000e-\u0019\u001c-\u001f]/;
const PDF = /^%PDF-/;

/**
 * Reads an uploaded file piece by piece, so that other requests have their turn between two pieces.
 *
 * @param options.columns those that hold numbers, from 1, when the person has chosen them.
 * @throws AppError `VALIDATION` at `csv` for what is no CSV file, is empty or has too many numbers.
 */
export async function readContactFile(
  file: ReceivedFile,
  code: string,
  { rates, columns }: { rates: Rates; columns: readonly number[] | undefined },
): Promise<NumbersRead> {
  if (!/\.csv$/i.test(file.fileName)) throw fieldError("csv", "must be a .csv file");
  if (file.byteLength === 0) throw fieldError("csv", "is empty");
  const reader = new ContactFileReader(code, { rates, columns });
  let decoder: TextDecoder | undefined;
  const pieces = file.handle.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
  for await (const bytes of pieces as AsyncIterable<Buffer>) {
    decoder ??= openDecoder(bytes);
    reader.add(decoder.decode(bytes, { stream: true }));
  }
  reader.add(decoder?.decode() ?? "");
  return toNumbers(reader.finish());
}

function openDecoder(beginning: Buffer): TextDecoder {
  const encoding = detectCsvEncoding(beginning);
  const text = encoding === undefined ? "" : new TextDecoder(encoding).decode(beginning);
  if (encoding === undefined || BINARY.test(text) || PDF.test(text))
    throw fieldError("csv", "is not a CSV file, although its name says so");
  // Other bytes than UTF-8's (a spreadsheet's old alphabets) are in names; digits are the same in all of them.
  return new TextDecoder(encoding);
}

function toNumbers(read: ContactFileRead): NumbersRead {
  switch (read.kind) {
    case "read":
      break;
    case "open-quote":
      throw fieldError("csv", `has a cell in row ${read.row} with an opening quotation mark but no closing one`);
    case "too-many":
      throw fieldError("csv", `has more than ${limits.catalogContactsMax.toLocaleString("en")} numbers`);
  }
  return read;
}
