import type { Queryable } from "../../../db/pool.ts";

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
  /** Its place in the chain, 1 for the first. */
  entryNumber: number;
  /** Hex. */
  hash: string;
  previousHash: string;
  /** `before` and `after` as they were hashed, empty for null. */
  beforeText: string;
  afterText: string;
};

export type AuditPage = {
  action?: string | undefined;
  adminId?: string | undefined;
  subjectId?: string | undefined;
  /** From this moment on, and before that one. */
  since?: Date | undefined;
  before?: Date | undefined;
  /** The id of the last entry of the page before. */
  after?: string | undefined;
  limit: number;
};

/** In the order of the chain: newest first, or oldest first for files. */
export async function selectAuditEntries(
  db: Queryable,
  page: AuditPage,
  order: "newest first" | "oldest first" = "newest first",
): Promise<StoredAuditEntry[]> {
  const isNewestFirst = order === "newest first";
  const { rows } = await db.query<StoredAuditEntry>(
    `select e.audit_id as "auditId", e.admin_id as "adminId", a.admin_name as "adminName", a.email as "adminEmail", e.action,
            e.subject_id as "subjectId", e.before, e.after, e.client_address as "clientAddress", e.created_at as "createdAt",
            l.entry_number as "entryNumber", encode(l.hash, 'hex') as hash, encode(l.previous_hash, 'hex') as "previousHash",
            coalesce(e.before::text, '') as "beforeText", coalesce(e.after::text, '') as "afterText"
     from audit_link l join audit_entry e using (audit_id) join admin a using (admin_id)
     where ($1::text is null or e.action = $1) and ($2::uuid is null or e.admin_id = $2) and ($3::uuid is null or e.subject_id = $3)
       and ($4::timestamptz is null or e.created_at >= $4) and ($5::timestamptz is null or e.created_at < $5)
       and ($6::uuid is null or l.entry_number ${isNewestFirst ? "<" : ">"} (select entry_number from audit_link where audit_id = $6))
     order by l.entry_number ${isNewestFirst ? "desc" : "asc"} limit $7`,
    [
      page.action ?? null,
      page.adminId ?? null,
      page.subjectId ?? null,
      page.since ?? null,
      page.before ?? null,
      page.after ?? null,
      page.limit,
    ],
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
