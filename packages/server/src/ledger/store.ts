/** The SQL that moves units. Every function expects an open transaction. The operations beside this file hold the rules. */
import { isDistributed, ONE_SERVER } from "../db/distribution.ts";
import type { Queryable } from "../db/pool.ts";
import type { Tx } from "../db/transaction.ts";

export type AccountRow = { balanceMilli: number; heldMilli: number; freeMilli: number };

export type JournalKind = "card_payment" | "bank_deposit" | "manual_credit" | "reversal" | "transfer";
/** Accounts of the business. What a customer gains, one of these loses. */
export type SystemAccount = "card_clearing" | "bank_clearing" | "manual_credit" | "transfers";

const BALANCE_COLUMNS = `
  balance_milli as "balanceMilli", held_milli as "heldMilli", balance_milli - held_milli as "freeMilli"`;

export async function findAccount(db: Queryable, userId: string): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>({
    name: "ledger_account",
    text: `select ${BALANCE_COLUMNS} from ledger_account where user_id = $1`,
    values: [userId],
  });
  return rows[0];
}

export async function findAccounts(db: Queryable, userIds: string[]): Promise<(AccountRow & { userId: string })[]> {
  const { rows } = await db.query<AccountRow & { userId: string }>(
    `select user_id as "userId", ${BALANCE_COLUMNS} from ledger_account where user_id = any ($1::uuid[])`,
    [userIds],
  );
  return rows;
}

export async function insertAccount(tx: Tx, userId: string): Promise<void> {
  await tx.query(`insert into ledger_account (user_id) values ($1) on conflict (user_id) do nothing`, [userId]);
}

/**
 * Waits for every other transaction that moves units of these customers. Later statements see what those did. All callers lock in
 * one order, so that none deadlock.
 *
 * @returns how many of these customers have an account.
 */
export async function lockAccounts(tx: Tx, userIds: string[]): Promise<number> {
  // A cluster locks rows of one customer at a time.
  const steps = isDistributed(tx) ? [...new Set(userIds)].toSorted().map((userId) => [userId]) : [userIds];
  let count = 0;
  for (const step of steps) {
    const { rowCount } = await tx.query(
      step.length === 1
        ? {
            name: "ledger_lock_account",
            text: `select from ledger_account where user_id = $1 for no key update`,
            values: step,
          }
        : {
            name: "ledger_lock_accounts",
            text: `${ONE_SERVER} select from ledger_account where user_id = any ($1::uuid[]) order by user_id for no key update`,
            values: [step],
          },
    );
    count += rowCount ?? 0;
  }
  return count;
}

export type JournalRow = {
  journalId: string;
  number: number;
  /** What the customer gained; negative for what was taken. */
  amountMilli: number;
  createdAt: Date;
};

export async function findJournal(
  tx: Tx,
  key: { userId: string; kind: JournalKind; reference: string },
): Promise<JournalRow | undefined> {
  const { rows } = await tx.query<JournalRow>(
    `select j.journal_id as "journalId", j.number, e.amount_milli as "amountMilli", j.created_at as "createdAt"
     from journal j join journal_entry e on e.user_id = j.user_id and e.number = j.number and e.account = 'customer'
     where j.user_id = $1 and j.kind = $2 and j.reference = $3`,
    [key.userId, key.kind, key.reference],
  );
  return rows[0];
}

/** @returns how much of a top-up has been taken back, 0 or more. */
export async function sumReversals(tx: Tx, key: { userId: string; reversesNumber: number }): Promise<number> {
  const { rows } = await tx.query<{ takenMilli: number }>(
    `select coalesce(-sum(e.amount_milli), 0)::bigint as "takenMilli"
     from journal j join journal_entry e on e.user_id = j.user_id and e.number = j.number and e.account = 'customer'
     where j.user_id = $1 and j.reverses_number = $2`,
    [key.userId, key.reversesNumber],
  );
  return rows[0]?.takenMilli ?? 0;
}

export type JournalToPost = {
  userId: string;
  journalId: string;
  kind: JournalKind;
  reference: string;
  reversesNumber: number | null;
  note: string | null;
  /** What the customer gains, and the account loses. */
  amountMilli: number;
  account: SystemAccount;
};

/**
 * Writes a journal that is not about a send, with both its entries, and changes the balance. The account must be locked.
 *
 * @returns undefined when too few units are free. Then nothing is written.
 */
