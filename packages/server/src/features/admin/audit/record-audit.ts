import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { auditEntryWritten, publishChange } from "../../../events/index.ts";
import { insertAuditEntry } from "./audit-store.ts";

export type AuditEntry = {
  adminId: string;
  /** The call, such as `credit-a-user`. */
  action: string;
  /** What it was done to, when that has an id. */
  subjectId?: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  clientAddress: string;
};

/** Writes into the transaction that does it: there is no act without its entry, and no entry without its act. */
export async function recordAudit(deps: Pick<Deps, "clock">, tx: Tx, entry: AuditEntry): Promise<void> {
  await insertAuditEntry(tx, {
    auditId: uuidv7(),
    adminId: entry.adminId,
    action: entry.action,
    subjectId: entry.subjectId,
    before: entry.before,
    after: entry.after,
    clientAddress: entry.clientAddress,
    createdAt: deps.clock.now(),
  });
  // Of the entry itself; who is concerned by the act is told by the act.
  await publishChange(tx, auditEntryWritten());
}
