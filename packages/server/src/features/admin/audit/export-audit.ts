import type { AuditQuery } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { CSV_START, csvLine, csvText } from "../../../http/csv-line.ts";
import { selectAuditEntries, type StoredAuditEntry } from "./audit-store.ts";
import { filterOf, presentAuditEntry } from "./list-audit-entries.ts";

export type AuditFormat = "csv" | "jsonl";

/** What is sent with the file. */
export const auditFiles: Record<AuditFormat, { type: string; name: string }> = {
  csv: { type: "text/csv; charset=utf-8", name: "audit.csv" },
  jsonl: { type: "application/jsonl; charset=utf-8", name: "audit.jsonl" },
};

/** Entries read at a time: a file of any length takes constant memory. */
const ENTRIES_PER_READ = 500;

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
 * All entries that the filters leave, oldest first as the chain goes, line by line. In CSV `before` and `after` are the text
 * that was hashed; a line of JSON has the fields of the list, and `number`.
 */
export async function* exportAudit(db: Queryable, query: AuditQuery, format: AuditFormat): AsyncGenerator<string> {
  const lineOf = format === "csv" ? csvOf : jsonOf;
  if (format === "csv") yield CSV_START + csvLine(HEADING);
  let after: string | undefined;
  do {
    const entries = await selectAuditEntries(
      db,
      { ...filterOf(query), after, limit: ENTRIES_PER_READ },
      "oldest first",
    );
    yield entries.map(lineOf).join("");
    after = entries.length === ENTRIES_PER_READ ? entries.at(-1)?.auditId : undefined;
  } while (after !== undefined);
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
