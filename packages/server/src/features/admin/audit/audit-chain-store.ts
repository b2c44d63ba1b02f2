import assert from "node:assert/strict";
import type { Queryable } from "../../../db/pool.ts";

/** What a check of the whole chain finds. */
export type ChainReport = {
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

export type ChainCheck = { entryCount: number; isWhole: boolean | null; checkedAt: Date | null };

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
