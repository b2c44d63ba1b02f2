import { auditKinds, type AuditQuery } from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { selectAuditEntries, type AuditPage, type StoredAuditEntry } from "./audit-store.ts";

const DAY_MS = 24 * 3_600_000;
/** Read at a time for a file, so that one of any length takes constant memory. */
const ENTRIES_PER_READ = 500;

/** What administrators did, newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listAuditEntries(
  db: Queryable,
  query: AuditQuery,
): Promise<{ rows: StoredAuditEntry[]; next: string | null }> {
  assertIdCursor(query.after);
  const filter = { ...filterOf(query), after: query.after };
  return await readPage(
    query.limit,
    (limit) => selectAuditEntries(db, { ...filter, limit }),
    ({ auditId }) => auditId,
  );
}

/** All entries that the filters leave, in the order of the chain: oldest first. */
export async function* eachAuditEntry(db: Queryable, query: AuditQuery): AsyncGenerator<StoredAuditEntry[]> {
  const filter = filterOf(query);
  let after: string | undefined;
  do {
    const entries = await selectAuditEntries(db, { ...filter, after, limit: ENTRIES_PER_READ }, "oldest first");
    yield entries;
    after = entries.length === ENTRIES_PER_READ ? entries.at(-1)?.auditId : undefined;
  } while (after !== undefined);
}

function filterOf(query: Partial<AuditQuery>): Omit<AuditPage, "after" | "limit"> {
  const { adminId, subjectId, person, from, to } = query;
  return {
    actions: actionsOf(query),
    adminId,
    subjectId,
    person,
    since: from === undefined ? undefined : startOf(from),
    before: to === undefined ? undefined : endOf(to),
  };
}

/** @returns undefined for all; none for an action that is not of the kind. */
function actionsOf({ action, kind }: Partial<AuditQuery>): readonly string[] | undefined {
  if (kind === undefined) return action === undefined ? undefined : [action];
  return auditKinds[kind].filter((each) => action === undefined || each === action);
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
