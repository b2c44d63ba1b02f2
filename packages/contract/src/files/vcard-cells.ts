/**
 * The telephone numbers of vCards (2.1 with quoted-printable, 3.0, 4.0 with `tel:` addresses, folded lines), as rows of a table: FN, TEL, ORG,
 * EMAIL, a row for each TEL. No well-kept reader of the registry takes the 2.1 that phones still write.
 */
import type { CsvCell } from "../rules/files/csv-cells.ts";

const HEADINGS = ["FN", "TEL", "ORG", "EMAIL"];
const LINE_CHARACTERS_MAX = 1_000_000;

/** How a file of cards begins, whatever its name says. */
export const VCARD_BEGINNING = /^\s*BEGIN:VCARD/i;

type Card = { name: string; fullName: string; phones: string[]; organisation: string; email: string };

/** Reads cards text by text. */
export class VcardCells {
  readonly #onCell: (cell: CsvCell) => void;
  #rest = "";
  #line = "";
  #row = 1;
  #card: Card | undefined;

  constructor(onCell: (cell: CsvCell) => void) {
    this.#onCell = onCell;
    this.#tellRow(HEADINGS);
  }

  add(text: string): void {
    this.#rest += text;
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
  }

  finish(): void {
    this.#take(this.#rest);
    this.#endLine();
  }

  #take(line: string): void {
    const isFolded = line.startsWith(" ") || line.startsWith("\t");
    // Quoted-printable goes on after an equals sign at the end.
    const isSoft = this.#line.endsWith("=") && /;ENCODING=QUOTED-PRINTABLE|;QUOTED-PRINTABLE/i.test(this.#line);
    if (this.#line.length < LINE_CHARACTERS_MAX && (isFolded || isSoft)) {
      this.#line = isSoft ? this.#line.slice(0, -1) + line : this.#line + line.slice(1);
      return;
    }
    this.#endLine();
    this.#line = line;
  }

  #endLine(): void {
    const colon = findColon(this.#line);
    const property = this.#line.slice(0, colon);
    const written = this.#line.slice(colon + 1);
    this.#line = "";
    if (colon === -1) return;
    const [name = "", ...parameters] = property.split(";");
    const value = decodeValue(written, parameters);
    const plainName = name.slice(name.lastIndexOf(".") + 1).toUpperCase();
    if (plainName === "BEGIN") this.#card = { name: "", fullName: "", phones: [], organisation: "", email: "" };
    else if (plainName === "END") this.#endCard();
    else this.#takeProperty(plainName, value);
  }

  #takeProperty(name: string, value: string): void {
    const card = this.#card;
    if (card === undefined) return;
    if (name === "FN") card.fullName ||= unescape(value);
    else if (name === "N") card.name ||= nameOf(value);
    else if (name === "TEL") card.phones.push(unescape(value).replace(/^tel:/i, "").replace(/;.*$/, ""));
    else if (name === "ORG")
      card.organisation ||= splitParts(value)
        .filter((part) => part !== "")
        .join(", ");
    else if (name === "EMAIL") card.email ||= unescape(value);
  }

  #endCard(): void {
    const card = this.#card;
    this.#card = undefined;
    if (card === undefined) return;
    for (const phone of card.phones) this.#tellRow([card.fullName || card.name, phone, card.organisation, card.email]);
  }

  #tellRow(values: readonly string[]): void {
    for (const [index, value] of values.entries())
      if (value.trim() !== "") this.#onCell({ row: this.#row, column: index + 1, value });
    this.#row += 1;
  }
}

/** A colon may stand in a quoted parameter. */
function findColon(line: string): number {
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index];
    if (character === '"') isQuoted = !isQuoted;
    if (character === ":" && !isQuoted) return index;
  }
  return -1;
}

const encoder = new TextEncoder();

function decodeValue(value: string, parameters: readonly string[]): string {
  const plain = parameters.map((parameter) => parameter.toUpperCase());
  if (!plain.some((parameter) => parameter.endsWith("QUOTED-PRINTABLE"))) return value;
  const bytes: number[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const code = /^=[0-9A-F]{2}$/i.test(value.slice(index, index + 3)) ? value.slice(index + 1, index + 3) : undefined;
    if (code === undefined) bytes.push(...encoder.encode(value[index] ?? ""));
    else {
      bytes.push(Number.parseInt(code, 16));
      index += 2;
    }
  }
  const charset = plain.find((parameter) => parameter.startsWith("CHARSET="))?.slice("CHARSET=".length);
  const isOld = charset !== undefined && /^(?:ISO-8859-1|WINDOWS-1252)$/.test(charset);
  return new TextDecoder(isOld ? "windows-1252" : "utf-8").decode(Uint8Array.from(bytes));
}

function unescape(value: string): string {
  return value.replaceAll(/\\(.)/g, (_pair, character: string) =>
    character === "n" || character === "N" ? " " : character,
  );
}

function splitParts(value: string): string[] {
  return value.split(/(?<!\\);/).map((part) => unescape(part).trim());
}

/** Family name; given name; further names. */
function nameOf(value: string): string {
  const [family = "", given = "", further = ""] = splitParts(value);
  return [given, further, family].filter((part) => part !== "").join(" ");
}
