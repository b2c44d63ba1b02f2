/** All SQL about the sandbox's transactions. */
import type { Queryable } from "../../../../db/pool.ts";

export type SandboxStatus = "abandoned" | "failed" | "success";

export type SandboxTransaction = {
  accessCode: string;
  reference: string;
  email: string;
  amountKobo: number;
  callbackUrl: string;
  status: SandboxStatus;
  createdAt: Date;
  paidAt: Date | null;
  /** The card that paid is declined when it is charged again. */
  declinesLater: boolean;
  /** Where a transfer went; null for a card. */
  accountNumber: string | null;
  feeKobo: number;
};

const COLUMNS = `access_code as "accessCode", reference, email, amount_kobo as "amountKobo", callback_url as "callbackUrl", status,
  created_at as "createdAt", paid_at as "paidAt", declines_later as "declinesLater",
  account_number as "accountNumber", fee_kobo as "feeKobo"`;

/** @returns false for a reference that was used before. */
export async function insertSandboxTransaction(
  db: Queryable,
  transaction: Omit<SandboxTransaction, "declinesLater" | "accountNumber" | "feeKobo"> &
    Partial<Pick<SandboxTransaction, "accountNumber" | "feeKobo">>,
): Promise<boolean> {
  const { accessCode, reference, email, amountKobo, callbackUrl, status, createdAt, paidAt, accountNumber, feeKobo } =
    transaction;
  const { rowCount } = await db.query(
    `insert into sandbox_transaction (access_code, reference, email, amount_kobo, callback_url, status, created_at, paid_at, account_number, fee_kobo)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    [
      accessCode,
      reference,
      email,
      amountKobo,
      callbackUrl,
      status,
      createdAt,
      paidAt,
      accountNumber ?? null,
      feeKobo ?? 0,
    ],
  );
  return rowCount === 1;
}

export async function findSandboxByReference(
  db: Queryable,
  reference: string,
): Promise<SandboxTransaction | undefined> {
  const { rows } = await db.query<SandboxTransaction>(
    `select ${COLUMNS} from sandbox_transaction where reference = $1`,
    [reference],
  );
  return rows[0];
}

export async function findSandboxByAccessCode(
  db: Queryable,
  accessCode: string,
): Promise<SandboxTransaction | undefined> {
  const { rows } = await db.query<SandboxTransaction>(
    `select ${COLUMNS} from sandbox_transaction where access_code = $1`,
    [accessCode],
  );
  return rows[0];
}

/** A paid transaction stays paid. @returns whether something changed. */
export async function decideSandboxTransaction(
  db: Queryable,
  accessCode: string,
  { status, declinesLater, now }: { status: "failed" | "success"; declinesLater: boolean; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sandbox_transaction set status = $2, paid_at = case when $2 = 'success' then $3::timestamptz end, declines_later = $4
     where access_code = $1 and status <> 'success'`,
    [accessCode, status, now, declinesLater],
  );
  return rowCount === 1;
}

/** Newest first. */
export async function selectPaidSandboxTransactions(
  db: Queryable,
  { from, limit, offset }: { from: Date; limit: number; offset: number },
): Promise<SandboxTransaction[]> {
  const { rows } = await db.query<SandboxTransaction>(
    `select ${COLUMNS} from sandbox_transaction where status = 'success' and created_at >= $1
     order by created_at desc, access_code limit $2 offset $3`,
    [from, limit, offset],
  );
  return rows;
}

export type SandboxAccount = { accountNumber: string; customerCode: string; email: string };

export async function findSandboxAccount(
  db: Queryable,
  key: { accountNumber?: string; customerCode?: string },
): Promise<SandboxAccount | undefined> {
  const { rows } = await db.query<SandboxAccount>(
    `select account_number as "accountNumber", customer_code as "customerCode", email from sandbox_account
     where account_number = $1 or customer_code = $2`,
    [key.accountNumber ?? null, key.customerCode ?? null],
  );
  return rows[0];
}

export async function insertSandboxAccount(db: Queryable, account: SandboxAccount): Promise<void> {
  await db.query("insert into sandbox_account (account_number, customer_code, email) values ($1, $2, $3)", [
    account.accountNumber,
    account.customerCode,
    account.email,
  ]);
}
