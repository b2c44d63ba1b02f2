import type { Queryable } from "../../../db/pool.ts";
import assert from "node:assert/strict";

export type StoredAuditEntry = {
  auditId: string;
  /** Who acted: an administrator, or somebody of a customer's account. */
  adminId: string;
  adminName: string;
  adminEmail: string;
  isCustomer: boolean;
  action: string;
  subjectId: string | null;
  /** Of the customer or administrator whom it was done to; null for everything else. */
  subjectName: string | null;
  subjectEmail: string | null;
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
  /** One of these. */
  actions?: readonly string[] | undefined;
  adminId?: string | undefined;
  /** A part of the name or e-mail of who did it. */
  person?: string | undefined;
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
    `select e.audit_id as "auditId", coalesce(e.admin_id, e.person_id) as "adminId", coalesce(a.admin_name, p.user_name) as "adminName",
            coalesce(a.email, p.email) as "adminEmail", e.person_id is not null as "isCustomer", e.action,
            e.subject_id as "subjectId", coalesce(u.user_name, s.admin_name) as "subjectName", coalesce(u.email, s.email) as "subjectEmail", e.before, e.after, e.client_address as "clientAddress", e.created_at as "createdAt",
            l.entry_number as "entryNumber", encode(l.hash, 'hex') as hash, encode(l.previous_hash, 'hex') as "previousHash",
            coalesce(e.before::text, '') as "beforeText", coalesce(e.after::text, '') as "afterText"
     from audit_link l join audit_entry e using (audit_id) left join admin a on a.admin_id = e.admin_id left join app_user p on p.user_id = e.person_id
     left join app_user u on u.user_id = e.subject_id left join admin s on s.admin_id = e.subject_id
     where ($1::text[] is null or e.action = any ($1)) and ($2::uuid is null or e.admin_id = $2 or e.person_id = $2) and ($3::uuid is null or e.subject_id = $3)
       and ($4::timestamptz is null or e.created_at >= $4) and ($5::timestamptz is null or e.created_at < $5)
       and ($6::uuid is null or l.entry_number ${isNewestFirst ? "<" : ">"} (select entry_number from audit_link where audit_id = $6))
       and ($8::text is null or e.admin_id = any (array(
         select admin_id from admin where strpos(lower(admin_name || ' ' || admin_full_name || ' ' || email), lower($8)) > 0))
         or strpos(lower(p.user_name || ' ' || p.full_name || ' ' || p.email), lower($8)) > 0)
     order by l.entry_number ${isNewestFirst ? "desc" : "asc"} limit $7`,
    [
      page.actions ?? null,
      page.adminId ?? null,
      page.subjectId ?? null,
      page.since ?? null,
      page.before ?? null,
      page.after ?? null,
      page.limit,
      page.person ?? null,
    ],
  );
  return rows;
}

export async function insertAuditEntry(
  db: Queryable,
  entry: {
    auditId: string;
    adminId?: string;
    personId?: string;
    action: string;
    subjectId: string | undefined;
    before: Record<string, unknown> | undefined;
    after: Record<string, unknown> | undefined;
    clientAddress: string;
    createdAt: Date;
  },
): Promise<void> {
  await db.query(
    `insert into audit_entry (audit_id, admin_id, action, subject_id, before, after, client_address, created_at, person_id)
     values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8, $9)`,
    [
      entry.auditId,
      entry.adminId ?? null,
      entry.action,
      entry.subjectId ?? null,
      entry.before === undefined ? null : JSON.stringify(entry.before),
      entry.after === undefined ? null : JSON.stringify(entry.after),
      entry.clientAddress,
      entry.createdAt,
      entry.personId ?? null,
    ],
  );
}

/** What a check of the whole chain finds. */
type ChainReport = {
  /** The number of entries that the end of the chain records. */
  entryCount: number;
  /** Links whose hash does not match their entry or the link before, or that have no entry. */
  brokenCount: number;
  /** The first of them; null when there is none. */
  firstBroken: number | null;
  linkCount: number;
  storedCount: number;
  /** Whether the last link matches the recorded end of the chain. */
  isEndRight: boolean;
  /** Hex. Kept elsewhere, it proves later that the chain was not rebuilt. */
  lastHash: string;
};

/** One statement, so that it sees one moment. About 6 s for 1,000,000 entries. */
export async function readChainReport(db: Queryable): Promise<ChainReport> {
  const { rows } = await db.query<ChainReport>(
    `with links as (
       select l.entry_number, l.hash, l.previous_hash, lag(l.hash, 1, decode(repeat('00', 32), 'hex')) over (order by l.entry_number) as hash_before,
              row_number() over (order by l.entry_number) as place, e.audit_id is not null as is_stored,
              case when e.audit_id is not null then audit_hash(e, l.previous_hash) end as hash_now
       from audit_link l left join audit_entry e using (audit_id)
     ),
     found as (
       select count(*) as link_count,
              count(*) filter (where not is_fit) as broken_count,
              min(entry_number) filter (where not is_fit) as first_broken
       from (select *, is_stored and hash = hash_now and previous_hash = hash_before and place = entry_number as is_fit from links) as judged
     )
     select c.entry_count as "entryCount", f.broken_count as "brokenCount", f.first_broken as "firstBroken", f.link_count as "linkCount",
            (select count(*) from audit_entry) as "storedCount", encode(c.hash, 'hex') as "lastHash",
            c.hash = coalesce((select hash from audit_link order by entry_number desc limit 1), decode(repeat('00', 32), 'hex')) as "isEndRight"
     from audit_chain c cross join found f`,
  );
  return onlyRow(rows);
}

export async function updateChainCheck(db: Queryable, check: { isWhole: boolean; checkedAt: Date }): Promise<void> {
  await db.query(`update audit_chain set is_whole = $1, checked_at = $2`, [check.isWhole, check.checkedAt]);
}

type ChainCheck = { entryCount: number; isWhole: boolean | null; checkedAt: Date | null };

/** What the last nightly check found; null before the first. */
export async function getChainCheck(db: Queryable): Promise<ChainCheck> {
  const { rows } = await db.query<ChainCheck>(
    `select entry_count as "entryCount", is_whole as "isWhole", checked_at as "checkedAt" from audit_chain`,
  );
  return onlyRow(rows);
}

function onlyRow<Row>([row]: Row[]): Row {
  assert(row !== undefined, "The end of the audit's chain is gone");
  return row;
}
