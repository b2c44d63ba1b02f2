import { randomBytes } from "node:crypto";
import type { DepositState } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../db/pool.ts";

export type BuiltDeposit = { userId: string; depositId: string; transferId: string };

export type DepositFacts = {
  userId: string;
  amountNaira: number;
  depositorName: string;
  tellerId: string;
  phoneNo: string;
  transactionDate: string;
  state: DepositState;
  creditedMilli: number;
  isFlagged: boolean;
  isHidden: boolean;
  receiptHash: Buffer;
};

/** A deposit of 10,000 naira that waits, unless the facts say otherwise. Its receipt has a row, but no bytes in any store. */
export async function buildDeposit(
  db: Db,
  facts: Partial<DepositFacts> & { userId: string; adminId?: string },
): Promise<BuiltDeposit> {
  const { userId, state = "pending", adminId = null } = facts;
  const [depositId, fileId] = [uuidv7(), uuidv7()];
  await db.query(
    `insert into stored_file (user_id, file_id, extension, content_type, byte_count, created_at, kept_at) values ($1, $2, 'png', 'image/png', 1, now(), now())`,
    [userId, fileId],
  );
  const tellerId = facts.tellerId ?? `T-${depositId}`;
  await db.query(
    `insert into deposit (user_id, deposit_id, depositor_name, amount_kobo, phone_no, teller_id, teller_key, transaction_date, bank, file_id,
       receipt_hash, is_flagged, state, credited_milli, decided_by, decided_at, hidden_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'Ewebal Microfinance Bank', $9, $10, $11, $12, $13, $14, $15, $16, now())`,
    [
      userId,
      depositId,
      facts.depositorName ?? "Test Depositor",
      (facts.amountNaira ?? 10_000) * 100,
      facts.phoneNo ?? "8030000000",
      tellerId,
      tellerId.toLowerCase(),
      facts.transactionDate ?? "2026-03-05",
      fileId,
      facts.receiptHash ?? randomBytes(32),
      facts.isFlagged ?? false,
      state,
      state === "verified" ? (facts.creditedMilli ?? 5_000_000) : null,
      state === "verified" || state === "declined" ? adminId : null,
      state === "pending" ? null : new Date(),
      state === "withdrawn" || facts.isHidden === true ? new Date() : null,
    ],
  );
  return { userId, depositId, transferId: depositId };
}
