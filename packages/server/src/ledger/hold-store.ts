/** The statements that settle holds in bulk (charges and releases, refunds), and the one that reads how holds ended. */
import { isDistributed, ONE_SERVER } from "../db/distribution.ts";
import type { Queryable } from "../db/pool.ts";
import { numberArray, textArray } from "../db/sql-array.ts";
import type { Tx } from "../db/transaction.ts";
import { lockAccounts } from "./store.ts";

export type MoveRow = { userId: string; holdId: string; chargeMilli: number; releaseMilli: number; journalId: string };

/**
 * Charges and releases units of holds: a charge writes a journal, a release adds to the free units. The accounts are locked first, and only
 * then is it seen what other transactions did to them.
 *
 * @param moves each hold once.
 * @returns how many holds had enough left. If that is not all of them, the caller must roll back.
 */
export async function updateHolds(tx: Tx, moves: MoveRow[]): Promise<number> {
  if (isDistributed(tx)) return await updateHoldsByCustomer(tx, moves);
  const { rows } = await tx.query<{ moved: number }>({
    name: "ledger_update_holds",
    text: `${ONE_SERVER} select move_holds($1, $2, $3, $4, $5) as moved`,
    values: holdColumns(moves),
  });
  return rows[0]?.moved ?? 0;
}

/** @returns the parameters of `move_holds`. */
export function holdColumns(moves: readonly MoveRow[]): string[] {
  return [
    textArray(moves.map((move) => move.userId)),
    textArray(moves.map((move) => move.holdId)),
    numberArray(moves.map((move) => move.chargeMilli)),
    numberArray(moves.map((move) => move.releaseMilli)),
    textArray(moves.map((move) => move.journalId)),
  ];
}

/**
 * The same in a cluster, whose servers each take a part of that statement one after the other: for each customer four short ones that go to
 * one server.
 */
async function updateHoldsByCustomer(tx: Tx, moves: MoveRow[]): Promise<number> {
  await lockAccounts(
    tx,
    moves.map((move) => move.userId),
  );
  let movedCount = 0;
  for (const [userId, own] of Map.groupBy(moves, (move) => move.userId)) {
    const { rows: moved } = await tx.query<MovedHold>({
      name: "ledger_update_holds_of_customer",
      text: `
        with wanted as (
          select * from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::uuid[]) as w (hold_id, charge_milli, release_milli, journal_id)
        )
        update hold h
        set captured_milli = h.captured_milli + w.charge_milli, released_milli = h.released_milli + w.release_milli,
          charge_count = h.charge_count + (w.charge_milli > 0)::int
        from wanted w
        where h.user_id = $1 and h.hold_id = w.hold_id and h.open_milli >= w.charge_milli + w.release_milli
        returning h.hold_id as "holdId", h.captured_milli as "capturedMilli", h.charge_count as "chargeCount",
          w.charge_milli as "chargeMilli", w.release_milli as "releaseMilli", w.journal_id as "journalId"`,
      values: [
        userId,
        own.map((move) => move.holdId),
        own.map((move) => move.chargeMilli),
        own.map((move) => move.releaseMilli),
        own.map((move) => move.journalId),
      ],
    });
    movedCount += moved.length;
    // The caller rolls back when one is missing.
    if (moved.length < own.length) continue;
    await chargeAccount(tx, userId, moved);
  }
  return movedCount;
}

type MovedHold = {
  holdId: string;
  capturedMilli: number;
  chargeCount: number;
  chargeMilli: number;
  releaseMilli: number;
  journalId: string;
};

/** Takes the units off the account and writes the journals of those holds that are charged. */
async function chargeAccount(tx: Tx, userId: string, moved: readonly MovedHold[]): Promise<void> {
  const charged = moved
    .filter(({ chargeMilli }) => chargeMilli > 0)
    .toSorted((one, other) => (one.holdId < other.holdId ? -1 : 1));
  const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
  const { rows } = await tx.query<{ number: number; balanceMilli: number }>({
    name: "ledger_charge_account",
    text: `
      update ledger_account
      set balance_milli = balance_milli - $2::bigint, held_milli = held_milli - $2::bigint - $3::bigint, journal_count = journal_count + $4::integer
      where user_id = $1
      returning journal_count - $4::integer as number, balance_milli + $2::bigint as "balanceMilli"`,
    values: [
      userId,
      sum(charged.map(({ chargeMilli }) => chargeMilli)),
      sum(moved.map(({ releaseMilli }) => releaseMilli)),
      charged.length,
    ],
  });
  const [before] = rows;
  if (before === undefined || charged.length === 0) return;
  let balanceMilli = before.balanceMilli;
  await tx.query({
    name: "ledger_post_charges",
    text: `
      insert into journal (user_id, number, journal_id, kind, reference, hold_id, hold_total_milli, balance_after_milli, created_at)
      select $1::uuid, number, journal_id, 'charge', reference, hold_id, captured_milli, balance_milli, clock_timestamp()
      from unnest($2::bigint[], $3::uuid[], $4::text[], $5::uuid[], $6::bigint[], $7::bigint[])
        as charged (number, journal_id, reference, hold_id, captured_milli, balance_milli)`,
    values: [
      userId,
      charged.map((_, index) => before.number + index + 1),
      charged.map(({ journalId }) => journalId),
      charged.map(({ holdId, chargeCount }) => `${holdId}:${chargeCount}`),
      charged.map(({ holdId }) => holdId),
      charged.map(({ capturedMilli }) => capturedMilli),
      charged.map(({ chargeMilli }) => (balanceMilli -= chargeMilli)),
    ],
  });
  await tx.query({
    name: "ledger_enter_charges",
    text: `
      insert into journal_entry (user_id, number, account, amount_milli)
      select $1::uuid, number, account, case account when 'customer' then -charge_milli else charge_milli end
      from unnest($2::bigint[], $3::bigint[]) as charged (number, charge_milli), unnest('{customer,sales}'::text[]) as account`,
    values: [
      userId,
      charged.map((_, index) => before.number + index + 1),
      charged.map(({ chargeMilli }) => chargeMilli),
    ],
  });
}

