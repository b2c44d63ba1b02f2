/**
 * When promotional messages may leave. `openingFor` is the one decision of accepting, showing and listing; the engine makes the same one for
 * whole lanes (`engine/quiet-lanes.ts`), so a message that is held back anywhere is held back everywhere.
 */
import { findOpening, isOpenAt, type QuietHours, type QuietHoursBody } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { Queryable } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { publishChange, quietHoursChanged } from "../../../events/index.ts";
import { readLane, writeLane, type Lane } from "../queue/lanes.ts";
import { messageStateNumbers } from "../states.ts";
import {
  countOpenOfLanes,
  deleteQuietHours,
  lockQuietHours,
  notifyOfQuietHours,
  selectQuietHours,
  upsertQuietHours,
  type QuietHoursRow,
} from "./quiet-hours-store.ts";

type HoursDeps = Pick<Deps, "config">;

/** @returns the hours of every code that has some; none where this installation keeps none. */
export async function readQuietHours({ config }: HoursDeps, db: Queryable): Promise<readonly QuietHours[]> {
  return config.hasQuietHours ? await selectQuietHours(db) : [];
}

/** @returns when messages of a lane may leave next; undefined when they may at that moment. */
export function openingFor(hours: readonly QuietHours[], lane: Lane, at: Date): Date | undefined {
  if (!lane.waitsForHours) return undefined;
  const own = hours.find(({ code }) => code === lane.code);
  return own && findOpening(own, at);
}

/** What of a message decides whether hours hold it back. */
type Waiting = { lane: number; storedState: number; counts: { waiting: number }; sendAt: Date | undefined };

/** @returns when a message goes on, of one that waits for hours; of a scheduled one when it leaves, when that is after its time. */
export function deferralOf(hours: readonly QuietHours[], message: Waiting, now: Date): Date | undefined {
  const { lane, storedState, counts, sendAt } = message;
  if (storedState === messageStateNumbers.scheduled)
    return openingFor(hours, readLane(lane), sendAt !== undefined && sendAt > now ? sendAt : now);
  if (storedState !== messageStateNumbers.sending || counts.waiting === 0) return undefined;
  return openingFor(hours, readLane(lane), now);
}

/** Lanes whose messages may not leave at a moment: for lists of what waits. */
export function closedLanesAt(hours: readonly QuietHours[], at: Date): number[] {
  const closed = hours.filter((own) => !isOpenAt(own, at.getTime()));
  return closed.map(({ code }) => writeLane({ code, class: "promotional", waitsForHours: true }));
}

export type Deferred = { code: string; messages: number; recipients: number; until: Date };

/** What waits for quiet hours to end, code by code; nothing where this installation keeps no hours. */
export async function viewDeferred({ config, db, clock }: Pick<Deps, "config" | "db" | "clock">): Promise<Deferred[]> {
  const now = clock.now();
  const hours = await readQuietHours({ config }, db);
  const closed = closedLanesAt(hours, now);
  if (closed.length === 0) return [];
  return (await countOpenOfLanes(db, closed)).flatMap(({ lane, ...counts }) => {
    const until = openingFor(hours, readLane(lane), now);
    return until === undefined ? [] : [{ code: readLane(lane).code, ...counts, until }];
  });
}

export type { QuietHoursRow };

/** The hours of every code that has some, for administrators; also where this installation keeps none. */
export async function listQuietHours(db: Queryable): Promise<QuietHoursRow[]> {
  return await selectQuietHours(db);
}

type Act = { adminId: string; clientAddress: string };

/** An administrator gives a code its hours; they hold at once, for what waits and what runs, too. */
export async function setQuietHours(deps: Deps, body: QuietHoursBody, act: Act): Promise<QuietHoursRow> {
  return await withTransaction(deps.db, async (tx) => {
    const before = await lockQuietHours(tx, body.code);
    const row = await upsertQuietHours(
      tx,
      { ...body, quietHoursId: before?.quietHoursId ?? uuidv7() },
      deps.clock.now(),
    );
    const entry = { ...act, action: "set-quiet-hours", subjectId: row.quietHoursId, after: { ...body } };
    await deps.recordAudit(tx, { ...entry, ...(before && { before: auditOf(before) }) });
    await tell(tx);
    return row;
  });
}

/** @throws AppError `NOT_FOUND`. */
export async function removeQuietHours(deps: Deps, quietHoursId: string, act: Act): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const before = await deleteQuietHours(tx, quietHoursId);
    if (before === undefined) throw new AppError("NOT_FOUND");
    await deps.recordAudit(tx, {
      ...act,
      action: "remove-quiet-hours",
      subjectId: quietHoursId,
      before: auditOf(before),
    });
    await tell(tx);
  });
}

async function tell(tx: Queryable): Promise<void> {
  await notifyOfQuietHours(tx);
  await publishChange(tx, quietHoursChanged());
}

function auditOf({ quietHoursId: _quietHoursId, ...hours }: QuietHoursRow): Record<string, unknown> {
  return hours;
}
