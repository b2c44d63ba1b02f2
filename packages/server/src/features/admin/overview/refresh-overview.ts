import { foldCounters } from "../../../db/counters.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { overviewRefreshed, publishChange } from "../../../events/index.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import { findFirstFlowTime, selectUnitFlows } from "../../../ledger/index.ts";
import {
  deliveryTimesMs,
  findFirstMessageTime,
  networkOfPrefix,
  recountMessages,
  selectTraffic,
  type TrafficRow,
} from "../../delivery/index.ts";
import { refreshMargin } from "../margin/refresh-margin.ts";
import { lagosDayStart } from "./view-overview.ts";
import { findRefreshedAt, type NetworkHour, putRefreshedAt, upsertTraffic, upsertUnitFlows } from "./overview-store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than any transaction, so that what was written under way last time is seen this time. */
const OVERLAP_MS = 2 * HOUR_MS;
/** Whose messages are counted anew in each run: 7,200 customers a day. */
const RECOUNTED_CUSTOMERS = 5;

/** Every minute: adds up what changed for the overview's charts. */
export const overviewQueue: JobQueue = {
  name: "overview",
  retriesMax: 2,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: 20,
  runSecondsMax: 600,
  concurrency: 2,
  cron: "* * * * *",
  handle: refreshOverview,
};

/**
 * Adds up the last hours from their rows, however often it was done before: a report that came late, a job that ran twice or
 * not at all leave no trace. Once an hour it goes back as far as carriers keep trying, once a day as far as reports are
 * taken. Measured with 10,000,000 recipients of 30 days on two very busy cores (2026-11-20): 0.2 to 0.5 s, hourly 5 s, and
 * a minute for all of them, which is done once, when a version without these figures is followed by one that has them.
 */
export async function refreshOverview(deps: Pick<Deps, "db" | "clock" | "config">): Promise<void> {
  const { db } = deps;
  const now = deps.clock.now();
  const last = await findRefreshedAt(db);
  const since = hourStart(
    last === undefined ? await findBeginning(db, now) : new Date(last.getTime() - reachMs(last, now)),
  );
  await foldCounters(db);
  await recountMessages(db, RECOUNTED_CUSTOMERS);
  // Day by day, so that no statement runs for long, whatever the reach.
  for (let day = lagosDayStart(since); day.getTime() <= now.getTime(); day = new Date(day.getTime() + DAY_MS)) {
    await refreshDay(deps, { since: day.getTime() < since.getTime() ? since : day, day });
  }
  await withTransaction(db, async (tx) => {
    await putRefreshedAt(tx, now);
    await publishChange(tx, overviewRefreshed());
  });
}

/** @param period the beginning of a day of Lagos, and from when in it traffic is added up. */
async function refreshDay(
  { db, config }: Pick<Deps, "db" | "config">,
  { since, day }: { since: Date; day: Date },
): Promise<void> {
  const until = new Date(day.getTime() + DAY_MS);
  await withTransaction(db, async (tx) => {
    await refreshMargin(tx, { config }, { since, until });
    await upsertTraffic(tx, byNetwork(await selectTraffic(tx, { since, until })));
    await upsertUnitFlows(tx, await selectUnitFlows(tx, { since: day, until }));
  });
}

/** How far back from its last time the job begins, in milliseconds. */
function reachMs(last: Date, now: Date): number {
  if (lagosDayStart(last).getTime() !== lagosDayStart(now).getTime()) return deliveryTimesMs.reportAge;
  return hourStart(last).getTime() === hourStart(now).getTime() ? OVERLAP_MS : deliveryTimesMs.unknownRelease;
}

async function findBeginning(db: Deps["db"], now: Date): Promise<Date> {
  const times = [await findFirstMessageTime(db), await findFirstFlowTime(db)].filter((time) => time !== undefined);
  return new Date(Math.min(now.getTime(), ...times.map((time) => time.getTime())));
}

function hourStart(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}

function byNetwork(traffic: readonly TrafficRow[]): NetworkHour[] {
  const hours = new Map<string, NetworkHour>();
  for (const { hour, prefix, ...outcomes } of traffic) {
    const network = networkOfPrefix(prefix);
    const key = `${hour.getTime()} ${network}`;
    const sum = hours.get(key);
    if (sum === undefined) hours.set(key, { hour, network, ...outcomes });
    else for (const state of ["sent", "delivered", "failed", "dnd", "unknown"] as const) sum[state] += outcomes[state];
  }
  return [...hours.values()];
}
