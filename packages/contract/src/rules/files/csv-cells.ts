/**
 * The cells of a CSV file, read as the text arrives: any line ending, mixed ones too; commas, semicolons, tabs or bars;
 * quoted or not; Excel's `sep=;` line. It is lenient on purpose (a quotation mark inside an unquoted cell is a character, what
 * follows a closing one belongs to the cell), because whoever made the file is not there to mend it.
 */

/** Rows and columns count from 1, as spreadsheets show them; empty rows count too. */
export type CsvCell = {
  row: number;
  column: number;
  value: string;
};

const DELIMITERS = ["\t", ";", ",", "|"] as const;
/** As much of the file as is looked at to tell what separates its cells. */
const SAMPLE_CHARACTERS = 64 * 1024;
/** A quoted cell may hold a whole list; one that is longer has lost its closing quotation mark. */
const CELL_CHARACTERS_MAX = 1024 * 1024;

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A million numbers, one on each line, take 0.1 s on one shared core (Node 24), 20 MB with quoted names beside them 0.4 s. */
export class CsvCells {
  readonly #onCell: (cell: CsvCell) => void;
  #text = "";
  #delimiter: number | undefined;
  #row = 1;
  #column = 1;
  #openQuoteRow: number | undefined;

  /** @param onCell called for each cell that holds more than white space, row by row. */
  constructor(onCell: (cell: CsvCell) => void) {
    this.#onCell = onCell;
  }

  /** The row of a quotation mark that is never closed. Nothing is read from there on. */
  get openQuoteRow(): number | undefined {
    return this.#openQuoteRow;
  }

