/** What is known of a catalog's contacts beside their numbers. */
import { valuesAt, type ContactColumnName, type ValueRows } from "@ewebal/contract";
import { AppError } from "../../../base/errors.ts";
import type { ChunkFields } from "./chunk-store.ts";

/** What was received of numbers: row by row the values of these keys. */
export type ReceivedFields = { keys: readonly string[]; rows: ValueRows };

type WithColumns = { columns: readonly ContactColumnName[] };

/** @returns every key of the catalog for one contact of a chunk; undefined in a catalog without columns. */
export function fieldsAt(
  { columns }: WithColumns,
  fields: ChunkFields | null | undefined,
  place: number,
): Record<string, string> | undefined {
  if (columns.length === 0) return undefined;
  return Object.fromEntries(columns.map(({ key }) => [key, fields?.[key]?.[place] ?? ""]));
}

/** @throws AppError `VALIDATION` that names each field whose key is no column, by its path. */
export function refuseUnknownKeys({ columns }: WithColumns, given: Record<string, unknown>, path: string): void {
  const unknown = Object.keys(given).filter((key) => !columns.some((column) => column.key === key));
  if (unknown.length === 0) return;
  throw new AppError("VALIDATION", {
    fields: Object.fromEntries(unknown.map((key) => [`${path}.${key}`, "is not a column of this catalog"])),
  });
}

/** Writes the given values of one contact into what is known of a chunk. @returns whether any of them was another one before. */
export function putFields(fields: ChunkFields, place: number, given: Readonly<Record<string, string>>): boolean {
  let isChanged = false;
  for (const [key, value] of Object.entries(given)) {
    if ((fields[key]?.[place] ?? "") === value) continue;
    const known = (fields[key] ??= []);
    while (known.length < place) known.push("");
    known[place] = value;
    isChanged = true;
  }
  return isChanged;
}

/** @returns what was received of the number at the index, by key. */
export function receivedAt({ keys, rows }: ReceivedFields, index: number): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [place, value] of valuesAt(rows, index).entries()) {
    const key = keys[place];
    if (key !== undefined && value !== null) given[key] = value;
  }
  return given;
}
