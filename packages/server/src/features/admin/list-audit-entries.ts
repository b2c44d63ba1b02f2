import type { AuditEntryAnswer, ListQuery } from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../db/cursor-page.ts";
import type { Queryable } from "../../db/pool.ts";
import { selectAuditEntries } from "./audit-store.ts";

export type AuditFilter = { action?: string | undefined; adminId?: string | undefined; subjectId?: string | undefined };

/** What administrators did, newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listAuditEntries(db: Queryable, query: ListQuery & AuditFilter): Promise<{ data: AuditEntryAnswer[]; next: string | null }> {
  assertIdCursor(query.after);
  const { rows, next } = await readPage(query.limit, (limit) => selectAuditEntries(db, { ...query, limit }), ({ auditId }) => auditId);
  return {
    data: rows.map((entry) => ({
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
    })),
    next,
  };
}
