import type { MessageCounts, OutcomeReason } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { deliveryStateName, type DeliveryState } from "../states.ts";
import {
  BIN_SECONDS,
  claimBreakdown,
  findBreakdown,
  putBreakdown,
  selectDeliveryGroups,
  selectFailureGroups,
  type Breakdown,
  type DeliveryGroup,
  type FailureGroup,
  type HandedState,
  type TimedOutcomes,
} from "./breakdown-store.ts";
import { getMessage } from "./list-messages.ts";
import { networkOfPrefix } from "./message-list-store.ts";
import { readReason } from "./reasons.ts";

type TimedState = keyof TimedOutcomes;

export type ViewedBreakdown = Breakdown & {
  /** Undefined while nothing was handed over. */
  countedAt: Date | undefined;
  /** Seconds after which counting again is worth it; undefined when nothing has moved since. */
  againInSeconds: number | undefined;
};

/** Counting costs 1 s for 1,000,000 recipients. So it takes a sixtieth of one connection's time at most, however many look. */
const PAUSE_SECONDS_PER_MILLION = 60;
const PAUSE_SECONDS_MIN = 2;
/** Carriers may write anything into a report; what is behind so many codes is told without its reason. */
const FAILURE_GROUPS_MAX = 200;
/** Of one reason; they are for whoever asks the carrier. */
const CARRIER_CODES_MAX = 5;
const POINTS_MAX = 40;
const STEPS_SECONDS = [5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400] as const;
/** So much of the outcomes decides the step; see `later`. */
const TIMELY_SHARE = 0.98;

/**
 * How a message was delivered over time, by network, and why recipients did not get it. Read from what was counted last; counted
 * again, by one caller at a time, when the counts have moved and the pause is over, which grows with the message.
 *
 * @throws AppError `NOT_FOUND` as `getMessage`.
 */
export async function viewBreakdown(
  { db, clock }: Pick<Deps, "db" | "clock">,
  key: { userId: string; messageId: string },
): Promise<ViewedBreakdown> {
  const { counts, recipientCount } = await getMessage(db, key);
  if (handedOver(counts) === 0 && counts.dnd === 0) return nothingYet(counts);
  const last = await findBreakdown(db, key);
  if (last !== undefined && isSame(last.breakdown.counts, counts)) {
    return { ...last.breakdown, countedAt: last.countedAt, againInSeconds: undefined };
  }
  const pauseSeconds = Math.max(PAUSE_SECONDS_MIN, Math.ceil((recipientCount / 1e6) * PAUSE_SECONDS_PER_MILLION));
  const now = clock.now();
  const since = new Date(now.getTime() - pauseSeconds * 1_000);
  if (!(await claimBreakdown(db, key, { now, since }))) {
    const known = last === undefined ? nothingYet(counts) : { ...last.breakdown, countedAt: last.countedAt };
    return { ...known, againInSeconds: pauseSeconds };
  }
  const breakdown = await countBreakdown(db, key, counts);
  await putBreakdown(db, key, { countedAt: now, breakdown });
  return { ...breakdown, countedAt: now, againInSeconds: undefined };
}

/** @param counts read before: what moves meanwhile is then missing in the counts, and not in what is counted, and is counted again. */
async function countBreakdown(
  db: Db,
  key: { userId: string; messageId: string },
  counts: MessageCounts,
): Promise<Breakdown> {
  const groups = await withTransaction(db, (tx) => selectDeliveryGroups(tx, key));
  const networks = byNetwork(groups);
  const found = { sent: 0, delivered: 0, failed: 0, dnd: 0, unknown: 0 };
  for (const network of networks) {
    for (const state of Object.keys(found) as HandedState[]) found[state] += network[state];
  }
  const foundCount = Object.values(found).reduce((sum, count) => sum + count, 0);
  const isKept = foundCount >= handedOver(counts);
  const failures =
    found.failed + found.dnd + found.unknown === 0 ? [] : await selectFailureGroups(db, key, FAILURE_GROUPS_MAX);
  // Those that were skipped have no delivery; the message's count of them has both.
  const skippedCount = isKept ? Math.max(0, counts.dnd - found.dnd) : 0;
  return { counts, isKept, ...overTime(groups), networks, failures: byReason(failures, found, skippedCount) };
}

function handedOver({ sent, delivered, failed, unknown }: MessageCounts): number {
  return sent + delivered + failed + unknown;
}

