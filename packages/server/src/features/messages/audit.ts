import type { Tx } from "../../db/transaction.ts";

/** What an administrator did. Written by the admin feature, which this one may not import. */
export type AuditEntry = {
  adminId: string;
  /** The call, such as `approve-whitelist-request`. */
  action: string;
  /** What it was done to. */
  subjectId: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  clientAddress: string;
};

/** Writes the entry in the transaction that does what it tells. */
export type RecordAudit = (tx: Tx, entry: AuditEntry) => Promise<void>;
