/** All SQL of a message's breakdown: counting it from the deliveries, and keeping what was counted. */
import type { MessageCounts, OutcomeReason } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { deliveryStates, type DeliveryState } from "../states.ts";
import { NETWORK_PREFIX } from "./message-list-store.ts";

export type TimedOutcomes = { delivered: number; failed: number; dnd: number };

export type Breakdown = {
  /** The message's counts just before the rest was counted. */
  counts: MessageCounts;
  /** False when deliveries of the message were removed before they were counted: then the rest is not all of them. */
  isKept: boolean;
  /** The width of a point, in seconds. */
  stepSeconds: number;
  /** One after the other from the first outcome on, those without one included. `at` is where it begins, in seconds from 1970. */
  points: ({ at: number } & TimedOutcomes)[];
  /** The last of the outcomes, far behind the others: a step that had room for them would show nothing of the others. */
  later: TimedOutcomes;
  /** Recipients that were handed over, by likely network, the largest first. */
  networks: ({ network: string } & Record<HandedState, number>)[];
  /** Why recipients did not get it, the most frequent first. */
  failures: { kind: OutcomeReason; count: number; carrierCodes: string[] }[];
};

/** What became of recipients that were not left out. */
export type HandedState = Exclude<DeliveryState, "optedOut">;

type MessageKey = { userId: string; messageId: string };

/** @returns what was counted last; undefined before the first time. */
export async function findBreakdown(
  db: Queryable,
  key: MessageKey,
): Promise<{ countedAt: Date; breakdown: Breakdown } | undefined> {
  const { rows } = await db.query<{ countedAt: Date; breakdown: Breakdown }>(
    `select counted_at as "countedAt", breakdown from message_breakdown
     where user_id = $1 and message_id = $2 and breakdown is not null`,
    [key.userId, key.messageId],
  );
  return rows[0];
}

/** @returns whether the caller is to count now: nobody has begun to since `since`. */
export async function claimBreakdown(
  db: Queryable,
  key: MessageKey,
  times: { now: Date; since: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into message_breakdown (user_id, message_id, claimed_at) values ($1, $2, $3)
     on conflict (user_id, message_id) do update set claimed_at = excluded.claimed_at where message_breakdown.claimed_at <= $4`,
    [key.userId, key.messageId, times.now, times.since],
  );
  return rowCount === 1;
}

export async function putBreakdown(
  db: Queryable,
  key: MessageKey,
  counted: { countedAt: Date; breakdown: Breakdown },
): Promise<void> {
  await db.query(
    `update message_breakdown set counted_at = $3, breakdown = $4 where user_id = $1 and message_id = $2`,
    [key.userId, key.messageId, counted.countedAt, counted.breakdown],
  );
}

/** The least width of a bar, in seconds. */
export const BIN_SECONDS = 5;

/** One group of recipients: by network (`prefix` as `NETWORK_PREFIX`) or by time (`at` is seconds from 1970); the other is null. */
export type DeliveryGroup = { prefix: number | null; at: number | null; state: number; count: number };

/**
 * Its cost grows with the recipients of the message: about 1 s for 1,000,000.
 *
 * @param tx adds up in memory from here on: the planner takes the few groups for millions, and sorts all rows twice (4.2 s, not 1.9 s).
 */
export async function selectDeliveryGroups(tx: Tx, key: MessageKey): Promise<DeliveryGroup[]> {
  await tx.query("set local enable_sort = off");
  const { rows } = await tx.query<DeliveryGroup>(
    `select prefix, extract(epoch from bin)::bigint as at, state, count(*) as count
     from (
       select ${NETWORK_PREFIX} as prefix, date_bin('${BIN_SECONDS} seconds', updated_at, 'epoch') as bin, state
       from delivery where user_id = $1 and message_id = $2 and state <> ${deliveryStates.optedOut}
     ) as recipient
     group by grouping sets ((prefix, state), (bin, state))`,
    [key.userId, key.messageId],
  );
  return rows;
}

export type FailureGroup = { errorCode: string | null; state: number; count: number };

/** Why recipients did not get the message, the most frequent codes first. What a carrier writes is its own; so many at most. */
export async function selectFailureGroups(db: Queryable, key: MessageKey, limit: number): Promise<FailureGroup[]> {
  const { rows } = await db.query<FailureGroup>(
    `select error_code as "errorCode", state, count(*) as count from delivery
     where user_id = $1 and message_id = $2 and state in (${deliveryStates.failed}, ${deliveryStates.dnd}, ${deliveryStates.unknown})
     group by error_code, state order by count(*) desc, error_code limit $3`,
    [key.userId, key.messageId, limit],
  );
  return rows;
}
