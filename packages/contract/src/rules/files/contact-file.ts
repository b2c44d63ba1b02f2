/**
 * Which cells of a file are contacts, and which of them are wrong: one judge for the browser's preview and for the server.
 *
 * - The columns that a person names are read, and no other.
 * - Otherwise, when the first row holds words and no number, it is a header. Columns whose heading speaks of phones are read;
 *   when there is none, columns that are headed as numbers.
 * - Otherwise the contents tell: of the first 200 rows, columns of which at least half of the cells look like phone numbers.
 *   Names, dates and small numbers are left aside. When no column looks like numbers, or the file is a single row, every column
 *   is read, so that nothing is dropped in silence.
 *
 * A cell is read as pasted numbers are (it may hold several); what is no number of the catalog's country is wrong, with row,
 * column and reason.
 */
import type { WrongContact } from "../../schemas/contacts.ts";
import { CsvCells, type CsvCell } from "./csv-cells.ts";
import { limits } from "../../limits.ts";
import { RecipientReader, type RepairCounts, WRONG_NUMBERS_KEPT_MAX } from "../numbers/phone-numbers.ts";
import { DEFAULT_RATES, type Rates } from "../money/rates.ts";
import { wrongNumberWords } from "../numbers/number-check.ts";

export type ContactColumn = {
  /** From 1. */
  column: number;
  /** The heading; empty without a header. */
  name: string;
  /** The first cell below the header. */
  sample: string;
  /** Whether its cells are read as contacts. */
  isRead: boolean;
};

export type ContactFileRead =
  | {
      kind: "read";
      /** Distinct, with their code, in the order of the file. */
      numbers: Float64Array;
      duplicateCount: number;
      wrongCount: number;
      /** The first 100, or as many as were asked for. */
      wrong: WrongContact[];
      repaired?: RepairCounts;
      hasHeader: boolean;
      /** The first 100 columns that hold anything. */
      columns: ContactColumn[];
    }
  /** A cell of more than a million characters: a quotation mark is opened and never closed, so that the rest cannot be told apart. */
  | { kind: "open-quote"; row: number }
  /** More than 1,000,000 numbers. */
  | { kind: "too-many" };

const SAMPLE_ROWS = 200;
const SAMPLE_CELLS = 20_000;
const COLUMNS_SHOWN_MAX = 100;
const SAMPLE_CHARACTERS_MAX = 40;

/** Reads a file text by text. A million numbers take 0.5 to 0.8 s on one shared core (Node 24) and some 40 MB. */
export class ContactFileReader {
  readonly #cells = new CsvCells((cell) => this.#take(cell));
  readonly #numbers: RecipientReader;
  readonly #chosen: ReadonlySet<number> | undefined;
  readonly #wrong: WrongContact[] = [];
  /** Cells that wait until it is known which columns are read. */
  #sample: CsvCell[] | undefined = [];
  #isRead: (column: number) => boolean = () => true;
  #columns: ContactColumn[] = [];
  #hasHeader = false;
  #isTooMany = false;

  /**
   * @param code the catalog's dialling code.
   * @param options.rates as for `readRecipients`.
   * @param options.columns those that hold numbers, from 1, when a person has named them.
   * @param options.wrongKeptMax how many wrong cells are listed; all are counted.
   */
  constructor(
    code: string,
    options: { rates?: Rates; columns?: readonly number[] | undefined; wrongKeptMax?: number } = {},
  ) {
    const { rates = DEFAULT_RATES, columns, wrongKeptMax = WRONG_NUMBERS_KEPT_MAX } = options;
    this.#numbers = new RecipientReader(code, rates, wrongKeptMax);
    this.#chosen = columns && new Set(columns);
  }

