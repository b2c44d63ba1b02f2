import { v7 as uuidv7 } from "uuid";
import type { Clock, RecordAudit } from "../../../base/deps.ts";
import { auditEntryWritten, publishChange } from "../../../events/index.ts";
import { insertAuditEntry } from "./audit-store.ts";

/** The one writer of audit entries; `Deps` carries it. An act and its entry are one transaction: neither exists without the other. */
export function createAuditWriter(clock: Clock): RecordAudit {
  return async (tx, { action, subjectId, before, after, clientAddress, ...who }) => {
    const entry = { ...who, action, subjectId, before, after, clientAddress };
    await insertAuditEntry(tx, { auditId: uuidv7(), ...entry, createdAt: clock.now() });
    // Only about the entry; the operation that acts publishes what it changed.
    await publishChange(tx, auditEntryWritten());
  };
}
