import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { SQL_STATE, sqlStateOf } from "../../../db/sql-state.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import {
  countOpenMessages,
  cutNumbers,
  detachMonth,
  dropMonth,
  exportsOf,
  hasDeliverySince,
  isEmptyMonth,
  Month,
  moveOutOfDefault,
  noteExport,
  readExportOf,
  selectMonths,
} from "./old-months-store.ts";

const DETACH_TRIES_MAX = 300;
const DETACH_PAUSE_MS = 1_000;

/** Writes CSV files, given as the statements that copy them out, and @returns the name they can be found by. */
export type WriteMonth = (month: string, copies: Readonly<Record<string, string>>) => Promise<string>;

export type OldMonth = {
  month: string;
  /** `removed`, or why it stays: `open` while recipients of so many messages wait, `reporting` while reports may still come. */
  outcome: "removed" | "open" | "reporting";
  openMessages: number;
};

/**
 * Removes what became of each recipient, and the numbers, of months that are older than is kept. What a message cost, its counts and its text stay; where its
 * recipients stood they read "No longer kept".
 *
 * Each month is first taken out of the tables, then written, then cut and dropped. A run that is killed is taken up where it was by
 * the next one, and what was not written is never dropped.
 *
 * @param client a session without time limits, of nobody else.
 * @param monthsKept full months before the current one.
 * @param write must have stored everything when it returns.
 */
export async function removeOldMonths(
  client: Client,
  { now, monthsKept, write }: { now: Date; monthsKept: number; write: WriteMonth },
): Promise<OldMonth[]> {
  const firstKept = Month.of(now).plus(-monthsKept);
  const months = (await selectMonths(client)).filter((month) => month.isBefore(firstKept));
  const reportsSince = new Date(now.getTime() - deliveryTimesMs.reportAge);
  const outcomes: OldMonth[] = [];
  for (const month of months) {
    const openMessages = await countOpenMessages(client, month);
    const isReporting = openMessages === 0 && (await hasDeliverySince(client, month, reportsSince));
    const outcome = openMessages > 0 ? "open" : isReporting ? "reporting" : "removed";
    if (outcome === "removed") await removeMonth(client, month, write);
    outcomes.push({ month: month.label, outcome, openMessages });
  }
  return outcomes;
}

async function removeMonth(client: Client, month: Month, write: WriteMonth): Promise<void> {
  await detachPatiently(client, month);
  await moveOutOfDefault(client, month);
  if (!(await isEmptyMonth(client, month)) && (await readExportOf(client, month)) === undefined)
    await noteExport(client, month, await write(month.label, exportsOf(month)));
  await cutNumbers(client, month);
  await dropMonth(client, month);
}

async function detachPatiently(client: Client, month: Month): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await detachMonth(client, month);
    } catch (error) {
      if (sqlStateOf(error) !== SQL_STATE.lockNotAvailable || tried >= DETACH_TRIES_MAX) throw error;
      await sleep(DETACH_PAUSE_MS);
    }
  }
}
