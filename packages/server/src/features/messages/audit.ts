/** What an administrator did, as the admin feature keeps it. */
export type { AuditEntry, RecordAudit } from "../../base/deps.ts";