function nothingYet(counts: MessageCounts): ViewedBreakdown {
  const later = { delivered: 0, failed: 0, dnd: 0 };
  const empty = { points: [], networks: [], failures: [], stepSeconds: BIN_SECONDS, later };
  return { counts, isKept: true, ...empty, countedAt: undefined, againInSeconds: undefined };
}

function isSame(one: MessageCounts, other: MessageCounts): boolean {
  return (Object.keys(one) as (keyof MessageCounts)[]).every((state) => (one[state] ?? 0) === (other[state] ?? 0));
}

function byNetwork(groups: readonly DeliveryGroup[]): Breakdown["networks"] {
  const networks = new Map<string, Breakdown["networks"][number]>();
  for (const { prefix, state, count } of groups) {
    if (prefix === null) continue;
    const network = networkOfPrefix(prefix);
    let entry = networks.get(network);
    if (entry === undefined) {
      entry = { network, sent: 0, delivered: 0, failed: 0, dnd: 0, unknown: 0 };
      networks.set(network, entry);
    }
    const name = deliveryStateName(state);
    if (name !== "optedOut") entry[name] += count;
  }
  const sizeOf = ({ sent, delivered, failed, dnd, unknown }: Breakdown["networks"][number]): number =>
    sent + delivered + failed + dnd + unknown;
  return [...networks.values()].toSorted((one, other) => sizeOf(other) - sizeOf(one));
}

/** Puts the narrow bins together, into points that a chart has room for. */
export function overTime(groups: readonly DeliveryGroup[]): Pick<Breakdown, "stepSeconds" | "points" | "later"> {
  const bins = groups
    .flatMap(({ at, state, count }) => {
      const name = deliveryStateName(state);
      return at === null || !isTimed(name) ? [] : [{ at, name, count }];
    })
    .toSorted((one, other) => one.at - other.at);
  const later: TimedOutcomes = { delivered: 0, failed: 0, dnd: 0 };
  const [first, last] = [bins[0], bins.at(-1)];
  if (first === undefined || last === undefined) return { stepSeconds: BIN_SECONDS, points: [], later };
  const timelyAt = lastTimely(bins);
  const stepSeconds = stepFor(timelyAt - first.at);
  const start = Math.floor(first.at / stepSeconds) * stepSeconds;
  const end = stepFor(last.at - first.at) === stepSeconds ? last.at : timelyAt;
  const pointCount = Math.floor((end - start) / stepSeconds) + 1;
  const points = Array.from({ length: pointCount }, (_, index) => {
    return { at: start + index * stepSeconds, delivered: 0, failed: 0, dnd: 0 };
  });
  for (const { at, name, count } of bins) (points[Math.floor((at - start) / stepSeconds)] ?? later)[name] += count;
  return { stepSeconds, points, later };
}

function isTimed(state: DeliveryState): state is TimedState {
  return state === "delivered" || state === "failed" || state === "dnd";
}

/** @returns when the outcomes that decide the step were there, in seconds. */
function lastTimely(bins: readonly { at: number; count: number }[]): number {
  let rest = bins.reduce((sum, { count }) => sum + count, 0) * TIMELY_SHARE;
  for (const { at, count } of bins) {
    rest -= count;
    if (rest <= 0) return at;
  }
  return bins.at(-1)?.at ?? 0;
}

function stepFor(spanSeconds: number): number {
  return STEPS_SECONDS.find((step) => spanSeconds / step < POINTS_MAX) ?? 86_400;
}

function byReason(
  groups: readonly FailureGroup[],
  found: Record<HandedState, number>,
  skippedCount: number,
): Breakdown["failures"] {
  const reasons = new Map<OutcomeReason, Breakdown["failures"][number]>();
  const add = (kind: OutcomeReason, count: number, carrierCode = ""): void => {
    if (count <= 0) return;
    const entry = reasons.get(kind) ?? { kind, count: 0, carrierCodes: [] };
    reasons.set(kind, entry);
    entry.count += count;
    if (carrierCode !== "" && entry.carrierCodes.length < CARRIER_CODES_MAX) entry.carrierCodes.push(carrierCode);
  };
  let namedCount = 0;
  for (const { errorCode, state, count } of groups) {
    const read = readReason(errorCode, deliveryStateName(state));
    add(read?.kind ?? "notDelivered", count, read?.carrierCode);
    namedCount += count;
  }
  add("notDelivered", found.failed + found.dnd + found.unknown - namedCount);
  add("dndListed", skippedCount);
  return [...reasons.values()].toSorted((one, other) => other.count - one.count);
}