export type RefundRow = { userId: string; holdId: string; reference: string; amountMilli: number; journalId: string };

/**
 * Refunds units of charged recipients, and skips references that were refunded before. An earlier statement must have locked the
 * accounts. Only then does this one see every committed refund.
 *
 * @param refunds each reference once.
 * @returns what this call refunded, for each hold.
 */
export async function insertRefunds(
  tx: Tx,
  refunds: RefundRow[],
): Promise<{ userId: string; holdId: string; refundedMilli: number }[]> {
  const { rows } = await tx.query<{ userId: string; holdId: string; refundedMilli: number }>(
    `with wanted as (
       select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::uuid[])
         as w (user_id, hold_id, reference, amount_milli, journal_id)
     ), fresh as materialized (
       select w.*, a.journal_count + row_number() over of_account as number,
         (a.balance_milli + sum(w.amount_milli) over of_account)::bigint as balance_after_milli,
         (h.refunded_milli + sum(w.amount_milli) over of_hold)::bigint as hold_total_milli, clock_timestamp() as created_at
       from ledger_account a join wanted w on w.user_id = a.user_id left join hold h on h.user_id = a.user_id and h.hold_id = w.hold_id
       where not exists (
         select 1 from journal j where j.user_id = a.user_id and j.kind = 'refund' and j.reference = w.reference
       )
       window of_account as (partition by a.user_id order by w.hold_id, w.reference),
         of_hold as (partition by a.user_id, w.hold_id order by w.reference)
     ), posted as (
       insert into journal (user_id, number, journal_id, kind, reference, hold_id, hold_total_milli, balance_after_milli, created_at)
       select user_id, number, journal_id, 'refund', reference, hold_id, hold_total_milli, balance_after_milli, created_at from fresh
     ), entered as (
       insert into journal_entry (user_id, number, account, amount_milli)
       select user_id, number, 'customer', amount_milli from fresh
       union all
       select user_id, number, 'refunds', -amount_milli from fresh
     ), of_hold as (
       select user_id, hold_id, sum(amount_milli)::bigint as amount_milli, min(number) as first_number
       from fresh group by user_id, hold_id
     ), refunded as (
       update hold h
       set refunded_milli = h.refunded_milli + o.amount_milli, refund_id = coalesce(h.refund_id, f.journal_id),
         refunded_at = coalesce(h.refunded_at, f.created_at)
       from of_hold o join fresh f on f.user_id = o.user_id and f.number = o.first_number
       where h.user_id = o.user_id and h.hold_id = o.hold_id
     ), settled as (
       update ledger_account a set balance_milli = a.balance_milli + t.amount_milli, journal_count = a.journal_count + t.journal_count
       from (select user_id, sum(amount_milli)::bigint as amount_milli, count(*) as journal_count from fresh group by user_id) t
       where a.user_id = t.user_id
     )
     select user_id as "userId", hold_id as "holdId", amount_milli as "refundedMilli" from of_hold order by user_id, hold_id`,
    [
      refunds.map((refund) => refund.userId),
      refunds.map((refund) => refund.holdId),
      refunds.map((refund) => refund.reference),
      refunds.map((refund) => refund.amountMilli),
      refunds.map((refund) => refund.journalId),
    ],
  );
  return rows;
}

/** Where the units of one hold are, in thousandths. The three add up to the amount that was set aside. */
export type HoldOutcome = {
  /** Paid for good: charged, and not refunded since. */
  chargedMilli: number;
  /** Set aside, because it is not known yet whether a carrier takes the recipient. */
  reservedMilli: number;
  /** Back among the free units: released or refunded. */
  returnedMilli: number;
};

/** Without a hold nothing was set aside: a message whose every number was skipped has none. */
const NOTHING_HELD: HoldOutcome = { chargedMilli: 0, reservedMilli: 0, returnedMilli: 0 };

/**
 * Reads what became of holds: one look into the primary key for each.
 *
 * @param keys the customer and the hold of each thing that was paid for; `holdId` is undefined where nothing was set aside.
 * @returns one outcome for each key, in their order.
 */
export async function readHoldOutcomes(
  db: Queryable,
  keys: readonly { userId: string; holdId: string | undefined }[],
): Promise<HoldOutcome[]> {
  const held = keys.filter(({ holdId }) => holdId !== undefined);
  if (held.length === 0) return keys.map(() => NOTHING_HELD);
  const { rows } = await db.query<HoldOutcome & { userId: string; holdId: string }>(
    `select user_id as "userId", hold_id as "holdId", captured_milli - refunded_milli as "chargedMilli",
       open_milli as "reservedMilli", released_milli + refunded_milli as "returnedMilli"
     from hold join unnest($1::uuid[], $2::uuid[]) as asked (user_id, hold_id) using (user_id, hold_id)`,
    [held.map(({ userId }) => userId), held.map(({ holdId }) => holdId)],
  );
  const found = new Map(rows.map(({ userId, holdId, ...outcome }) => [`${userId} ${holdId}`, outcome]));
  return keys.map(({ userId, holdId }) => found.get(`${userId} ${holdId}`) ?? NOTHING_HELD);
}
