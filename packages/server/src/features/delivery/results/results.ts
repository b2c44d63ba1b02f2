/**
 * What came of messages, by reason, network and hour. The tallies of messages are always those of now. What only the recipients' rows know is
 * counted when a tally has changed, and kept: a message or a day with few recipients at every look, one with many after a pause.
 */
import { lagosDayStart, type OutcomeReason } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { readHoldOutcomes } from "../../../ledger/index.ts";
import { selectClickTotals } from "../links/link-store.ts";
import { getMessage } from "../lists/list-messages.ts";
import { networkOfPrefix } from "../lists/message-list-store.ts";
import { readReason } from "../lists/reasons.ts";
import { smallestIdOf } from "../states.ts";
import {
  claimCount,
  countOptOutsBy,
  putCount,
  selectDayClicks,
  selectDayOptOuts,
  selectDayTallies,
  selectFailures,
  selectKeptCounts,
  selectMessagesOf,
  selectOutcomeGroups,
  type Counted,
  type OutcomeGroup,
} from "./result-store.ts";

const DAY_MS = 24 * 3_600_000;
/** So many recipients are counted in less than 0.1 s. */
const COUNTED_AT_ONCE_MAX = 50_000;
const PAUSE_MS_PER_MILLION = 60_000;
const FAILURE_GROUPS_MAX = 200;

export type Results = {
  recipients: number;
  delivered: number;
  failed: number;
  networks: Counted["networks"];
  /** `at` is when the hour begins, in seconds from 1970. */
  hours: Counted["hours"];
  reasons: Counted["reasons"];
  clicks: number;
  optOuts: number;
  chargedMilli: number;
};

export type DayResults = Omit<Results, "networks" | "hours" | "reasons"> & { day: string; messages: number };
export type PeriodResults = Results & { days: DayResults[] };

type ResultDeps = Pick<Deps, "db" | "clock">;
const NOTHING: Counted = { networks: [], hours: [], reasons: [], chargedMilli: 0 };

/** @throws AppError `NOT_FOUND` as `getMessage`. */
export async function readMessageResults(
  deps: ResultDeps,
  key: { userId: string; messageId: string },
): Promise<Results> {
  const { userId, messageId } = key;
  const message = await getMessage(deps.db, key);
  const { delivered, failed } = message.counts;
  const subject = { userId, subject: messageId, recipients: message.recipientCount, tally: `${delivered} ${failed}` };
  const [kept] = await selectKeptCounts(deps.db, userId, [messageId]);
  const counted = await countAgain(deps, subject, kept, async () => await countOutcomes(deps.db, userId, [messageId]));
  return {
    ...counted,
    recipients: message.recipientCount,
    delivered,
    failed,
    clicks: (await selectClickTotals(deps.db, key)).total,
    optOuts: await countOptOutsBy(deps.db, key),
    chargedMilli: message.units.chargedMilli,
  };
}

/** The same over some days. @param days of Lagos, in order, one at least. */
export async function readPeriodResults(
  deps: ResultDeps,
  { userId, days }: { userId: string; days: readonly string[] },
): Promise<PeriodResults> {
  const { db } = deps;
  const starts = days.map(lagosDayStart);
  const until = new Date((starts.at(-1)?.getTime() ?? 0) + DAY_MS);
  const bounds = starts.map((start) => smallestIdOf(start.getTime()));
  const toId = smallestIdOf(until.getTime());
  const period = { userId, fromId: bounds[0] ?? toId, toId };
  const tallies = new Map((await selectDayTallies(db, period, bounds)).map((tally) => [tally.index, tally]));
  const clicks = countsByDay(await selectDayClicks(db, period, bounds));
  const optOuts = countsByDay(await selectDayOptOuts(db, userId, { bounds: starts, until }));
  const kept = new Map((await selectKeptCounts(db, userId, days)).map((one) => [one.subject, one]));
  const counts: Counted[] = [];
  const results: DayResults[] = [];
  for (const [index, day] of days.entries()) {
    const { messages, tally, recipients, delivered, failed } = tallies.get(index) ?? NO_TALLY;
    const ofDay = { userId, fromId: bounds[index] ?? toId, toId: bounds[index + 1] ?? toId };
    const counted =
      messages === 0
        ? NOTHING
        : await countAgain(deps, { userId, subject: day, recipients, tally }, kept.get(day), () => countDay(db, ofDay));
    counts.push(counted);
    results.push({
      day,
      messages,
      recipients,
      delivered,
      failed,
      clicks: clicks.get(index) ?? 0,
      optOuts: optOuts.get(index) ?? 0,
      chargedMilli: counted.chargedMilli,
    });
  }
  const sum = (name: "recipients" | "delivered" | "failed" | "clicks" | "optOuts" | "chargedMilli"): number =>
    results.reduce((total, one) => total + one[name], 0);
  return {
    ...addUp(counts),
    recipients: sum("recipients"),
    delivered: sum("delivered"),
    failed: sum("failed"),
    clicks: sum("clicks"),
    optOuts: sum("optOuts"),
    chargedMilli: sum("chargedMilli"),
    days: results,
  };
}

