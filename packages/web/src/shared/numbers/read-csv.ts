/**
 * Where a contact file is read before it is uploaded or sent to, in a worker: 20 MB take about a second, in which a page could not even
 * scroll. CSV, workbooks and vCards, told by their content. The judge is the contract's, the same that the server asks.
 */
import type { ContactColumn, ContactFileRead, CsvCell, Rates, WrongContact } from "@ewebal/contract";
import {
  ContactCellReader,
  CsvCells,
  detectCsvEncoding,
  MixedDecoder,
  findLaterHeader,
  valuesAt,
  type RepairCounts,
} from "@ewebal/contract/rules";
import { TooMuchText, VCARD_BEGINNING, VcardCells, WorkbookReader, ZIP_BEGINNING } from "@ewebal/contract/files";
import { guessFields, type FileMatch, type FileWish } from "./file-match.ts";
import { writeTable } from "./recipient-table.ts";
import { openArchive } from "./unzip.ts";

export type CsvTask = {
  file: Blob;
  /** The catalog's dialling code. */
  code: string;
  /** As for `readRecipients`. */
  rates: Rates;
  /** What a person has chosen; the file tells the rest. */
  wish?: FileWish | undefined;
  /** Whether columns beside the numbers become fields until a person says otherwise. */
  takesFields?: boolean;
  /** Also give the right numbers themselves and their fields, not only how many. */
  wantsNumbers?: boolean;
};

/** A row of the file as it is written, its cells by column. */
export type SampleRow = { row: number; cells: ReadonlyMap<number, string> };

export type CsvSummary =
  | {
      kind: "read";
      /** Distinct right numbers. */
      goodCount: number;
      duplicateCount: number;
      wrongCount: number;
      /** The first 100. */
      wrong: WrongContact[];
      repaired?: RepairCounts | undefined;
      hasHeader: boolean;
      columns: ContactColumn[];
      /** What the columns were read as. */
      match: FileMatch;
      /** The first rows below the headings. */
      rows: SampleRow[];
      /** The sheets that hold rows, where there are several. */
      sheets: string[];
      /** Wrong rows as a CSV file, at most 100,000 of them; absent when none is wrong. */
      wrongFile?: Blob;
      /** The right numbers with their country code, one on each line, with fields as `writeTable` writes them; only for who wants them. */
      numbers?: string;
    }
  | { kind: "open-quote"; row: number }
  | { kind: "too-many" }
  | { kind: "no-text" };

/** As much of the file as is in memory at once, in bytes. */
const SLICE_BYTES = 1024 * 1024;
const WRONG_SHOWN_MAX = 100;
const WRONG_FILE_ROWS_MAX = 100_000;
const SAMPLE_ROWS_MAX = 5;
/** Headings stand below a title of so many rows at most. */
const TITLE_ROWS_MAX = 20;

type FileCells = {
  sheets: string[];
  sheet?: string | undefined;
  read: (take: (cell: CsvCell) => void) => Promise<{ openQuoteRow?: number | undefined }>;
};

export async function readCsv({
  file,
  code,
  rates,
  wish = {},
  takesFields = false,
  wantsNumbers = false,
}: CsvTask): Promise<CsvSummary> {
  let cells: FileCells | undefined;
  try {
    cells = await openCells(file, wish.sheet);
    if (cells === undefined) return { kind: "no-text" };
    const { numbers, fields = [] } = wish;
    const asked =
      numbers === undefined
        ? await guess(cells, { code, rates, takesFields, header: wish.header })
        : { ...wish, numbers, fields };
    const { read, rows, openQuoteRow } = await judge(cells, { code, rates, match: asked });
    if (openQuoteRow !== undefined) return { kind: "open-quote", row: openQuoteRow };
    // Columns are matched by number here.
    if (read.kind === "unknown-column") throw new Error(`There is no column ${read.column}`);
    if (read.kind !== "read") return read;
    const { sheets } = cells;
    return summarize(read, { match: asked, rows, sheets, wantsNumbers });
  } catch (error) {
    if (error instanceof TooMuchText) return { kind: "too-many" };
    // A workbook that is damaged, or an archive of something else.
    if (cells === undefined || (await beginning(file)).startsWith(ZIP_BEGINNING)) return { kind: "no-text" };
    throw error;
  }
}

type Judging = {
  code: string;
  rates: Rates;
  takesFields?: boolean;
  match?: FileMatch | undefined;
  header?: number | undefined;
};

async function guess(cells: FileCells, judging: Judging): Promise<FileMatch> {
  const header = judging.header ?? (await findHeader(cells));
  const { read } = await judge(cells, { ...judging, header });
  const columns = read.kind === "read" ? read.columns : [];
  return {
    numbers: columns.filter(({ isRead }) => isRead).map(({ column }) => column),
    fields: judging.takesFields === true ? guessFields(columns) : [],
    sheet: cells.sheet,
    header,
  };
}

async function findHeader(cells: FileCells): Promise<number | undefined> {
  const sample: CsvCell[] = [];
  await cells.read((cell) => {
    if (cell.row <= TITLE_ROWS_MAX) sample.push(cell);
  });
  return findLaterHeader(sample);
}

