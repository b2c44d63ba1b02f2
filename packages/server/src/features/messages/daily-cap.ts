import type { Tx } from "../../db/transaction.ts";
import { AppError } from "../../errors.ts";
import { deleteCap, hasCap, upsertCap, useCap } from "./cap-store.ts";

/** The day of the customers, most of whom are here; it has no summer time. */
const DAY_TIME_ZONE = "Africa/Lagos";
const DAY_FORMAT = new Intl.DateTimeFormat("en-CA", { timeZone: DAY_TIME_ZONE, dateStyle: "short" });

/**
 * Counts a send towards the customer's limit for a country, where there is one. What a limit counts begins with its first
 * send after it was set; sends that are given up later stay counted.
 *
 * @param send recipients that will be sent to.
 * @throws AppError `LIMIT_REACHED` when they do not fit into today.
 */
export async function countTowardsCap(tx: Tx, send: { userId: string; code: string; recipients: number; now: Date }): Promise<void> {
  if (send.recipients === 0 || !(await hasCap(tx, send))) return;
  const isWithin = await useCap(tx, send, { recipients: send.recipients, day: DAY_FORMAT.format(send.now) });
  if (!isWithin) throw new AppError("LIMIT_REACHED", { message: `Your account's daily limit for numbers with ${send.code} is reached` });
}

/** @param cap recipientsMax undefined lifts the limit. */
export async function setDailyCap(tx: Tx, cap: { userId: string; code: string; recipientsMax: number | undefined }): Promise<void> {
  if (cap.recipientsMax === undefined) await deleteCap(tx, cap);
  else await upsertCap(tx, cap, cap.recipientsMax);
}
