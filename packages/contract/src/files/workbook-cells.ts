/**
 * The cells of a workbook (.xlsx), read as its XML arrives (saxes, which knows no entities of a document's own). Who unpacks the archive is the
 * caller's matter: the server streams it from a file, the browser unpacks with what it has.
 */
import { SaxesParser, type SaxesTagPlain } from "saxes";
import type { CsvCell } from "../rules/files/csv-cells.ts";

/** How a ZIP archive begins, which a workbook is. */
export const ZIP_BEGINNING = "PK\u0003\u0004";
/** Longer texts are no field and no list of numbers of ours. */
const TEXT_CHARACTERS_MAX = 100_000;
/** Texts that cells share are kept while a sheet is read. */
const SHARED_CHARACTERS_MAX = 64 * 1024 * 1024;

/** The unpacked entries of the archive. */
export type WorkbookEntries = {
  has: (path: string) => boolean;
  /** Gives the text of an entry, piece by piece. An error that `take` throws ends the reading. */
  read: (path: string, take: (text: string) => void) => Promise<void>;
};

export type Sheet = { name: string; path: string };

/** More shared text than a list of contacts has. */
export class TooMuchText extends Error {}

/** Tells that enough was read. */
class Enough extends Error {}

export class WorkbookReader {
  readonly #entries: WorkbookEntries;
  #shared: string[] | undefined;
  /** Of each cell style, whether it shows a number as a date. */
  #dateStyles: readonly boolean[] | undefined;
  #isFrom1904 = false;

  constructor(entries: WorkbookEntries) {
    this.#entries = entries;
  }

  /** @throws Error for what is no whole workbook. */
  async listSheets(): Promise<Sheet[]> {
    const targets = new Map<string, string>();
    await this.#parse("xl/_rels/workbook.xml.rels", {
      onOpen: ({ name, attributes }) => {
        if (localName(name) === "Relationship") targets.set(attributes["Id"] ?? "", attributes["Target"] ?? "");
      },
    });
    const sheets: Sheet[] = [];
    await this.#parse("xl/workbook.xml", {
      onOpen: ({ name, attributes }) => {
        const local = localName(name);
        if (local === "workbookPr") this.#isFrom1904 = isTrue(attributes["date1904"]);
        if (local !== "sheet") return;
        const target = targets.get(attributes["r:id"] ?? attributes["id"] ?? "");
        if (target === undefined) return;
        const path = target.startsWith("/") ? target.slice(1) : `xl/${target.replace(/^\.\//, "")}`;
        sheets.push({ name: attributes["name"] ?? "", path });
      },
    });
    return sheets.filter(({ path }) => path.includes("worksheets"));
  }

  async holdsCells(path: string): Promise<boolean> {
    try {
      await this.readSheet(path, () => {
        throw new Enough();
      });
      return false;
    } catch (error) {
      if (error instanceof Enough) return true;
      throw error;
    }
  }

  /**
   * @param onCell called for each cell that holds more than white space, row by row. An error that it throws ends the reading.
   * @throws `TooMuchText`, and Error for what is no whole workbook.
   */
  async readSheet(path: string, onCell: (cell: CsvCell) => void): Promise<void> {
    const shared = await this.#readShared();
    const dateStyles = await this.#readDateStyles();
    let row = 0;
    let column = 0;
    let type = "n";
    let isDate = false;
    let value = "";
    let isValue = false;
    await this.#parse(path, {
      onOpen: ({ name, attributes }) => {
        const local = localName(name);
        if (local === "row") {
          row = Number(attributes["r"] ?? row + 1);
          column = 0;
        } else if (local === "c") {
          column = columnOf(attributes["r"]) ?? column + 1;
          type = attributes["t"] ?? "n";
          isDate = dateStyles[Number(attributes["s"] ?? -1)] ?? false;
          value = "";
        } else if (local === "v" || local === "t") isValue = true;
      },
      onText: (text) => {
        if (isValue && value.length < TEXT_CHARACTERS_MAX) value += text;
      },
      onClose: (name) => {
        const local = localName(name);
        if (local === "v" || local === "t") isValue = false;
        if (local !== "c") return;
        const text = isDate && type === "n" ? dateOf(value, this.#isFrom1904) : textOf(type, value, shared);
        if (text.trim() !== "") onCell({ row, column, value: text });
      },
    });
  }

  /** Texts that cells name by their place. */
  async #readShared(): Promise<string[]> {
    if (this.#shared !== undefined) return this.#shared;
    const shared: string[] = [];
    let text = "";
    let characters = 0;
    let isText = false;
    let phoneticDepth = 0;
    if (this.#entries.has("xl/sharedStrings.xml"))
      await this.#parse("xl/sharedStrings.xml", {
        onOpen: ({ name }) => {
          const local = localName(name);
          if (local === "si") text = "";
          if (local === "rPh") phoneticDepth += 1;
          isText = local === "t" && phoneticDepth === 0;
        },
        onText: (part) => {
          if (isText && text.length < TEXT_CHARACTERS_MAX) text += part;
        },
        onClose: (name) => {
          const local = localName(name);
          if (local === "rPh") phoneticDepth -= 1;
          if (local === "t") isText = false;
          if (local !== "si") return;
          characters += text.length;
          if (characters > SHARED_CHARACTERS_MAX) throw new TooMuchText();
          shared.push(text);
        },
      });
    this.#shared = shared;
    return shared;
  }

  /** Which cell styles show a number as a date. */
  async #readDateStyles(): Promise<readonly boolean[]> {
    if (this.#dateStyles !== undefined) return this.#dateStyles;
    const ownFormats = new Map<number, boolean>();
    const styles: boolean[] = [];
    let isInCells = false;
    if (this.#entries.has("xl/styles.xml"))
      await this.#parse("xl/styles.xml", {
        onOpen: ({ name, attributes }) => {
          const local = localName(name);
          if (local === "numFmt")
            ownFormats.set(Number(attributes["numFmtId"]), isDateFormat(attributes["formatCode"] ?? ""));
          if (local === "cellXfs") isInCells = true;
          if (local !== "xf" || !isInCells) return;
          const format = Number(attributes["numFmtId"] ?? 0);
          styles.push(ownFormats.get(format) ?? ((format >= 14 && format <= 17) || format === 22));
        },
        onClose: (name) => {
          if (localName(name) === "cellXfs") isInCells = false;
        },
      });
    this.#dateStyles = styles;
    return styles;
  }

  async #parse(path: string, { onOpen, onText, onClose }: XmlHandlers): Promise<void> {
    const parser = new SaxesParser();
    parser.on("opentag", (tag) => onOpen(tag));
    parser.on("closetag", ({ name }) => onClose?.(name));
    if (onText !== undefined) {
      parser.on("text", onText);
      parser.on("cdata", onText);
    }
    await this.#entries.read(path, (text) => parser.write(text));
    parser.close();
  }
}

