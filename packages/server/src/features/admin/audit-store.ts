import type { Queryable } from "../../db/pool.ts";

export async function insertAuditEntry(
  db: Queryable,
  entry: {
    auditId: string;
    adminId: string;
    action: string;
    subjectId: string | undefined;
    before: Record<string, unknown> | undefined;
    after: Record<string, unknown> | undefined;
    clientAddress: string;
    createdAt: Date;
  },
): Promise<void> {
  await db.query(
    `insert into audit_entry (audit_id, admin_id, action, subject_id, before, after, client_address, created_at)
     values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8)`,
    [
      entry.auditId,
      entry.adminId,
      entry.action,
      entry.subjectId ?? null,
      entry.before === undefined ? null : JSON.stringify(entry.before),
      entry.after === undefined ? null : JSON.stringify(entry.after),
      entry.clientAddress,
      entry.createdAt,
    ],
  );
}
