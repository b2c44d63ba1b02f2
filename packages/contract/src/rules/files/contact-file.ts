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
import type { WrongContact, WrongContactReason } from "../../schemas/contacts.ts";
import { cleanFieldValue, isFieldTooLong } from "../personal/columns.ts";
import { FieldedNumbers } from "../personal/fielded-numbers.ts";
import type { ValueRows } from "../personal/value-rows.ts";
import { CsvCells, type CsvCell } from "./csv-cells.ts";
import { limits } from "../../limits.ts";
import { personalLimits } from "../personal/personal-limits.ts";
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
      /** As they are written, by column; none without a header. */
      headings: ReadonlyMap<number, string>;
      /** With a mapping that names fields: what stands beside each number. */
      received?: { keys: readonly string[]; rows: ValueRows };
    }
  /** A mapping names a heading that the file does not have. */
  | { kind: "unknown-column"; column: string }
  /** A cell of more than a million characters: a quotation mark is opened and never closed, so that the rest cannot be told apart. */
  | { kind: "open-quote"; row: number }
  /** More than 1,000,000 numbers. */
  | { kind: "too-many" };

const SAMPLE_ROWS = 200;
const SAMPLE_CELLS = 20_000;
const COLUMNS_SHOWN_MAX = 100;
const SAMPLE_CHARACTERS_MAX = 40;

/** Reads a CSV file text by text. A million numbers take 0.5 to 0.8 s on one shared core (Node 24) and some 40 MB. */
export class ContactFileReader {
  readonly #reader: ContactCellReader;
  readonly #cells: CsvCells;

  /** As `ContactCellReader`. */
  constructor(code: string, options: ContactFileOptions = {}) {
    const reader = new ContactCellReader(code, options);
    this.#reader = reader;
    this.#cells = new CsvCells((cell) => reader.take(cell));
  }

  add(text: string): void {
    if (!this.#reader.isTooMany) this.#cells.add(text);
  }

  finish(): ContactFileRead {
    this.#cells.finish();
    const read = this.#reader.finish();
    const { openQuoteRow } = this.#cells;
    return read.kind === "read" && openQuoteRow !== undefined ? { kind: "open-quote", row: openQuoteRow } : read;
  }
}

/** Which columns of a file are what; a column is its number from 1 or its heading. */
export type ContactMapping = {
  phoneNo: number | string;
  /** Columns by the key of the field. */
  fields?: Readonly<Record<string, number | string>> | undefined;
  /** The row of the headings, as the file counts; what stands above it is passed over. */
  header?: number | undefined;
};

/** A row with wrong cells: all its cells by column, and why. */
export type WrongRow = { cells: ReadonlyMap<number, string>; reasons: string[] };

export type ContactFileOptions = {
  /** As for `readRecipients`. */
  rates?: Rates;
  /** Columns that hold numbers, from 1, when a person has named them. */
  columns?: readonly number[] | undefined;
  /** In place of `columns`: what else is taken. */
  mapping?: ContactMapping | undefined;
  /** The row of the headings where nobody has matched columns yet; a mapping names its own. */
  header?: number | undefined;
  /** How many wrong cells are listed; all are counted. */
  wrongKeptMax?: number;
  /** Told every row that has wrong cells. */
  onWrongRow?: ((row: WrongRow) => void) | undefined;
};

/** Cells of a row that are kept until it ends. */
const ROW_CELLS_MAX = 200;

/** Judges the cells of a file, whatever kind of file it is, row by row. */
export class ContactCellReader {
  readonly #numbers: RecipientReader;
  readonly #chosen: ReadonlySet<number> | undefined;
  readonly #mapping: ContactMapping | undefined;
  readonly #header: number | undefined;
  readonly #onWrongRow: ((row: WrongRow) => void) | undefined;
  readonly #wrongKeptMax: number;
  readonly #wrong: WrongContact[] = [];
  readonly #fielded: FieldedNumbers | undefined;
  readonly #keys: readonly string[];
  /** Cells that wait until it is known which columns are read. */
  #sample: CsvCell[] | undefined = [];
  #isRead: (column: number) => boolean = () => true;
  #columns: ContactColumn[] = [];
  #headings: ReadonlyMap<number, string> = new Map();
  #headerRow: number | undefined;
  #places: { phoneNo: number; fields: readonly number[] } | undefined;
  #unknownColumn: string | undefined;
  #isTooMany = false;
  #wholeCount = 0;
  // The row being read.
  #row = 0;
  #cells = new Map<number, string>();
  #reasons: string[] = [];
  #values: (string | null)[] = [];

