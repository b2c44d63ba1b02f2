import type { Queryable } from "../../../db/pool.ts";
import { CSV_START, csvLine, csvText } from "../../../http/csv-line.ts";
import type { Catalog } from "./catalog-store.ts";
import { streamChunks } from "./catalogs.ts";

/** Three columns of numbers to begin from, as the specification asks. */
export const CONTACTS_TEMPLATE = [
  ["2348030000001", "2348050000001", "2348070000001"],
  ["2348030000002", "2348050000002", "2348070000002"],
  ["2348030000003", "2348050000003", "2348070000003"],
]
  .map((row) => csvLine(row.map((number) => spell(number, "234"))))
  .join("");

/** All contacts of a catalog as CSV, one on each line under a heading, in constant memory; uploaded again it gives the same list. */
export async function* catalogCsv(db: Queryable, catalog: Catalog): AsyncGenerator<string> {
  const { code, columns } = catalog;
  // A spreadsheet reads the letters of names as UTF-8 when the file says so; digits need no such mark.
  yield (columns.length > 0 ? CSV_START : "") + csvLine(["phoneNo", ...columns.map(({ label }) => csvText(label))]);
  for await (const { phoneNos, fields } of streamChunks(db, catalog)) {
    const lines = phoneNos.map((number, place) =>
      csvLine([spell(number, code), ...columns.map(({ key }) => csvText(fields?.[key]?.[place] ?? ""))]),
    );
    yield lines.join("");
  }
}

/**
 * 234 803 000 0001: the spaces make it a text for spreadsheets. They turn bare digits into 2.34803E+12 and save that, and may
 * take a number that begins with a plus for a formula.
 */
function spell(number: string, code: string): string {
  return `${code} ${number.slice(code.length).replaceAll(/[0-9]{3}(?=[0-9]{3})/g, "$& ")}`;
}

/** @returns a `content-disposition` for a file named after the catalog, plain letters for old programs, all for new ones (RFC 6266). */
export function attachmentNamed(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9 ._-]/g, "_").trim() || "contacts";
  const whole = encodeURIComponent(`${name}.csv`).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}.csv"; filename*=UTF-8''${whole}`;
}