type XmlHandlers = {
  onOpen: (tag: SaxesTagPlain) => void;
  onText?: (text: string) => void;
  onClose?: (name: string) => void;
};

/** Some programs write a prefix before every name. */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === "1" || attribute === "true";
}

/** "BC12" is column 55. */
function columnOf(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined;
  let column = 0;
  for (const letter of reference) {
    const place = letter.charCodeAt(0) - 64;
    if (place < 1 || place > 26) break;
    column = column * 26 + place;
  }
  return column === 0 ? undefined : column;
}

/** What a spreadsheet shows of a number; its file may have 0.30000000000000004. */
const SHOWN_DIGITS = 15;

/** A whole number is its exact value, however the XML writes it: 2.348030000001E12 is 2348030000001. */
function textOf(type: string, value: string, shared: readonly string[]): string {
  if (type === "s") return shared[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type !== "n" || value === "") return value;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return String(number);
  const isShort = Number.isFinite(number) && Math.abs(number) < 1e15 && Math.abs(number) >= 1e-6;
  return isShort ? String(Number(number.toPrecision(SHOWN_DIGITS))) : value;
}

/** Letters of a day, a month's name or a year, outside of quoted words and of brackets. (ECMA-376 part 1, 18.8.30 and 18.8.31) */
function isDateFormat(code: string): boolean {
  return /[dy]/i.test(code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, ""));
}

const DAY_MS = 86_400_000;
const DAYS_FROM_1904 = 1_462;

/** Days since the end of 1899, which counts a 29 February 1900 that never was. @returns DD/MM/YYYY, as dates are written in Nigeria. */
function dateOf(value: string, isFrom1904: boolean): string {
  const days = Number(value) + (isFrom1904 ? DAYS_FROM_1904 : 0);
  if (value === "" || !(days >= 61 && days < 2_958_466)) return value;
  const iso = new Date(Date.UTC(1899, 11, 30) + Math.round(days * DAY_MS)).toISOString();
  const day = `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`;
  const time = iso.slice(11, 16);
  return time === "00:00" ? day : `${day} ${time}`;
}
