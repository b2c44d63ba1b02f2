/**
 * The report feed: what becomes of the recipients of messages that a program follows.
 *
 * A message says who follows it (`message.followers`, one bit each): `Caller.followers` of the send that accepts it, and `webhooks` where an endpoint of
 * the customer asks for it. Each transaction that moves recipients of such a message writes one compact row for each follower and state. A message that
 * nobody follows, which is nearly every one, costs no statement and no row.
 *
 * What is written: every final state (delivered, failed, dnd, optedOut, unknown, cancelled, expired) for all followers, and `sent` for those of
 * `HEARS_SENT`. Who is skipped from the beginning, as DND or opted out, is told to `webhooks` when the message begins: Twilio's clients and those of SMPP
 * were answered so already.
 *
 * A follower reads like this, from any number of hosts:
 *
 *     if (!(await hasFeed(db, "twilio"))) return;       // nearly always: nobody waits
 *     await withTransaction(db, async (tx) => {
 *       const rows = await readFeed(tx, "twilio", 200); // [] while another host reads
 *       await insertCallbacks(tx, rows);                // the follower's own rows: what is to be sent
 *       await dropFromFeed(tx, "twilio", rows);
 *     });                                               // and only then goes to the network
 *
 * - Its position is what it has dropped: rows that it wrote and rows that it dropped are committed together, so a crash loses nothing and repeats nothing.
 * - One host reads at a time, by a lock that ends with the transaction; keep it short, and call nobody outside.
 * - Rows come in the order in which they were written. For one recipient that is the order of its states. Of two recipients, also of one message,
 *   either may come first.
 * - A row is bounded: the recipients of one flush. `readFeed` is bounded by its limit; call it again while it returns as many as were asked for.
 * - Nobody is notified: look a few times a second. `hasFeed` makes a look that finds nothing one statement instead of four.
 */
import type { RecipientState } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { deliveryStateName } from "../states.ts";
import { ENDED_STATE, followerBits, spreadEntries, type FeedEntry, type Follower } from "./followers.ts";
import {
  deleteFeedRows,
  hasFeedRows,
  insertFeedRows,
  insertSkippedRows,
  lockFeed,
  selectFeedCustomers,
  selectFeedRows,
  updateReadCount,
} from "./report-feed-store.ts";

/** Writes what a transaction did, at its end; locks nothing. */
export async function writeFeed(tx: Tx, entries: readonly FeedEntry[]): Promise<void> {
  const rows = spreadEntries(entries);
  if (rows.length > 0) await insertFeedRows(tx, rows);
}

/** What `tellSkipped` looks at; nothing is read of messages that have nobody skipped, or that no webhook follows. */
type Begun = { messageId: string; followers: number; skippedCount: number };

/** Tells of the recipients that messages of one customer skip, in the transaction in which they begin, once their batches are written. */
export async function tellSkipped(tx: Tx, userId: string, begun: readonly Begun[]): Promise<void> {
  const follower = followerBits.webhooks;
  const told = begun.filter(({ followers, skippedCount }) => (followers & follower) !== 0 && skippedCount > 0);
  if (told.length === 0) return;
  await insertSkippedRows(tx, { userId, follower, messageIds: told.map(({ messageId }) => messageId) });
}

export type FollowedRecipient = { position: number; phoneNo: number; errorCode: string | null };

/** Recipients of one message that came into one state together. */
export type FeedRow = {
  feedId: number;
  userId: string;
  messageId: string;
  /** `expired` where the message's `validUntil` ended it, `cancelled` where somebody did. */
  state: Exclude<RecipientState, "waiting">;
  recipients: FollowedRecipient[];
  /** Nobody of some batch waits any more: the message may be done. For `webhooks` alone; then there may be no recipients. */
  endsBatch: boolean;
  happenedAt: Date;
  /** By the database's clock. */
  ageMs: number;
  /** Of a message of a test key. */
  isTest: boolean;
};

/** A customer with rows in the feed. */
export type FeedCustomer = {
  userId: string;
  /** As far as they were counted. */
  rowCount: number;
  /** Of the oldest row, by the database's clock. */
  oldestMs: number;
};

/** @returns whether anything waits for the follower: asked before a transaction is opened for it. */
export async function hasFeed(db: Queryable, follower: Follower): Promise<boolean> {
  return await hasFeedRows(db, followerBits[follower]);
}

/**
 * Locks the follower's part of the feed until the transaction ends, and tells who has rows in it, for a follower that gives each customer a turn.
 *
 * @param limit customers, those whose oldest row has waited the longest. @param rowsMax how far the rows of each are counted.
 * @returns the longest waiting first; nobody while another host reads.
 */
export async function readFeedCustomers(
  tx: Tx,
  follower: Follower,
  count: { limit: number; rowsMax: number },
): Promise<FeedCustomer[]> {
  if (!(await lockFeed(tx, followerBits[follower]))) return [];
  return await selectFeedCustomers(tx, followerBits[follower], count);
}

/**
 * Locks the follower's part of the feed until the transaction ends, and reads what it has not dropped, oldest first.
 *
 * @param limit rows; each has the recipients of one flush, a few hundred at most under load. @param userId one customer; all when absent.
 * @returns nothing while another host reads.
 */
export async function readFeed(tx: Tx, follower: Follower, limit: number, userId?: string): Promise<FeedRow[]> {
  if (!(await lockFeed(tx, followerBits[follower]))) return [];
  const rows = await selectFeedRows(tx, followerBits[follower], { limit, userId });
  return rows.map(({ state, hasExpired, positions, phoneNos, errorCodes, ...row }) => ({
    ...row,
    state: state === ENDED_STATE || state === 0 ? (hasExpired ? "expired" : "cancelled") : deliveryStateName(state),
    recipients: positions.map((position, index) => ({
      position,
      phoneNo: phoneNos[index] ?? 0,
      errorCode: errorCodes?.[index] ?? null,
    })),
  }));
}

/** The follower is done with these rows. */
export async function dropFromFeed(
  tx: Tx,
  follower: Follower,
  rows: readonly Pick<FeedRow, "userId" | "feedId">[],
): Promise<void> {
  for (const [userId, own] of Map.groupBy(rows, (row) => row.userId)) {
    const feedIds = own.map(({ feedId }) => feedId);
    await deleteFeedRows(tx, { userId, follower: followerBits[follower], feedIds });
  }
}

/** The follower is done with the first recipients of a row; `readFeed` answers the rest next time. */
export async function dropFirstOfRow(
  tx: Tx,
  follower: Follower,
  { userId, feedId, count }: { userId: string; feedId: number; count: number },
): Promise<void> {
  await updateReadCount(tx, { userId, follower: followerBits[follower], feedId, count });
}
