import {
  causesOfKind,
  idSchema,
  type ListQuery,
  lagosDate,
  lagosDayStart,
  type StatementKind,
  timeSchema,
} from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { cursorError, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import {
  type DayBalance,
  listMovements,
  type Movement,
  type MovementFilter,
  type MovementPosition,
  selectDayBalances,
} from "../../../ledger/index.ts";
import { selectFullNames } from "../../accounts/index.ts";
import { selectSenders } from "../../delivery/index.ts";

/** A month in Lagos, `2026-03`, and a kind of movement; without them, all. */
export type StatementFilter = { month?: string | undefined; kind?: StatementKind | undefined };

export function toMovementFilter({ month, kind }: StatementFilter): MovementFilter {
  return {
    ...(month !== undefined && {
      from: lagosDayStart(`${month}-01`),
      to: lagosDayStart(`${nextMonth(month)}-01`),
    }),
    ...(kind !== undefined && { causes: causesOfKind[kind] }),
  };
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

/**
 * One page of a customer's statement, newest first. Without a filter the first line's balance is what is available now, and each
 * line's balance is the next line's plus its own units; a filter leaves lines out and changes no balance.
 *
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function viewStatement(
  db: Queryable,
  userId: string,
  query: ListQuery & StatementFilter,
): Promise<{ rows: Movement[]; next: string | null }> {
  const after = readCursor(query.after);
  const filter = toMovementFilter(query);
  return await readPage(
    query.limit,
    (limit) => listMovements(db, userId, { limit, ...(after && { after }), ...filter }),
    cursorOf,
  );
}

function cursorOf({ at, movementId }: MovementPosition): string {
  return `${at}_${movementId}`;
}

function readCursor(cursor: string | undefined): MovementPosition | undefined {
  if (cursor === undefined) return undefined;
  const [at, movementId, rest] = cursor.split("_");
  const isOurs = timeSchema.safeParse(at).success && idSchema.safeParse(movementId).success && rest === undefined;
  if (!isOurs || at === undefined || movementId === undefined) throw cursorError();
  return { at, movementId };
}

/** Which member sent each message of these lines, by the message's id. */
export async function findSenders(
  db: Queryable,
  userId: string,
  rows: readonly Movement[],
): Promise<Map<string, string>> {
  const messageIds = rows
    .filter(({ cause, reference }) => cause === "message" && idSchema.safeParse(reference).success)
    .map(({ reference }) => reference);
  const senders = await selectSenders(db, userId, messageIds);
  const names = await selectFullNames(db, [...new Set(senders.map(({ sentBy }) => sentBy))]);
  return new Map(senders.map(({ messageId, sentBy }) => [messageId, names.get(sentBy) ?? ""]));
}

const DAY_MS = 86_400_000;
/** How many days are shown where no month is asked for; today is the last. */
const RECENT_DAYS = 30;

/** The available units at the end of each day of the month, or of the last 30 days, up to today. 0.3 s for 100,000 messages in them. */
export async function viewBalanceByDay(
  { db, clock }: Pick<Deps, "db" | "clock">,
  userId: string,
  month: string | undefined,
): Promise<DayBalance[]> {
  const now = clock.now();
  const today = lagosDate(now);
  if (month === undefined) {
    const first = lagosDate(new Date(now.getTime() - (RECENT_DAYS - 1) * DAY_MS));
    return await selectDayBalances(db, userId, { first, last: today });
  }
  const monthEnd = new Date(Date.parse(`${nextMonth(month)}-01`) - DAY_MS).toISOString().slice(0, 10);
  return await selectDayBalances(db, userId, { first: `${month}-01`, last: monthEnd < today ? monthEnd : today });
}