async function judge(cells: FileCells, { code, rates, match, header }: Judging) {
  const isMapped = match !== undefined && match.fields.length > 0 && match.numbers.length === 1;
  const reader = new ContactCellReader(code, {
    rates,
    wrongKeptMax: WRONG_FILE_ROWS_MAX,
    header: match?.header ?? header,
    ...(match !== undefined && { columns: match.numbers }),
    ...(isMapped && {
      mapping: {
        phoneNo: match.numbers[0] ?? 1,
        fields: Object.fromEntries(match.fields.map(({ key, column }) => [key, column])),
        header: match.header,
      },
    }),
  });
  const sample = new Map<number, Map<number, string>>();
  const first = match?.header ?? header ?? 1;
  const { openQuoteRow } = await cells.read((cell) => {
    // A row more than is shown: the heading is one of them.
    if (cell.row >= first && (sample.size <= SAMPLE_ROWS_MAX || sample.has(cell.row)))
      sample.set(cell.row, (sample.get(cell.row) ?? new Map<number, string>()).set(cell.column, cell.value));
    if (!reader.isTooMany) reader.take(cell);
  });
  const read = reader.finish();
  const hasHeader = read.kind === "read" && read.hasHeader;
  const rows = [...sample].map(([row, own]) => ({ row, cells: own })).slice(hasHeader ? 1 : 0, SAMPLE_ROWS_MAX + 1);
  return { read, rows, openQuoteRow };
}

type Read = Extract<ContactFileRead, { kind: "read" }>;
type Asked = { match: FileMatch; rows: SampleRow[]; sheets: string[]; wantsNumbers: boolean };

function summarize(read: Read, { match, rows, sheets, wantsNumbers }: Asked): CsvSummary {
  const { numbers, duplicateCount, wrongCount, wrong, hasHeader, columns, repaired, received } = read;
  const isRead = new Set(match.numbers);
  const summary = {
    kind: "read",
    goodCount: numbers.length,
    duplicateCount,
    wrongCount,
    wrong: wrong.slice(0, WRONG_SHOWN_MAX),
    ...(repaired && { repaired }),
    hasHeader,
    columns: columns.map((column) => ({ ...column, isRead: isRead.has(column.column) })),
    match,
    rows: rows.slice(0, SAMPLE_ROWS_MAX),
    sheets,
    ...(wantsNumbers && {
      numbers:
        received === undefined
          ? numbers.join("\n")
          : writeTable(numbers.length, (place) => [String(numbers[place]), ...valuesAt(received.rows, place)]),
    }),
  } as const;
  return wrongCount === 0
    ? summary
    : { ...summary, wrongFile: new Blob([writeWrongRows(wrong)], { type: "text/csv" }) };
}

async function openCells(file: Blob, sheet: string | undefined): Promise<FileCells | undefined> {
  if ((await beginning(file)).startsWith(ZIP_BEGINNING)) return await openWorkbook(file, sheet);
  const encoding = await findEncoding(file);
  if (encoding === undefined) return undefined;
  const isCards = VCARD_BEGINNING.test(new TextDecoder(encoding).decode(await file.slice(0, 1_000).arrayBuffer()));
  return {
    sheets: [],
    read: async (take) => {
      const cells = isCards ? new VcardCells(take) : new CsvCells(take);
      await readText(file, encoding, (text) => cells.add(text));
      cells.finish();
      return { openQuoteRow: cells instanceof CsvCells ? cells.openQuoteRow : undefined };
    },
  };
}

async function readText(file: Blob, encoding: string, take: (text: string) => void): Promise<void> {
  if (encoding === "windows-1252") {
    const mixed = new MixedDecoder();
    for await (const bytes of slicesOf(file)) take(mixed.decode(bytes));
    take(mixed.finish());
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const bytes of slicesOf(file)) take(decoder.decode(bytes, { stream: true }));
  take(decoder.decode());
}

async function openWorkbook(file: Blob, wanted: string | undefined): Promise<FileCells> {
  const workbook = new WorkbookReader(await openArchive(file));
  const filled = [];
  for (const sheet of await workbook.listSheets()) if (await workbook.holdsCells(sheet.path)) filled.push(sheet);
  const chosen = filled.find(({ name }) => name === wanted) ?? filled[0];
  return {
    ...(filled.length > 1 ? { sheets: filled.map(({ name }) => name), sheet: chosen?.name } : { sheets: [] }),
    read: async (take) => {
      if (chosen !== undefined) await workbook.readSheet(chosen.path, take);
      return {};
    },
  };
}

async function beginning(file: Blob): Promise<string> {
  return new TextDecoder("latin1").decode(await file.slice(0, ZIP_BEGINNING.length).arrayBuffer());
}

async function* slicesOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < file.size; start += SLICE_BYTES)
    yield new Uint8Array(await file.slice(start, start + SLICE_BYTES).arrayBuffer());
}

/** Other bytes than UTF-8's, wherever they stand, are an old program's: Windows-1252, of which every byte is a letter. */
async function findEncoding(file: Blob): Promise<string | undefined> {
  const encoding = detectCsvEncoding(new Uint8Array(await file.slice(0, SLICE_BYTES).arrayBuffer()));
  if (encoding !== "utf-8") return encoding;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const bytes of slicesOf(file)) decoder.decode(bytes, { stream: true });
    decoder.decode();
    return encoding;
  } catch (error) {
    if (error instanceof TypeError) return "windows-1252";
    throw error;
  }
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
