/** All SQL about deposits. */
import type { DepositState } from "@ewebal/contract";
import { selectOwnedSummaries, type OwnedSummary } from "../../../db/owned-summary.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";

export type DepositKey = { userId: string; depositId: string };

export type Deposit = DepositKey & {
  userName: string;
  email: string;
  depositorName: string;
  amountKobo: number;
  phoneNo: string;
  tellerId: string;
  /** YYYY-MM-DD. */
  transactionDate: string;
  bank: string;
  fileId: string;
  extension: "pdf" | "jpg" | "png";
  contentType: string;
  isFlagged: boolean;
  state: DepositState;
  /** Null unless a credit waits for a second administrator. */
  approvalId: string | null;
  proposedUnits: number | null;
  proposedBy: string | null;
  proposedByName: string | null;
  proposedAt: Date | null;
  creditedMilli: number | null;
  reason: string;
  decidedByName: string | null;
  decidedAt: Date | null;
  hiddenAt: Date | null;
  createdAt: Date;
};

const SELECT_DEPOSIT = `
  select d.user_id as "userId", d.deposit_id as "depositId", u.user_name as "userName", u.email, d.depositor_name as "depositorName",
    d.amount_kobo as "amountKobo", d.phone_no as "phoneNo", d.teller_id as "tellerId", d.transaction_date as "transactionDate", d.bank,
    d.file_id as "fileId", f.extension, f.content_type as "contentType", d.is_flagged as "isFlagged", d.state,
    p.approval_id as "approvalId", (p.details ->> 'units')::bigint as "proposedUnits", p.asked_by as "proposedBy",
    proposer.admin_name as "proposedByName", p.created_at as "proposedAt",
    d.credited_milli as "creditedMilli", d.reason, decider.admin_name as "decidedByName", d.decided_at as "decidedAt",
    d.hidden_at as "hiddenAt", d.created_at as "createdAt"
  from deposit d
  join app_user u on u.user_id = d.user_id
  join stored_file f on f.user_id = d.user_id and f.file_id = d.file_id
  left join approval p on p.kind = 'deposit' and p.subject_key = d.deposit_id::text and p.state = 'waiting'
  left join admin proposer on proposer.admin_id = p.asked_by
  left join admin decider on decider.admin_id = d.decided_by`;

export type DepositFilter = {
  /** Undefined: everybody's. */
  userId: string | undefined;
  /** Whether to list what customers have deleted from their own lists. */
  isHiddenListed: boolean;
  state: DepositState | undefined;
  search: string | undefined;
  from: string | undefined;
  to: string | undefined;
  isFlaggedOnly: boolean;
  /** The id that the last page ended with. */
  after: string | undefined;
  limit: number;
};

/** Newest first: the ids are in order of time. */
export async function selectDeposits(db: Queryable, filter: DepositFilter): Promise<Deposit[]> {
  const { rows } = await db.query<Deposit>(
    `${SELECT_DEPOSIT}
     where ($1::uuid is null or d.user_id = $1)
       and ($2::boolean or d.hidden_at is null)
       and ($3::text is null or d.state = $3)
       and ($4::text is null or strpos(lower(concat_ws(' ', d.depositor_name, d.teller_id, d.phone_no, u.user_name, u.email)), lower($4)) > 0)
       and ($5::date is null or d.transaction_date >= $5)
       and ($6::date is null or d.transaction_date <= $6)
       and (not $7::boolean or d.is_flagged)
       and ($8::uuid is null or d.deposit_id < $8)
     order by d.deposit_id desc
     limit $9`,
    [
      filter.userId ?? null,
      filter.isHiddenListed,
      filter.state ?? null,
      filter.search ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.isFlaggedOnly,
      filter.after ?? null,
      filter.limit,
    ],
  );
  return rows;
}

export async function findDeposit(db: Queryable, depositId: string): Promise<Deposit | undefined> {
  const { rows } = await db.query<Deposit>(`${SELECT_DEPOSIT} where d.deposit_id = $1`, [depositId]);
  return rows[0];
}

/** Whoever decides, asks or withdraws holds the row until the transaction ends. */
export async function lockDeposit(tx: Tx, key: DepositKey): Promise<Deposit | undefined> {
  const { rows } = await tx.query<Deposit>(
    `${SELECT_DEPOSIT} where d.user_id = $1 and d.deposit_id = $2 for no key update of d`,
    [key.userId, key.depositId],
  );
  return rows[0];
}

export type NewDeposit = DepositKey & {
  depositorName: string;
  amountKobo: number;
  phoneNo: string;
  tellerId: string;
  tellerKey: string;
  transactionDate: string;
  bank: string;
  fileId: string;
  receiptHash: Buffer;
  isFlagged: boolean;
  createdAt: Date;
};

