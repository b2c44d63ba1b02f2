/** Which columns of a contact file are what: guessed by the file, changed by a person, and told to the server. */
import type { ContactColumn, ContactFileMapping } from "@ewebal/contract";
import { nameColumns, personalLimits, type ContactColumnName } from "@ewebal/contract/rules";

export type FileMatch = {
  /** Columns with phone numbers, from 1. */
  numbers: readonly number[];
  /** Columns that become fields; only where one column has the numbers. */
  fields: ReadonlyArray<ContactColumnName & { column: number }>;
  /** Of a workbook with several that hold rows. */
  sheet?: string | undefined;
  /** The row of the headings, where it is not the first. */
  header?: number | undefined;
};

/** What a person has chosen so far. */
export type FileWish = Partial<FileMatch>;

/** What a corrected file of wrong rows has behind its own columns. */
const REASON_HEADING = "reason";

/** @param columns as the file itself tells: one with numbers makes fields of the other ones that have a heading and contents. */
export function guessFields(columns: readonly ContactColumn[]): FileMatch["fields"] {
  if (columns.filter(({ isRead }) => isRead).length !== 1) return [];
  return nameFields(
    columns.filter(
      ({ isRead, name, sample }) => !isRead && name !== "" && sample !== "" && name.toLowerCase() !== REASON_HEADING,
    ),
  );
}

/** Gives columns their keys, in the order of the file; more than a catalog may have are left out. */
export function nameFields(columns: readonly ContactColumn[]): FileMatch["fields"] {
  const kept = columns.slice(0, personalLimits.catalogColumnsMax);
  const named = nameColumns(kept.map((column) => ({ label: labelOf(column) })));
  return kept.map(({ column }, place) => ({ column, key: "", label: "", ...named[place] }));
}

export function labelOf({ name, column }: Pick<ContactColumn, "name" | "column">): string {
  return name === "" ? `Column ${column}` : name;
}

/** @returns what the server is told; undefined where it guesses the same, or several columns have numbers. */
export function mappingOf({ numbers, fields, sheet, header }: FileMatch): ContactFileMapping | undefined {
  const [phoneNo] = numbers;
  if (phoneNo === undefined || numbers.length > 1) return undefined;
  if (fields.length === 0 && sheet === undefined && header === undefined) return undefined;
  return {
    phoneNo,
    ...(fields.length > 0 && { fields: Object.fromEntries(fields.map(({ key, column }) => [key, column])) }),
    ...(sheet !== undefined && { sheet }),
    ...(header !== undefined && { header }),
  };
}
