import type { ListQuery, MemberRole, UserFilter, UserSort } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { readBalances } from "../../../ledger/index.ts";
import type { Session } from "../../../http/session/session.ts";
import { type ActableAccount, selectAccountsOf } from "../members/member-store.ts";
import { type AccountAccess, findAccess } from "../sessions/account-access-store.ts";
import { idleSince } from "../sessions/sessions.ts";
import { findUser, type SessionLimits, type User, countUsers, selectUsers } from "./user-store.ts";

type ViewDeps = Pick<Deps, "config" | "db" | "clock">;

/** @property freeMilli what the customer can spend, in thousandths of a unit. */
export type UserRecord = { user: User; summary: UserSummary; freeMilli: number };

/** @throws AppError `NOT_FOUND`. */
export async function viewUser(deps: ViewDeps, parts: readonly UserSummaryPart[], userId: string): Promise<UserRecord> {
  const user = await findUser(deps.db, userId, sessionLimits(deps));
  if (user === undefined) throw new AppError("NOT_FOUND");
  const [record] = await readRecords(deps, parts, [user]);
  if (record === undefined) throw new AppError("NOT_FOUND");
  return record;
}

/**
 * @property member undefined for the account's own user. accounts: those that the person may act for. acting: the look of an
 *   administrator, who sees what the account's own user sees.
 */
export type Asker = {
  member: (User & { role: MemberRole }) | undefined;
  accounts: ActableAccount[];
  acting?: AccountAccess | undefined;
};

/** Which of the people who share an account is asking. */
export async function viewAsker(deps: ViewDeps, session: Session): Promise<Asker> {
  const { actorId, accountId, memberRole, actingAdminId, sessionId } = session;
  if (actingAdminId !== undefined) {
    const acting = await findAccess(deps.db, { userId: accountId, accessId: sessionId });
    return { member: undefined, accounts: [], acting };
  }
  const accounts = await selectAccountsOf(deps.db, actorId);
  if (actorId === accountId || memberRole === undefined) return { member: undefined, accounts };
  const person = await findUser(deps.db, actorId, sessionLimits(deps));
  return { member: person && { ...person, role: memberRole }, accounts };
}

export type UserListQuery = {
  search?: string | undefined;
  filter?: UserFilter | undefined;
  sort: UserSort;
  /** Without it: the newest first, names and e-mails from A to Z. */
  order?: "asc" | "desc" | undefined;
};

/** @throws AppError `VALIDATION` for a cursor that is none. */
export async function viewUsers(
  deps: ViewDeps,
  parts: readonly UserSummaryPart[],
  query: ListQuery & UserListQuery,
): Promise<{ rows: UserRecord[]; next: string | null }> {
  assertIdCursor(query.after);
  const { after, search, filter, sort, order } = query;
  const isDescending = order === undefined ? sort === "createdAt" : order === "desc";
  const select = (limit: number) =>
    selectUsers(deps.db, { limit, after, search, filter, sort, isDescending }, sessionLimits(deps));
  const { rows, next } = await readPage(query.limit, select, ({ userId }) => userId);
  return { rows: await readRecords(deps, parts, rows), next };
}

/** How many customers there are, and how many of them are signed in now. */
export async function viewUserCounts(deps: ViewDeps): Promise<{ registered: number; active: number }> {
  return await countUsers(deps.db, sessionLimits(deps));
}

async function readRecords(
  deps: ViewDeps,
  parts: readonly UserSummaryPart[],
  users: readonly User[],
): Promise<UserRecord[]> {
  if (users.length === 0) return [];
  const summaryOf = await readSummaries(deps.db, parts, users);
  const balances = await readBalances(
    deps.db,
    users.map(({ userId }) => userId),
  );
  return users.map((user) => {
    const { userId } = user;
    return { user, summary: summaryOf(userId), freeMilli: balances.get(userId)?.freeMilli ?? 0 };
  });
}

function sessionLimits({ config, clock }: ViewDeps): SessionLimits {
  const now = clock.now();
  return { now, idleSince: idleSince(config, now) };
}

/**
 * What a customer's record shows of other features: newest ids, counts, approved names, and whether the same person is an
 * administrator. Accounts knows none of those features, so each gives a part, and `user-summary-parts.ts` lists them.
 */
export type UserSummary = {
  isAdmin: boolean;
  /** Approved sender names. */
  senderNames: string[];
  /** The newest 50 ids of each, and how many there are in all. */
  sms: { newestIds: string[]; count: number };
  draft: { newestIds: string[]; count: number };
  phonebook: { newestIds: string[]; count: number };
  transfers: { newestIds: string[]; count: number };
};

/** Reads one feature's part for a page of customers at once; customers of whom there is nothing to say may be missing. */
export type UserSummaryPart = (
  db: Queryable,
  users: readonly { userId: string; email: string; isVerified: boolean }[],
) => Promise<ReadonlyMap<string, Partial<UserSummary>>>;

const NOTHING = { newestIds: [], count: 0 };
const EMPTY: UserSummary = {
  isAdmin: false,
  senderNames: [],
  sms: NOTHING,
  draft: NOTHING,
  phonebook: NOTHING,
  transfers: NOTHING,
};

/** @returns one summary for each of these customers. */
export async function readSummaries(
  db: Queryable,
  parts: readonly UserSummaryPart[],
  users: Parameters<UserSummaryPart>[1],
): Promise<(userId: string) => UserSummary> {
  const found = await Promise.all(parts.map((part) => part(db, users)));
  return (userId) => Object.assign({}, EMPTY, ...found.map((part) => part.get(userId)));
}
