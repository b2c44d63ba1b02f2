import { type AuditEntryAnswer, idSchema, type ListQuery } from "@ewebal/contract";
import type { Queryable } from "../../db/pool.ts";
import { fieldError } from "../../errors.ts";
import { selectAuditEntries } from "./audit-store.ts";

export type AuditFilter = { action?: string | undefined; adminId?: string | undefined; subjectId?: string | undefined };

/** What administrators did, newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listAuditEntries(db: Queryable, query: ListQuery & AuditFilter): Promise<{ data: AuditEntryAnswer[]; next: string | null }> {
  if (query.after !== undefined && !idSchema.safeParse(query.after).success) throw fieldError("after", "is not a cursor of this list");
  // One more than asked tells whether there is a next page.
  const rows = await selectAuditEntries(db, { ...query, limit: query.limit + 1 });
  const shown = rows.slice(0, query.limit);
  return {
    data: shown.map((entry) => ({
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
    next: rows.length > query.limit ? (shown.at(-1)?.auditId ?? null) : null,
  };
}
