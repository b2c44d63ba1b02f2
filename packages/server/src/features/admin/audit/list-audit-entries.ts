import type { AuditEntryAnswer, AuditQuery } from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { selectAuditEntries, type AuditPage, type StoredAuditEntry } from "./audit-store.ts";

const DAY_MS = 24 * 3_600_000;

/** What administrators did, newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listAuditEntries(
  db: Queryable,
  query: AuditQuery,
): Promise<{ data: AuditEntryAnswer[]; next: string | null }> {
  assertIdCursor(query.after);
  const filter = { ...filterOf(query), after: query.after };
  const { rows, next } = await readPage(
    query.limit,
    (limit) => selectAuditEntries(db, { ...filter, limit }),
    ({ auditId }) => auditId,
  );
  return { data: rows.map(presentAuditEntry), next };
}

export function filterOf({
  action,
  adminId,
  subjectId,
  from,
  to,
}: Partial<AuditQuery>): Omit<AuditPage, "after" | "limit"> {
  return {
    action,
    adminId,
    subjectId,
    since: from === undefined ? undefined : startOf(from),
    before: to === undefined ? undefined : endOf(to),
  };
}

export function presentAuditEntry(entry: StoredAuditEntry): AuditEntryAnswer {
  return {
    _id: entry.auditId,
    adminID: entry.adminId,
    adminName: entry.adminName,
    adminEmail: entry.adminEmail,
    action: entry.action,
    ...(entry.subjectId !== null && { subjectID: entry.subjectId }),
    ...(entry.before !== null && { before: entry.before }),
    ...(entry.after !== null && { after: entry.after }),
    address: entry.clientAddress,
    createdAt: entry.createdAt.toISOString(),
    hash: entry.hash,
    previousHash: entry.previousHash,
  };
}

/** Days are Lagos', an hour ahead of UTC all year. */
function startOf(from: string): Date {
  return new Date(isDay(from) ? `${from}T00:00:00+01:00` : from);
}

/** The first moment that is left out. */
function endOf(to: string): Date {
  return isDay(to) ? new Date(startOf(to).getTime() + DAY_MS) : new Date(Date.parse(to) + 1);
}

function isDay(text: string): boolean {
  return !text.includes("T");
}
