/**
 * What a customer's record shows of other features: newest ids, counts, approved names, and whether the same person is an
 * administrator. Accounts knows none of those features, so each gives a part, and `app.ts` puts them together.
 */
import type { Queryable } from "../../../db/pool.ts";

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
