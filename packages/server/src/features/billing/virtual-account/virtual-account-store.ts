/** All SQL about account numbers of customers, and what was transferred to them. */
import type { Queryable } from "../../../db/pool.ts";
import type { BankAccount } from "../payments/paystack/paystack-accounts.ts";

type AccountKey = { userId: string; isSandbox: boolean };

/** Whom the provider opens an account number for. */
export async function findHolder(
  db: Queryable,
  userId: string,
): Promise<{ email: string; fullName: string; phoneNo: string } | undefined> {
  const { rows } = await db.query<{ email: string; fullName: string; phoneNo: string }>(
    `select email, full_name as "fullName", phone_no as "phoneNo" from app_user where user_id = $1`,
    [userId],
  );
  return rows[0];
}

/** @returns undefined also while the provider is asked. */
export async function findVirtualAccount(
  db: Queryable,
  { userId, isSandbox }: AccountKey,
): Promise<BankAccount | undefined> {
  const { rows } = await db.query<BankAccount>(
    `select bank, account_name as "accountName", account_number as "accountNumber" from virtual_account
     where user_id = $1 and is_sandbox = $2 and account_number is not null`,
    [userId, isSandbox],
  );
  return rows[0];
}

/** @returns true for the one who may ask the provider; another may from `staleBefore` on, when nothing came of it. */
export async function claimOpening(
  db: Queryable,
  { userId, isSandbox, now, staleBefore }: AccountKey & { now: Date; staleBefore: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into virtual_account as own (user_id, is_sandbox, opening_at) values ($1, $2, $3)
     on conflict (user_id, is_sandbox) do update set opening_at = $3 where own.account_number is null and own.opening_at < $4`,
    [userId, isSandbox, now, staleBefore],
  );
  return rowCount === 1;
}

export async function saveVirtualAccount(
  db: Queryable,
  { userId, isSandbox }: AccountKey,
  { bank, accountName, accountNumber }: BankAccount,
): Promise<void> {
  await db.query(
    `update virtual_account set bank = $3, account_name = $4, account_number = $5
     where user_id = $1 and is_sandbox = $2 and account_number is null`,
    [userId, isSandbox, bank, accountName, accountNumber],
  );
}

/** Nothing was opened: the next request may ask at once. */
export async function releaseOpening(db: Queryable, { userId, isSandbox }: AccountKey): Promise<void> {
  await db.query("delete from virtual_account where user_id = $1 and is_sandbox = $2 and account_number is null", [
    userId,
    isSandbox,
  ]);
}

/** For what the provider reports, which names the number only. */
export async function findAccountOwner(
  db: Queryable,
  { accountNumber, isSandbox }: { accountNumber: string; isSandbox: boolean },
): Promise<string | undefined> {
  const { rows } = await db.query<{ userId: string }>(
    `select user_id as "userId" from virtual_account where account_number = $1 and is_sandbox = $2`,
    [accountNumber, isSandbox],
  );
  return rows[0]?.userId;
}

export async function hasVirtualAccounts(db: Queryable, isSandbox: boolean): Promise<boolean> {
  const { rows } = await db.query(
    "select user_id from virtual_account where account_number is not null and is_sandbox = $1 limit 1",
    [isSandbox],
  );
  return rows.length > 0;
}

export async function isTransferCredited(
  db: Queryable,
  { userId, reference }: { userId: string; reference: string },
): Promise<boolean> {
  const { rows } = await db.query("select user_id from account_transfer where user_id = $1 and reference = $2", [
    userId,
    reference,
  ]);
  return rows.length > 0;
}

export type AccountTransfer = {
  userId: string;
  reference: string;
  amountKobo: number;
  feeKobo: number;
  isSandbox: boolean;
  providerId: string | null;
  creditedAt: Date;
};

/** A second caller waits for the first. @returns false when it was credited before. */
export async function insertTransfer(tx: Queryable, transfer: AccountTransfer): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into account_transfer (user_id, reference, amount_kobo, fee_kobo, is_sandbox, provider_id, credited_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (user_id, reference) do nothing`,
    [
      transfer.userId,
      transfer.reference,
      transfer.amountKobo,
      transfer.feeKobo,
      transfer.isSandbox,
      transfer.providerId,
      transfer.creditedAt,
    ],
  );
  return rowCount === 1;
}
