/** The wrong rows of an uploaded file, kept for a day as a file that can be corrected and uploaded again. */
import type { WrongRow } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { Queryable } from "../../../db/pool.ts";
import { CSV_START, csvLine, csvText } from "../../../http/csv-line.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import { deleteWrongRowsBefore, findWrongRows, insertWrongRows } from "./wrong-rows-store.ts";

const WRONG_ROWS_KEEP_MS = 24 * 3_600_000;
/** As large as a file may be; rows beyond it are counted in the answer and not in the file. */
const CHARACTERS_MAX = 20 * 1024 * 1024;
const REASON_HEADING = "reason";

/** Collects wrong rows while a file is read. */
export class WrongRowsFile {
  readonly #rows: WrongRow[] = [];
  #characterCount = 0;

  add(row: WrongRow): void {
    if (this.#characterCount > CHARACTERS_MAX) return;
    for (const value of row.cells.values()) this.#characterCount += value.length;
    this.#rows.push(row);
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** @param headings of the file, by column; without any the reason alone is headed. */
  toCsv(headings: ReadonlyMap<number, string>): string {
    // A file that was corrected has this column already.
    const columns = new Set(headings.keys());
    for (const { cells } of this.#rows) for (const column of cells.keys()) columns.add(column);
    const shown = [...columns]
      .filter((column) => headings.get(column)?.trim().toLowerCase() !== REASON_HEADING)
      .toSorted((one, other) => one - other);
    const heading = csvLine([...shown.map((column) => csvText(headings.get(column) ?? "")), REASON_HEADING]);
    const lines = this.#rows.map(({ cells, reasons }) =>
      csvLine([...shown.map((column) => csvText(cells.get(column) ?? "")), reasons.join("; ")]),
    );
    return CSV_START + heading + lines.join("");
  }
}

/** @returns the address of the kept file. */
export async function keepWrongRows(deps: Pick<Deps, "db" | "clock">, userId: string, csv: string): Promise<string> {
  const wrongRowsId = uuidv7();
  await insertWrongRows(deps.db, { userId, wrongRowsId, csv, createdAt: deps.clock.now() });
  return `/api/${userId}/${wrongRowsId}/wrong-rows`;
}

/** @throws AppError `NOT_FOUND`, also after a day. */
export async function getWrongRows(
  deps: { db: Queryable; clock: Deps["clock"] },
  key: { userId: string; wrongRowsId: string },
): Promise<string> {
  const keptSince = new Date(deps.clock.now().getTime() - WRONG_ROWS_KEEP_MS);
  const csv = await findWrongRows(deps.db, { ...key, keptSince });
  if (csv === undefined) throw new AppError("NOT_FOUND");
  return csv;
}

/** Deletes kept rows that are over. Nothing depends on it: reading checks the time itself. */
export const cleanUpWrongRowsQueue: JobQueue = {
  name: "clean-up-wrong-rows",
  retriesMax: 3,
  retryDelaySeconds: 60,
  retryDelaySecondsMax: 600,
  runSecondsMax: 600,
  concurrency: 1,
  cron: "47 * * * *",
  handle: async ({ db, clock, log }: Pick<Deps, "db" | "clock" | "log">) => {
    const count = await deleteWrongRowsBefore(db, new Date(clock.now().getTime() - WRONG_ROWS_KEEP_MS));
    log.info({ count }, "cleared away kept wrong rows that were over");
  },
};