export async function postJournal(tx: Tx, journal: JournalToPost): Promise<(JournalRow & AccountRow) | undefined> {
  const { rows } = await tx.query<JournalRow & AccountRow>(
    `with account as (
       update ledger_account set balance_milli = balance_milli + $7::bigint, journal_count = journal_count + 1
       where user_id = $1 and balance_milli - held_milli + $7::bigint >= 0
       returning user_id, journal_count, balance_milli, held_milli
     ), posted as (
       insert into journal (user_id, number, journal_id, kind, reference, reverses_number, note, balance_after_milli, created_at)
       select user_id, journal_count, $2, $3, $4, $5, $6, balance_milli, clock_timestamp() from account
       returning user_id, number, created_at
     ), entered as (
       insert into journal_entry (user_id, number, account, amount_milli)
       select user_id, number, 'customer', $7::bigint from posted union all select user_id, number, $8, -$7::bigint from posted
     )
     select $2::uuid as "journalId", posted.number, $7::bigint as "amountMilli", posted.created_at as "createdAt", ${BALANCE_COLUMNS}
     from posted join account using (user_id)`,
    [
      journal.userId,
      journal.journalId,
      journal.kind,
      journal.reference,
      journal.reversesNumber,
      journal.note,
      journal.amountMilli,
      journal.account,
    ],
  );
  return rows[0];
}

export type HoldKey = { userId: string; holdId: string };

/**
 * Takes the units and opens the hold in one statement. The statement waits for the account's row and then checks the newest
 * balance. A balance that was read earlier could be spent twice.
 *
 * @returns undefined when too few units are free. `opened: false` when the hold exists: then the units were taken twice, and the
 *   caller calls `giveBackHeld`.
 */
export async function takeHeld(
  tx: Tx,
  hold: HoldKey & { amountMilli: number; freezeReference: string | null; sendId: string | null },
): Promise<(AccountRow & { opened: boolean }) | undefined> {
  const { rows } = await tx.query<AccountRow & { opened: boolean }>({
    name: "ledger_take_held",
    text: `with taken as (
       update ledger_account set held_milli = held_milli + $3::bigint
       where user_id = $1 and balance_milli - held_milli >= $3::bigint
       returning user_id, balance_milli, held_milli
     ), opened as (
       insert into hold (user_id, hold_id, amount_milli, freeze_reference, send_id, created_at)
       select user_id, $2, $3::bigint, $4, $5::uuid, clock_timestamp() from taken
       on conflict (user_id, hold_id) do nothing
       returning hold_id
     )
     select ${BALANCE_COLUMNS}, exists (select 1 from opened) as opened from taken`,
    values: [hold.userId, hold.holdId, hold.amountMilli, hold.freezeReference, hold.sendId],
  });
  return rows[0];
}

/**
 * `takeHeld` for several new sends of one customer: all of them, or none.
 *
 * @returns undefined when too few units are free for all of them. `openedCount`: how many holds did not exist before.
 */
export async function takeHeldOfAll(
  tx: Tx,
  { userId, holds }: { userId: string; holds: readonly { holdId: string; amountMilli: number }[] },
): Promise<(AccountRow & { openedCount: number }) | undefined> {
  const { rows } = await tx.query<AccountRow & { openedCount: number }>({
    name: "ledger_take_held_of_all",
    text: `with taken as (
       update ledger_account set held_milli = held_milli + $4::bigint
       where user_id = $1 and balance_milli - held_milli >= $4::bigint
       returning user_id, balance_milli, held_milli
     ), opened as (
       insert into hold (user_id, hold_id, amount_milli, created_at)
       select user_id, hold_id, amount_milli, clock_timestamp()
       from taken cross join unnest($2::uuid[], $3::bigint[]) as new (hold_id, amount_milli)
       on conflict (user_id, hold_id) do nothing
       returning hold_id
     )
     select ${BALANCE_COLUMNS}, (select count(*) from opened)::integer as "openedCount" from taken`,
    values: [
      userId,
      holds.map(({ holdId }) => holdId),
      holds.map(({ amountMilli }) => amountMilli),
      holds.reduce((sum, { amountMilli }) => sum + amountMilli, 0),
    ],
  });
  return rows[0];
}

export async function giveBackHeld(tx: Tx, hold: { userId: string; amountMilli: number }): Promise<void> {
  await tx.query(`update ledger_account set held_milli = held_milli - $2::bigint where user_id = $1`, [
    hold.userId,
    hold.amountMilli,
  ]);
}

export type HoldRow = { amountMilli: number; openMilli: number };

export async function findHold(tx: Tx, key: HoldKey): Promise<HoldRow | undefined> {
  const { rows } = await tx.query<HoldRow>(
    `select amount_milli as "amountMilli", open_milli as "openMilli" from hold where user_id = $1 and hold_id = $2`,
    [key.userId, key.holdId],
  );
  return rows[0];
}