  /** @param code the catalog's dialling code. */
  constructor(code: string, options: ContactFileOptions = {}) {
    const { rates = DEFAULT_RATES, columns, mapping, wrongKeptMax = WRONG_NUMBERS_KEPT_MAX } = options;
    this.#mapping = mapping;
    this.#header = mapping === undefined ? options.header : mapping.header;
    this.#keys = Object.keys(mapping?.fields ?? {});
    this.#fielded = this.#keys.length > 0 ? new FieldedNumbers({ repeats: "merged" }) : undefined;
    const onNumber = (number: number): void => this.#fielded?.put(number, this.#values);
    this.#numbers = new RecipientReader(code, rates, wrongKeptMax, this.#fielded && onNumber);
    this.#chosen = columns && new Set(columns);
    this.#onWrongRow = options.onWrongRow;
    this.#wrongKeptMax = wrongKeptMax;
  }

  /** More than may be added: nothing more is read. */
  get isTooMany(): boolean {
    return this.#isTooMany;
  }

  take(cell: CsvCell): void {
    if (this.#sample === undefined) return this.#read(cell);
    this.#sample.push(cell);
    const isLong = cell.row > SAMPLE_ROWS + (this.#header ?? 0);
    if (isLong || this.#sample.length >= SAMPLE_CELLS) this.#endSample();
  }

  finish(): ContactFileRead {
    this.#endSample();
    this.#endRow();
    if (this.#isTooMany || this.#fielded?.isTooMuch === true) return { kind: "too-many" };
    if (this.#unknownColumn !== undefined) return { kind: "unknown-column", column: this.#unknownColumn };
    const { valid, duplicateCount, wrongCount, repaired } = this.#numbers.finish();
    return {
      kind: "read",
      numbers: valid,
      duplicateCount,
      wrongCount: wrongCount + this.#wholeCount,
      ...(repaired && { repaired }),
      ...(this.#fielded && { received: { keys: this.#keys, rows: this.#fielded.finish() } }),
      wrong: this.#wrong,
      hasHeader: this.#headerRow !== undefined,
      columns: this.#columns,
      headings: this.#headings,
    };
  }

  #endSample(): void {
    const sample = this.#sample;
    if (sample === undefined) return;
    this.#sample = undefined;
    const header = this.#header;
    const known = header === undefined ? sample : sample.filter(({ row }) => row >= header);
    const { headerRow, columns, isRead, headings } = judgeColumns(known, this.#chosen, header);
    this.#headerRow = headerRow;
    this.#headings = headings;
    this.#columns = columns;
    this.#isRead = isRead;
    if (this.#mapping !== undefined) this.#places = this.#resolve(this.#mapping);
    for (const cell of known) if (cell.row !== headerRow) this.#read(cell);
  }

  #resolve({ phoneNo, fields = {} }: ContactMapping): { phoneNo: number; fields: readonly number[] } {
    const find = (column: number | string): number => {
      if (typeof column === "number") return column;
      const wanted = column.trim().toLowerCase();
      const found = [...this.#headings].find(([, name]) => name.trim().toLowerCase() === wanted)?.[0];
      if (found === undefined) this.#unknownColumn ??= column;
      return found ?? 0;
    };
    return { phoneNo: find(phoneNo), fields: this.#keys.map((key) => find(fields[key] ?? 0)) };
  }

  #read({ row, column, value }: CsvCell): void {
    if (row !== this.#row) {
      this.#endRow();
      this.#row = row;
    }
    if (this.#cells.size < ROW_CELLS_MAX || this.#isMapped(column)) this.#cells.set(column, value);
    if (this.#places === undefined && this.#isRead(column)) this.#readNumber(column, value);
  }

  #isMapped(column: number): boolean {
    return this.#places !== undefined && (this.#places.phoneNo === column || this.#places.fields.includes(column));
  }

  #endRow(): void {
    const cells = this.#cells;
    if (cells.size === 0) return;
    if (this.#places !== undefined && this.#unknownColumn === undefined) this.#readMapped(this.#places, cells);
    if (this.#reasons.length > 0) {
      this.#onWrongRow?.({ cells, reasons: this.#reasons });
      this.#reasons = [];
    }
    this.#cells = new Map();
  }

  #readMapped({ phoneNo, fields }: { phoneNo: number; fields: readonly number[] }, cells: Map<number, string>): void {
    const number = cells.get(phoneNo);
    if (number === undefined) return;
    this.#values = fields.map((column) => {
      const value = cells.get(column);
      return value === undefined || FORMULA_FAULT.test(value) ? null : cleanFieldValue(value.replace(GUARD, ""));
    });
    const place = this.#values.findIndex((value) => value !== null && isFieldTooLong(value));
    if (place === -1) return this.#readNumber(phoneNo, number);
    this.#wholeCount += 1;
    const column = fields[place] ?? 0;
    this.#addWrong(column, (this.#values[place] ?? "").slice(0, SAMPLE_CHARACTERS_MAX), "field-too-long");
  }

  #readNumber(column: number, value: string): void {
    // "n/a" is one answer, not two numbers.
    if (value.trim() !== "" && !/\p{Nd}/u.test(value)) {
      this.#wholeCount += 1;
      this.#addWrong(column, value.trim().slice(0, SAMPLE_CHARACTERS_MAX), "not-digits");
      return;
    }
    const numbers = this.#numbers;
    const before = numbers.wrong.length;
    const countBefore = numbers.wrongCount;
    numbers.add(plainCell(value));
    for (const { value: written, reason } of numbers.wrong.slice(before)) this.#addWrong(column, written, reason);
    // Beyond those that are listed the reason is not kept, but the row is wrong all the same.
    const unlisted = numbers.wrongCount - countBefore - (numbers.wrong.length - before);
    if (unlisted > 0 && this.#reasons.length === 0) this.#reasons.push("is no number that can be sent to");
    this.#isTooMany ||= numbers.validCount + numbers.duplicateCount + numbers.wrongCount > limits.catalogContactsMax;
  }

  #addWrong(column: number, value: string, reason: WrongContactReason): void {
    const text = reason === "field-too-long" ? FIELD_TOO_LONG : wrongNumberWords[reason];
    this.#reasons.push(`"${value}" ${text}`);
    if (this.#wrong.length < this.#wrongKeptMax) this.#wrong.push({ row: this.#row, column, value, reason, text });
  }
}

const FIELD_TOO_LONG = `has more than ${personalLimits.fieldCharactersMax} characters`;
/** What a download puts before a cell that a spreadsheet would run. */
const GUARD = /^'(?=[=+\-@\t\r])/;
/** What stands in a cell whose formula failed, in English and German spreadsheets: nothing is known. */
const FORMULA_FAULT = /^\s*#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|NV|BEZUG!|WERT!|ZAHL!)\s*$/;

/** Undoes what protects a number from spreadsheets (`="0803..."`), and the comma of other countries in 2,3E+12 and 2348030000001,0. */
function plainCell(value: string): string {
  if (value.startsWith("=")) return value.slice(1);
  return SCIENTIFIC.test(value) || DECIMAL_COMMA.test(value) ? value.replace(",", ".") : value;
}

const DECIMAL_COMMA = /^\s*\+?[0-9]{7,15},0{1,2}\s*$/;

const SCIENTIFIC = /^\s*[0-9](?:[.,][0-9]+)?E\+?[0-9]+\s*$/i;
const DATE =
  /^\s*(?:[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\2[0-9]{2,4})(?:[ T][0-9:.]+)?\s*$/;
const PHONE_HEADING = /phone|mobile|msisdn|whatsapp|gsm|recipient|\btels?\b|\bcells?\b|telefon|telephone/;
const NUMBER_HEADING = /\b(?:numbers?|nos?|nums?|contacts?)\b/;
/** "Phone 1 - Type", "Contact name", "Account number". */
const OTHER_HEADING =
  /name|type|label|model|network|mail|address|account|bank|serial|invoice|order|house|\bids?\b|\bs n\b/;

function judgeColumns(sample: readonly CsvCell[], chosen: ReadonlySet<number> | undefined, told?: number) {
  const [first] = sample;
  const firstRow = sample.filter(({ row }) => row === first?.row);
  const headerRow = first !== undefined && (first.row === told || isHeader(firstRow)) ? first.row : undefined;
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
  return { headerRow, columns, isRead, headings: headerRow === undefined ? new Map<number, string>() : names };
}

/**
 * The row of the headings below a title, as banks' exports have one: the first of several cells without a number, one of them headed as
 * phones are.
 *
 * @param sample the first rows of a file.
 * @returns undefined when that is the first row, or there is none.
 */
export function findLaterHeader(sample: readonly CsvCell[]): number | undefined {
  const isPhoneHeading = ({ value }: CsvCell): boolean => {
    const name = plainHeading(value);
    return PHONE_HEADING.test(name) && !OTHER_HEADING.test(name);
  };
  for (const row of new Set(sample.map((cell) => cell.row))) {
    const cells = sample.filter((cell) => cell.row === row);
    if (cells.length < 2 || !isHeader(cells) || !cells.some(isPhoneHeading)) continue;
    return row === sample[0]?.row ? undefined : row;
  }
  return undefined;
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
