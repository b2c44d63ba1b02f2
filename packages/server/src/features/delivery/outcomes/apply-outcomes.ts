import assert from "node:assert/strict";
import type { Tx } from "../../../db/transaction.ts";
import { lockAccounts, moveHolds, refundUnits, type HoldMove, type Refund } from "../../../ledger/index.ts";
import { insertReportedDndNumbers } from "../dnd/dnd-store.ts";
import { ENDED_STATE, type FeedEntry } from "../feed/followers.ts";
import { writeFeed } from "../feed/report-feed.ts";
import { deliveryStates } from "../states.ts";
import { moveCounts, type CountColumn, type CountMove } from "./flush-store.ts";

/** A message as its outcomes need it: from memory, or from a row that a report was matched with. */
export type PricedMessage = {
  userId: string;
  messageId: string;
  /** Of each recipient of the outcome, in thousandths of a unit. */
  priceMilli: number;
  /** By position, where it is another one: recipients of a merged message pay their own pages. */
  ownPricesMilli?: ReadonlyMap<number, number>;
  holdId: string | null;
  /** Who is told what becomes of its recipients; see report-feed.ts. */
  followers: number;
};

/** What became of some recipients of one message, as its rows say already. */
export type Outcome = {
  message: PricedMessage;
  /** The counts that they leave and join; the same one moves nothing. */
  from: CountColumn;
  to: CountColumn;
  count: number;
  /** Of the message's hold: nobody accepted them, or a carrier did just now, or their units were settled before. */
  units: "release" | "charge" | "settled";
  /** Who says so, for the do-not-disturb list. */
  carrierName?: string | undefined;
  /** Which recipients they are; needed of those that a carrier accepted and that did not arrive, and of all where somebody follows the message. */
  positions?: readonly number[];
  phoneNos?: readonly number[];
  errorCodes?: readonly (string | null)[];
};

/**
 * The one way in which an answer, a report, an early report or a settled unknown moves counts, units, refunds and
 * do-not-disturb numbers, and tells followers. The caller has written the deliveries; what follows is locked in the order of docs/delivery.md,
 * each kind in the order of its ids, whatever the order of the outcomes.
 *
 * @param tx open transaction; call it once, last: accounts and holds stay locked until it ends.
 * @param ends followed messages of which a batch ended.
 * @returns the messages whose counts moved.
 */
export async function applyOutcomes(
  tx: Tx,
  outcomes: readonly Outcome[],
  { isRefundingFailed }: { isRefundingFailed: boolean },
  ends: readonly FollowedMessage[] = [],
): Promise<CountMove[]> {
  const { counts, holds, refunds, listed, feed } = addUpOutcomes(outcomes, { isRefundingFailed }, ends);
  if (listed.length > 0) await insertReportedDndNumbers(tx, listed);
  if (counts.length > 0) await moveCounts(tx, counts);
  // Holds and refunds each lock their own customers in order; one after the other they would not be in order together.
  if (refunds.length > 0)
    await lockAccounts(
      tx,
      [...holds, ...refunds].map(({ userId }) => userId),
    );
  await moveHolds(tx, holds);
  await refundUnits(tx, refunds);
  await writeFeed(tx, feed);
  return counts;
}

/** A message that somebody follows. */
export type FollowedMessage = Pick<PricedMessage, "userId" | "messageId" | "followers">;

/** What outcomes move, added up: what `applyOutcomes` writes. */
export function addUpOutcomes(
  outcomes: readonly Outcome[],
  { isRefundingFailed }: { isRefundingFailed: boolean },
  ends: readonly FollowedMessage[] = [],
): {
  counts: CountMove[];
  holds: HoldMove[];
  refunds: Refund[];
  listed: { phoneNo: number; source: string }[];
  feed: FeedEntry[];
} {
  return {
    feed: addUpFeed(outcomes, ends),
    counts: addUpCounts(outcomes),
    holds: addUpHolds(outcomes),
    refunds: isRefundingFailed ? outcomes.flatMap(refundsOf) : [],
    listed: outcomes.flatMap(({ to, phoneNos, carrierName }) =>
      to === "dnd" ? (phoneNos ?? []).map((phoneNo) => ({ phoneNo, source: carrierName ?? "carrier" })) : [],
    ),
  };
}

function addUpCounts(outcomes: readonly Outcome[]): CountMove[] {
  const moves = new Map<string, CountMove>();
  for (const { message, from, to, count } of outcomes) {
    if (from === to) continue;
    let move = moves.get(message.messageId);
    if (move === undefined) {
      move = { userId: message.userId, messageId: message.messageId, moves: {} };
      moves.set(message.messageId, move);
    }
    move.moves[from] = (move.moves[from] ?? 0) - count;
    move.moves[to] = (move.moves[to] ?? 0) + count;
  }
  return [...moves.values()];
}

/** One entry for each followed message and state. */
function addUpFeed(outcomes: readonly Outcome[], ends: readonly FollowedMessage[]): FeedEntry[] {
  const entries = new Map<string, GrowingEntry>();
  for (const { message, from, to, count, positions = [], phoneNos = [], errorCodes } of outcomes) {
    if (message.followers === 0 || from === to) continue;
    assert.equal(positions.length, count, "an outcome of a followed message names its recipients");
    const { userId, messageId, followers } = message;
    const key = `${messageId}:${to}`;
    let entry = entries.get(key);
    if (entry === undefined) {
      entry = { userId, messageId, followers, state: feedStateOf(to), positions: [], phoneNos: [], errorCodes: [] };
      entries.set(key, entry);
    }
    for (const [index, position] of positions.entries()) {
      entry.positions.push(position);
      entry.phoneNos.push(phoneNos[index] ?? 0);
      entry.errorCodes.push(errorCodes?.[index] ?? null);
    }
  }
  const ended = ends.map(({ userId, messageId, followers }) => ({
    userId,
    messageId,
    followers,
    endsBatch: true,
    state: ENDED_STATE,
    positions: [],
    phoneNos: [],
  }));
  return [...entries.values(), ...ended];
}

type GrowingEntry = FeedEntry & { positions: number[]; phoneNos: number[]; errorCodes: (string | null)[] };

/** @returns the number in `report_feed.state` of recipients that joined a count. */
function feedStateOf(to: CountColumn): number {
  if (to === "waiting") throw new RangeError("nobody comes back to waiting");
  if (to === "cancelled") return ENDED_STATE;
  return deliveryStates[to === "opted_out" ? "optedOut" : to];
}

function addUpHolds(outcomes: readonly Outcome[]): HoldMove[] {
  const holds = new Map<string, HoldMove>();
  for (const { message, count, units } of outcomes) {
    const { userId, messageId, holdId, priceMilli } = message;
    if (holdId === null || units === "settled") continue;
    let hold = holds.get(messageId);
    if (hold === undefined) {
      hold = { userId, holdId, chargeMilli: 0, releaseMilli: 0 };
      holds.set(messageId, hold);
    }
    if (units === "charge") hold.chargeMilli += priceMilli * count;
    else hold.releaseMilli += priceMilli * count;
  }
  return [...holds.values()];
}

/** What a carrier accepted and did not deliver; each recipient is refunded once. */
function refundsOf({ message, to, units, positions }: Outcome): Refund[] {
  const { userId, messageId, holdId, priceMilli, ownPricesMilli } = message;
  if (holdId === null || units === "release" || (to !== "failed" && to !== "dnd")) return [];
  return (positions ?? []).map((position) => ({
    userId,
    holdId,
    reference: `${messageId}:${position}`,
    amountMilli: ownPricesMilli?.get(position) ?? priceMilli,
  }));
}
