/**
 * A list of numbers with fields, as one text: a line for each, JSON of the number and the values in the order of their keys. A text is kept, handed to
 * a worker and dropped as a whole; objects of a hundred thousand people would make the page stutter.
 */

/** The number, then values by key; nothing known is null. */
export type TableRow = readonly (string | null)[];

export function writeTable(rowCount: number, rowAt: (place: number) => TableRow): string {
  const lines: string[] = [];
  for (let place = 0; place < rowCount; place += 1) lines.push(JSON.stringify(rowAt(place)));
  return lines.join("\n");
}

export function readTable(text: string, onRow: (row: TableRow) => void): void {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    onRow(JSON.parse(text.slice(start, stop)) as TableRow);
    start = stop + 1;
  }
}
