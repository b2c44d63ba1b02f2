export type Row = Record<string, string | number>;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints rows as a table of the documents. */
export function printTable(title: string, rows: Row[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: (string | number | undefined)[]): string =>
    `| ${cells.map((cell) => format(cell)).join(" | ")} |`;
  say(`\n### ${title}\n`);
  say(line(columns));
  say(`|${columns.map(() => "---|").join("")}`);
  for (const row of rows) say(line(columns.map((column) => row[column])));
}

function format(cell: string | number | undefined): string {
  return typeof cell === "number" ? cell.toLocaleString("en", { maximumFractionDigits: 2 }) : (cell ?? "");
}

/** @param share 0.5 for the median. @returns the value below which that share of the values lies. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
