/** Audit entries as the calls and the files show them. */
import type { AuditEntryAnswer } from "@ewebal/contract";
import { CSV_START, csvLine, csvText } from "../../../http/csv-line.ts";
import type { StoredAuditEntry } from "./audit-store.ts";
import type { AuditState } from "./check-audit.ts";

export function presentAuditEntry(entry: StoredAuditEntry): AuditEntryAnswer {
  return {
    _id: entry.auditId,
    adminID: entry.adminId,
    adminName: entry.adminName,
    adminEmail: entry.adminEmail,
    ...(entry.isCustomer && { isCustomer: true as const }),
    action: entry.action,
    ...(entry.subjectId !== null && { subjectID: entry.subjectId }),
    ...(entry.subjectEmail !== null && { subject: { name: entry.subjectName ?? "", email: entry.subjectEmail } }),
    ...(entry.before !== null && { before: entry.before }),
    ...(entry.after !== null && { after: entry.after }),
    address: entry.clientAddress,
    createdAt: entry.createdAt.toISOString(),
    hash: entry.hash,
    previousHash: entry.previousHash,
  };
}

export function presentAuditState({ isWhole, checkedAt, entries }: AuditState) {
  return {
    message: isWhole ? "The audit is whole" : "The audit is not what was written",
    data: { isWhole, checkedAt: checkedAt.toISOString(), entries },
  };
}

export type AuditFormat = "csv" | "jsonl";

/** What is sent with the file. */
export const auditFiles: Record<AuditFormat, { type: string; name: string }> = {
  csv: { type: "text/csv; charset=utf-8", name: "audit.csv" },
  jsonl: { type: "application/jsonl; charset=utf-8", name: "audit.jsonl" },
};

const HEADING = [
  "number",
  "createdAt",
  "action",
  "adminID",
  "adminName",
  "adminEmail",
  "subjectID",
  "before",
  "after",
  "address",
  "_id",
  "previousHash",
  "hash",
];

/**
 * A file of entries, line by line. In CSV `before` and `after` are the text that was hashed; a line of JSON has the fields of
 * the list, and `number`.
 */
export async function* auditFile(
  groups: AsyncIterable<readonly StoredAuditEntry[]>,
  format: AuditFormat,
): AsyncGenerator<string> {
  const lineOf = format === "csv" ? csvOf : jsonOf;
  if (format === "csv") yield CSV_START + csvLine(HEADING);
  for await (const entries of groups) yield entries.map(lineOf).join("");
}

function csvOf(entry: StoredAuditEntry): string {
  const {
    adminID,
    adminName,
    adminEmail,
    action,
    subjectID = "",
    address,
    createdAt,
    _id,
    hash,
    previousHash,
  } = presentAuditEntry(entry);
  const { entryNumber, beforeText, afterText } = entry;
  const who = [adminID, csvText(adminName), csvText(adminEmail)];
  return csvLine([
    String(entryNumber),
    createdAt,
    action,
    ...who,
    subjectID,
    beforeText,
    afterText,
    address,
    _id,
    previousHash,
    hash,
  ]);
}

function jsonOf(entry: StoredAuditEntry): string {
  return `${JSON.stringify({ number: entry.entryNumber, ...presentAuditEntry(entry) })}\n`;
}