  add(text: string): void {
    if (this.#openQuoteRow !== undefined) return;
    this.#text += text;
    if (this.#delimiter !== undefined || this.#text.length >= SAMPLE_CHARACTERS) this.#read(false);
  }

  finish(): void {
    if (this.#openQuoteRow === undefined) this.#read(true);
  }

  #read(isLast: boolean): void {
    this.#delimiter ??= this.#begin();
    let start = 0;
    while (start < this.#text.length) {
      const end = this.#findEnd(start, isLast);
      if (end === undefined) break;
      this.#tell(start, end);
      const ending = this.#text.charCodeAt(end);
      start = end + 1;
      if (ending === this.#delimiter) {
        this.#column += 1;
        continue;
      }
      if (ending === CARRIAGE_RETURN && this.#text.charCodeAt(start) === LINE_FEED) start += 1;
      this.#row += 1;
      this.#column = 1;
    }
    this.#text = this.#text.slice(start);
    if (this.#text.length > CELL_CHARACTERS_MAX || (isLast && this.#text !== "")) this.#openQuoteRow = this.#row;
  }

  /** @returns where the delimiter or line end of the cell stands; undefined when it is not here yet. */
  #findEnd(start: number, isLast: boolean): number | undefined {
    const text = this.#text;
    let index = start;
    if (text.charCodeAt(start) === QUOTE) {
      const closing = findClosingQuote(text, start + 1);
      // A quotation mark at the very end may be the first of an escaped pair.
      if (closing === -1 || (closing === text.length - 1 && !isLast)) return undefined;
      index = closing + 1;
    }
    for (; index < text.length; index += 1) {
      const charCode = text.charCodeAt(index);
      if (charCode === this.#delimiter || charCode === LINE_FEED) return index;
      // Whether a line feed belongs to it is only known with the next character.
      if (charCode === CARRIAGE_RETURN) return index < text.length - 1 || isLast ? index : undefined;
    }
    return isLast ? index : undefined;
  }

  #tell(start: number, end: number): void {
    if (start === end) return;
    let value = this.#text.slice(start, end);
    if (value.charCodeAt(0) === QUOTE) {
      const closing = findClosingQuote(value, 1);
      value = value.slice(1, closing).replaceAll('""', '"') + value.slice(closing + 1);
    }
    if (value.trim() !== "") this.#onCell({ row: this.#row, column: this.#column, value });
  }

  /** Looks at the beginning of the file. @returns the delimiter's character code. */
  #begin(): number {
    const told = /^sep=(.)(?:\r\n?|\n|$)/i.exec(this.#text);
    if (told === null) return guessDelimiter(this.#text.slice(0, SAMPLE_CHARACTERS)).charCodeAt(0);
    this.#text = this.#text.slice(told[0].length);
    this.#row = 2;
    return told[1]?.charCodeAt(0) ?? 44;
  }
}

/** @returns the index of the quotation mark that ends what began before `start`, -1 when there is none. */
function findClosingQuote(text: string, start: number): number {
  let index = text.indexOf('"', start);
  while (index !== -1 && text.charCodeAt(index + 1) === QUOTE) index = text.indexOf('"', index + 2);
  return index;
}

/** What most lines have outside quotation marks; between equals, what stands there more often. */
function guessDelimiter(sample: string): string {
  const lines = sample
    .replaceAll(/"(?:[^"]|"")*"/g, "")
    .split(/[\r\n]+/)
    .slice(0, 200);
  let best: { delimiter: string; lineCount: number; count: number } = { delimiter: ",", lineCount: 0, count: 0 };
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const lineCount = counts.filter((count) => count > 0).length;
    const count = counts.reduce((sum, one) => sum + one, 0);
    if (lineCount > best.lineCount || (lineCount === best.lineCount && count > best.count))
      best = { delimiter, lineCount, count };
  }
  return best.delimiter;
}

/** The encodings that `TextDecoder` is made for here; it leaves a byte order mark out by itself. */
export type CsvEncoding = "utf-8" | "utf-16le" | "utf-16be";

/**
 * @param bytes the beginning of the file, a few kilobytes or all of it.
 * @returns undefined for what is no text.
 */
export function detectCsvEncoding(bytes: Uint8Array): CsvEncoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const nulCounts = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) nulCounts[index % 2] = (nulCounts[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nulCounts;
  if (even + odd === 0) return "utf-8";
  // Digits and commas of UTF-16 have a zero in every second byte, always on the same side.
  const pairCount = bytes.length / 2;
  if (even === 0 && odd > 0.4 * pairCount) return "utf-16le";
  if (odd === 0 && even > 0.4 * pairCount) return "utf-16be";
  return undefined;
}

/** What a line that UTF-8 wrote looks like when it is read as Windows-1252: "é" is "Ã©", a dotted letter begins with "áº" or "á»", a curly quotation mark with "â€", and a byte order mark is "ï»¿". */
const LOOKS_LIKE_UTF8 = /^ï»¿|Ã|á[º»]|â[€‚]/;
/** Lines of people are short; of a longer one the beginning is read before its end has come. */
const LINE_BYTES_MAX = 65_536;

/**
 * Reads what is not all UTF-8: an old program's Windows-1252, in which every byte is a letter, and lines of UTF-8 that were pasted among
 * them. Give it the file in pieces of any size.
 */
export class MixedDecoder {
  readonly #utf8 = new TextDecoder("utf-8");
  readonly #old = new TextDecoder("windows-1252");
  #rest: Uint8Array = new Uint8Array();

  /** @returns the text of the lines that are complete. */
  decode(piece: Uint8Array): string {
    const bytes = new Uint8Array(this.#rest.length + piece.length);
    bytes.set(this.#rest);
    bytes.set(piece, this.#rest.length);
    const end = bytes.length > LINE_BYTES_MAX ? bytes.lastIndexOf(LINE_FEED) + 1 || bytes.length : 0;
    this.#rest = bytes.subarray(end);
    return this.#decodeLines(bytes.subarray(0, end));
  }

  /** @returns the text of what is left. */
  finish(): string {
    const rest = this.#rest;
    this.#rest = new Uint8Array();
    return this.#decodeLines(rest);
  }

  #decodeLines(bytes: Uint8Array): string {
    let text = "";
    for (let start = 0; start < bytes.length;) {
      const lineFeed = bytes.indexOf(LINE_FEED, start);
      const end = lineFeed === -1 ? bytes.length : lineFeed + 1;
      text += this.#decodeLine(bytes.subarray(start, end));
      start = end;
    }
    return text;
  }

  #decodeLine(line: Uint8Array): string {
    const old = this.#old.decode(line);
    if (!LOOKS_LIKE_UTF8.test(old)) return old;
    const text = this.#utf8.decode(line);
    return text.includes("\u{fffd}") ? old : text;
  }
}
