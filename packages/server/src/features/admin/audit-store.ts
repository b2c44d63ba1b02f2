import type { Queryable } from "../../db/pool.ts";

export type StoredAuditEntry = {
  auditId: string;
  adminId: string;
  adminName: string;
  adminEmail: string;
  action: string;
  subjectId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  clientAddress: string;
  createdAt: Date;
};

/** Newest first; `after` is the id of the last entry of the page before. */
export async function selectAuditEntries(
  db: Queryable,
  page: { action?: string | undefined; adminId?: string | undefined; subjectId?: string | undefined; after?: string | undefined; limit: number },
): Promise<StoredAuditEntry[]> {
  const { rows } = await db.query<StoredAuditEntry>(
    `select e.audit_id as "auditId", e.admin_id as "adminId", a.admin_name as "adminName", a.email as "adminEmail", e.action,
            e.subject_id as "subjectId", e.before, e.after, e.client_address as "clientAddress", e.created_at as "createdAt"
     from audit_entry e join admin a using (admin_id)
     where ($1::text is null or e.action = $1) and ($2::uuid is null or e.admin_id = $2) and ($3::uuid is null or e.subject_id = $3)
       and ($4::uuid is null or (e.created_at, e.audit_id) < (select created_at, audit_id from audit_entry where audit_id = $4))
     order by e.created_at desc, e.audit_id desc limit $5`,
    [page.action ?? null, page.adminId ?? null, page.subjectId ?? null, page.after ?? null, page.limit],
  );
  return rows;
}

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
