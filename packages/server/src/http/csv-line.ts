/** How every download for spreadsheets is written: RFC 4180, each cell quoted, in UTF-8. */

/** Spreadsheets run a cell that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** For a spreadsheet to read the letters as UTF-8. */
export const CSV_START = "\uFEFF";

export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\r\n`;
}

/** What people wrote: an apostrophe makes a spreadsheet show it instead of running it. */
export function csvText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** 234 803 000 0001: of bare digits a spreadsheet makes 2.34803E+12, and what begins with a plus it takes for a formula. Empty for a number that is no longer kept. */
export function csvPhoneNo(phoneNo: number | null, code: string): string {
  if (phoneNo === null) return "";
  const local = String(phoneNo).slice(code.length);
  return `${code} ${local.replaceAll(/[0-9]{3}(?=[0-9]{3})/g, "$& ")}`;
}