const NO_TALLY = { messages: 0, tally: "", recipients: 0, delivered: 0, failed: 0 };

function countsByDay(rows: readonly { index: number; count: number }[]): Map<number, number> {
  return new Map(rows.map(({ index, count }) => [index, count]));
}

type Subject = { userId: string; subject: string; recipients: number; tally: string };

/** What is kept when it still holds, or when it was counted a moment ago; else what `count` brings, which is kept then. */
async function countAgain(
  { db, clock }: ResultDeps,
  { recipients, tally, ...key }: Subject,
  kept: { tally: string; counted: Counted } | undefined,
  count: () => Promise<Counted>,
): Promise<Counted> {
  if (kept?.tally === tally) return kept.counted;
  if (recipients > COUNTED_AT_ONCE_MAX) {
    const now = clock.now();
    const since = new Date(now.getTime() - (recipients / 1e6) * PAUSE_MS_PER_MILLION);
    if (!(await claimCount(db, key, { now, since }))) return kept?.counted ?? NOTHING;
  }
  const counted = await count();
  await putCount(db, key, { tally, counted });
  return counted;
}

async function countDay(db: Db, period: { userId: string; fromId: string; toId: string }): Promise<Counted> {
  const { userId } = period;
  const messages = await selectMessagesOf(db, period);
  const counted = await countOutcomes(
    db,
    userId,
    messages.map(({ messageId }) => messageId),
  );
  const holds = messages.map(({ holdId }) => ({ userId, holdId: holdId ?? undefined }));
  const outcomes = await readHoldOutcomes(db, holds);
  return { ...counted, chargedMilli: outcomes.reduce((sum, { chargedMilli }) => sum + chargedMilli, 0) };
}

/** Its cost grows with the recipients: about 1 s for 1,000,000. */
async function countOutcomes(db: Db, userId: string, messageIds: readonly string[]): Promise<Counted> {
  const groups = await withTransaction(db, (tx) => selectOutcomeGroups(tx, userId, messageIds));
  const failures = await selectFailures(db, userId, messageIds, FAILURE_GROUPS_MAX);
  const reasons = new Map<OutcomeReason, number>();
  const failedCount = byHour(groups).reduce((sum, { failed }) => sum + failed, 0);
  let namedCount = 0;
  for (const { errorCode, count } of failures) {
    const kind = readReason(errorCode, "failed")?.kind ?? "notDelivered";
    reasons.set(kind, (reasons.get(kind) ?? 0) + count);
    namedCount += count;
  }
  if (failedCount > namedCount)
    reasons.set("notDelivered", (reasons.get("notDelivered") ?? 0) + failedCount - namedCount);
  return {
    networks: byNetwork(groups),
    hours: byHour(groups),
    reasons: largestFirst([...reasons].map(([kind, count]) => ({ kind, count }))),
    chargedMilli: 0,
  };
}

function byHour(groups: readonly OutcomeGroup[]): Counted["hours"] {
  return groups
    .flatMap(({ hour, delivered, failed }) => (hour === null ? [] : [{ at: hour, delivered, failed }]))
    .toSorted((one, other) => one.at - other.at);
}

function byNetwork(groups: readonly OutcomeGroup[]): Counted["networks"] {
  return addNetworks(
    groups.flatMap(({ prefix, delivered, failed }) =>
      prefix === null ? [] : [{ network: networkOfPrefix(prefix), delivered, failed }],
    ),
  );
}

function addNetworks(parts: Counted["networks"]): Counted["networks"] {
  const sums = new Map<string, Counted["networks"][number]>();
  for (const { network, delivered, failed } of parts) {
    const sum = sums.get(network) ?? { network, delivered: 0, failed: 0 };
    sums.set(network, sum);
    sum.delivered += delivered;
    sum.failed += failed;
  }
  const sizeOf = ({ delivered, failed }: Counted["networks"][number]): number => delivered + failed;
  return [...sums.values()].toSorted((one, other) => sizeOf(other) - sizeOf(one));
}

function addUp(counts: readonly Counted[]): Pick<Counted, "networks" | "hours" | "reasons"> {
  const hours = new Map<number, Counted["hours"][number]>();
  const reasons = new Map<OutcomeReason, number>();
  for (const counted of counts) {
    // An outcome of a late message may come in an hour of the next day.
    for (const { at, delivered, failed } of counted.hours) {
      const sum = hours.get(at) ?? { at, delivered: 0, failed: 0 };
      hours.set(at, { at, delivered: sum.delivered + delivered, failed: sum.failed + failed });
    }
    for (const { kind, count } of counted.reasons) reasons.set(kind, (reasons.get(kind) ?? 0) + count);
  }
  return {
    networks: addNetworks(counts.flatMap(({ networks }) => networks)),
    hours: [...hours.values()].toSorted((one, other) => one.at - other.at),
    reasons: largestFirst([...reasons].map(([kind, count]) => ({ kind, count }))),
  };
}

function largestFirst(reasons: Counted["reasons"]): Counted["reasons"] {
  return reasons.toSorted((one, other) => other.count - one.count);
}