  add(text: string): void {
    if (!this.#isTooMany) this.#cells.add(text);
  }

  finish(): ContactFileRead {
    this.#cells.finish();
    this.#endSample();
    if (this.#isTooMany) return { kind: "too-many" };
    if (this.#cells.openQuoteRow !== undefined) return { kind: "open-quote", row: this.#cells.openQuoteRow };
    const { valid, duplicateCount, wrongCount, repaired } = this.#numbers.finish();
    const found = {
      ...(repaired && { repaired }),
      wrong: this.#wrong,
      hasHeader: this.#hasHeader,
      columns: this.#columns,
    };
    return { kind: "read", numbers: valid, duplicateCount, wrongCount, ...found };
  }

  #take(cell: CsvCell): void {
    if (this.#sample === undefined) return this.#read(cell);
    this.#sample.push(cell);
    if (cell.row > SAMPLE_ROWS || this.#sample.length >= SAMPLE_CELLS) this.#endSample();
  }

  #endSample(): void {
    const sample = this.#sample;
    if (sample === undefined) return;
    this.#sample = undefined;
    const { headerRow, columns, isRead } = judgeColumns(sample, this.#chosen);
    this.#hasHeader = headerRow !== undefined;
    this.#columns = columns;
    this.#isRead = isRead;
    for (const cell of sample) if (cell.row !== headerRow) this.#read(cell);
  }

  #read({ row, column, value }: CsvCell): void {
    if (!this.#isRead(column)) return;
    const numbers = this.#numbers;
    const before = numbers.wrong.length;
    numbers.add(plainCell(value));
    for (const { value: written, reason } of numbers.wrong.slice(before)) {
      this.#wrong.push({ row, column, value: written, reason, text: wrongNumberWords[reason] });
    }
    this.#isTooMany ||= numbers.validCount + numbers.duplicateCount + numbers.wrongCount > limits.catalogContactsMax;
  }
}

/** Undoes what protects a number from spreadsheets (`="0803..."`), and the comma of other countries in 2,3E+12. */
function plainCell(value: string): string {
  if (value.startsWith("=")) return value.slice(1);
  return SCIENTIFIC.test(value) ? value.replace(",", ".") : value;
}

const SCIENTIFIC = /^\s*[0-9](?:[.,][0-9]+)?E\+?[0-9]+\s*$/i;
const DATE =
  /^\s*(?:[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\2[0-9]{2,4})(?:[ T][0-9:.]+)?\s*$/;
const PHONE_HEADING = /phone|mobile|msisdn|whatsapp|gsm|recipient|\btels?\b|\bcells?\b|telefon|telephone/;
const NUMBER_HEADING = /\b(?:numbers?|nos?|nums?|contacts?)\b/;
/** "Phone 1 - Type", "Contact name", "Account number". */
const OTHER_HEADING =
  /name|type|label|model|network|mail|address|account|bank|serial|invoice|order|house|\bids?\b|\bs n\b/;

function judgeColumns(sample: readonly CsvCell[], chosen: ReadonlySet<number> | undefined) {
  const [first] = sample;
  const firstRow = sample.filter(({ row }) => row === first?.row);
  const headerRow = isHeader(firstRow) ? first?.row : undefined;
  const below = headerRow === undefined ? sample : sample.slice(firstRow.length);
  const headings = new Map(
    headerRow === undefined ? [] : firstRow.map(({ column, value }) => [column, plainHeading(value)]),
  );
  const isRead = chosen === undefined ? judgeByItself(headings, below) : (column: number) => chosen.has(column);
  const names = new Map(firstRow.map(({ column, value }) => [column, value.trim()]));
  const samples = new Map(below.toReversed().map(({ column, value }) => [column, value.trim()]));
  const columns = [...new Set([...names.keys(), ...samples.keys()])]
    .toSorted((one, other) => one - other)
    .slice(0, COLUMNS_SHOWN_MAX)
    .map((column) => ({
      column,
      name: headerRow === undefined ? "" : (names.get(column) ?? "").slice(0, SAMPLE_CHARACTERS_MAX),
      sample: (samples.get(column) ?? "").slice(0, SAMPLE_CHARACTERS_MAX),
      isRead: isRead(column),
    }));
  return { headerRow, columns, isRead };
}

function judgeByItself(headings: ReadonlyMap<number, string>, below: readonly CsvCell[]): (column: number) => boolean {
  for (const pattern of [PHONE_HEADING, NUMBER_HEADING]) {
    const named = new Set(
      [...headings].filter(([, name]) => pattern.test(name) && !OTHER_HEADING.test(name)).map(([column]) => column),
    );
    if (named.size > 0) return (column) => named.has(column);
  }
  const counts = new Map<number, { all: number; like: number }>();
  for (const { column, value } of below) {
    const count = counts.get(column) ?? { all: 0, like: 0 };
    counts.set(column, { all: count.all + 1, like: count.like + (looksLikeNumber(value) ? 1 : 0) });
  }
  const like = new Set([...counts].filter(([, count]) => count.like * 2 >= count.all).map(([column]) => column));
  const isSingleRow = below.every(({ row }) => row === below[0]?.row);
  // Rows that are longer than any of the sample are lists of numbers, if the sample is.
  const isList = isSingleRow || like.size === 0 || like.size === counts.size;
  return (column) => isList || like.has(column);
}

function isHeader(cells: readonly CsvCell[]): boolean {
  const isAnyNumber = cells.some(({ value }) => SCIENTIFIC.test(value) || countDigits(value) > 4);
  return !isAnyNumber && cells.some(({ value }) => /\p{L}/u.test(value));
}

/** "phoneNo", "Phone_No." and "PHONE NO" are "phone no". */
function plainHeading(text: string): string {
  return text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, " ")
    .trim();
}

function looksLikeNumber(value: string): boolean {
  if (SCIENTIFIC.test(value)) return true;
  return !/\p{L}/u.test(value) && countDigits(value) >= 7 && !DATE.test(value);
}

function countDigits(text: string): number {
  return text.replaceAll(/[^0-9]/g, "").length;
}
