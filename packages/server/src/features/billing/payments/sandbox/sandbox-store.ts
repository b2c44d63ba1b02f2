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
};

const COLUMNS = `access_code as "accessCode", reference, email, amount_kobo as "amountKobo", callback_url as "callbackUrl", status,
  created_at as "createdAt", paid_at as "paidAt"`;

/** @returns false for a reference that was used before. */
export async function insertSandboxTransaction(
  db: Queryable,
  transaction: Omit<SandboxTransaction, "status" | "paidAt">,
): Promise<boolean> {
  const { accessCode, reference, email, amountKobo, callbackUrl, createdAt } = transaction;
  const { rowCount } = await db.query(
    `insert into sandbox_transaction (access_code, reference, email, amount_kobo, callback_url, status, created_at)
     values ($1, $2, $3, $4, $5, 'abandoned', $6) on conflict do nothing`,
    [accessCode, reference, email, amountKobo, callbackUrl, createdAt],
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
  status: "failed" | "success",
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sandbox_transaction set status = $2, paid_at = case when $2 = 'success' then $3::timestamptz end
     where access_code = $1 and status <> 'success'`,
    [accessCode, status, now],
  );
  return rowCount === 1;
}