export async function insertDeposit(tx: Tx, deposit: NewDeposit): Promise<void> {
  await tx.query(
    `insert into deposit (user_id, deposit_id, depositor_name, amount_kobo, phone_no, teller_id, teller_key, transaction_date, bank,
       file_id, receipt_hash, is_flagged, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      deposit.userId,
      deposit.depositId,
      deposit.depositorName,
      deposit.amountKobo,
      deposit.phoneNo,
      deposit.tellerId,
      deposit.tellerKey,
      deposit.transactionDate,
      deposit.bank,
      deposit.fileId,
      deposit.receiptHash,
      deposit.isFlagged,
      deposit.createdAt,
    ],
  );
}

/** Waits for other reports of the same receipt or teller id; all callers sort `keys` the same way. */
export async function lockDuplicates(tx: Tx, lockClass: number, keys: readonly number[]): Promise<void> {
  for (const key of keys) await tx.query(`select pg_advisory_xact_lock($1, $2)`, [lockClass, key]);
}

/**
 * Flags every deposit with this receipt or teller id, one after the other in key order: others' reports may share the one with some of them,
 * and the other with others. The caller holds `lockDuplicates`.
 *
 * @returns whether there is one.
 */
export async function flagDuplicates(tx: Tx, marks: { receiptHash: Buffer; tellerKey: string }): Promise<boolean> {
  const { rows } = await tx.query<DepositKey & { isFlagged: boolean }>(
    `select user_id as "userId", deposit_id as "depositId", is_flagged as "isFlagged" from deposit
     where receipt_hash = $1 or teller_key = $2 order by user_id, deposit_id`,
    [marks.receiptHash, marks.tellerKey],
  );
  for (const { userId, depositId } of rows.filter(({ isFlagged }) => !isFlagged))
    await tx.query("update deposit set is_flagged = true where user_id = $1 and deposit_id = $2", [userId, depositId]);
  return rows.length > 0;
}

const DUPLICATES_SHOWN_MAX = 20;

export type DepositDuplicate = DepositKey & {
  userName: string;
  state: DepositState;
  isSameReceipt: boolean;
  isSameTeller: boolean;
  createdAt: Date;
};

/** Other deposits with the receipt or teller id of this one, newest first; 20 at most, since nobody would read more. */
export async function selectDuplicates(db: Queryable, key: DepositKey): Promise<DepositDuplicate[]> {
  const { rows: marks } = await db.query<{ receiptHash: Buffer; tellerKey: string }>(
    'select receipt_hash as "receiptHash", teller_key as "tellerKey" from deposit where user_id = $1 and deposit_id = $2',
    [key.userId, key.depositId],
  );
  if (marks[0] === undefined) return [];
  const { rows } = await db.query<DepositDuplicate>(
    `select d.user_id as "userId", d.deposit_id as "depositId", u.user_name as "userName", d.state,
       d.receipt_hash = $1 as "isSameReceipt", d.teller_key = $2 as "isSameTeller", d.created_at as "createdAt"
     from deposit d join app_user u using (user_id)
     where (d.receipt_hash = $1 or d.teller_key = $2) and d.deposit_id <> $3
     order by d.deposit_id desc
     limit $4`,
    [marks[0].receiptHash, marks[0].tellerKey, key.depositId, DUPLICATES_SHOWN_MAX],
  );
  return rows;
}

export type DecisionRow =
  | { state: "verified"; creditedMilli: number; adminId: string; now: Date }
  | { state: "declined"; reason: string; adminId: string; now: Date };

/** @returns false when the deposit is not pending. */
export async function updateDecision(tx: Tx, key: DepositKey, decision: DecisionRow): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update deposit set state = $3, credited_milli = $4, reason = $5, decided_by = $6, decided_at = $7,
       proposed_milli = null, proposed_by = null, proposed_at = null
     where user_id = $1 and deposit_id = $2 and state = 'pending'`,
    [
      key.userId,
      key.depositId,
      decision.state,
      decision.state === "verified" ? decision.creditedMilli : null,
      decision.state === "declined" ? decision.reason : "",
      decision.adminId,
      decision.now,
    ],
  );
  return rowCount === 1;
}

/** Hides a deposit from its customer; one that is pending is withdrawn. */
export async function updateHidden(tx: Tx, key: DepositKey, now: Date): Promise<void> {
  await tx.query(
    `update deposit set hidden_at = $3,
       state = case when state = 'pending' then 'withdrawn' else state end,
       decided_at = case when state = 'pending' then $3 else decided_at end,
       proposed_milli = null, proposed_by = null, proposed_at = null
     where user_id = $1 and deposit_id = $2`,
    [key.userId, key.depositId, now],
  );
}

/** For each of these customers, the newest ids and the count of the deposits they see. */
export async function selectDepositSummaries(
  db: Queryable,
  userIds: string[],
  idsMax: number,
): Promise<OwnedSummary[]> {
  const seen = { table: "deposit", idColumn: "deposit_id", condition: "hidden_at is null" };
  return await selectOwnedSummaries(db, seen, userIds, idsMax);
}

/** Counts all reported deposits, also those that their customers deleted from their own lists. */
export async function countDeposits(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>("select count(*) as count from deposit");
  return rows[0]?.count ?? 0;
}

export async function countWaitingDeposits(db: Queryable): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await db.query<{ count: number; oldestAt: Date | null }>(
    `select count(*) as count, min(created_at) as "oldestAt" from deposit where state = 'pending'`,
  );
  return rows[0] ?? { count: 0, oldestAt: null };
}

/** Undecided deposits after the cursor, oldest first. */
export async function selectWaitingDeposits(
  db: Queryable,
  page: { afterTime: Date; afterId: string; limit: number },
): Promise<{ id: string; amountKobo: number; userName: string; email: string; isFlagged: boolean; createdAt: Date }[]> {
  const { rows } = await db.query<{
    id: string;
    amountKobo: number;
    userName: string;
    email: string;
    isFlagged: boolean;
    createdAt: Date;
  }>(
    `select d.deposit_id as id, d.amount_kobo as "amountKobo", u.user_name as "userName", u.email, d.is_flagged as "isFlagged", d.created_at as "createdAt"
     from deposit d join app_user u using (user_id)
     where d.state = 'pending' and (date_trunc('milliseconds', d.created_at), d.deposit_id) > ($1, $2)
     order by date_trunc('milliseconds', d.created_at), d.deposit_id limit $3`,
    [page.afterTime, page.afterId, page.limit],
  );
  return rows;
}
