import { findLikelyNetwork } from "@ewebal/contract";
import { foldTallies } from "../../db/tally.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { publishChange } from "../../events/index.ts";
import type { JobQueue } from "../../jobs/job-queue.ts";
import { selectUnitFlows } from "../../ledger/index.ts";
import { deliveryTimesMs, selectTraffic, type TrafficRow } from "../delivery/index.ts";
import { lagosDayStart } from "./lagos-days.ts";
import { findRefreshedAt, type NetworkHour, putRefreshedAt, upsertTraffic, upsertUnitFlows } from "./overview-store.ts";

const HOUR_MS = 3_600_000;
/** Longer than any transaction, so that what was written under way last time is seen this time. */
const OVERLAP_MS = 2 * HOUR_MS;

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
 * not at all leave no trace. Once an hour it goes back as far as reports may come. With 10,000,000 recipients of 30 days
 * a run takes 0.1 s, the hourly one 1.5 s (2026-11-20).
 */
export async function refreshOverview(deps: Pick<Deps, "db" | "clock">): Promise<void> {
  const { db } = deps;
  const now = deps.clock.now();
  const last = await findRefreshedAt(db);
  const trafficSince = hourStart(new Date(startOfWork(last, now)));
  const flowsSince = lagosDayStart(new Date(last === undefined ? 0 : last.getTime() - OVERLAP_MS));
  const [traffic, flows] = [await selectTraffic(db, trafficSince), await selectUnitFlows(db, flowsSince)];
  await foldTallies(db);
  await withTransaction(db, async (tx) => {
    await upsertTraffic(tx, byNetwork(traffic));
    await upsertUnitFlows(tx, flows);
    await putRefreshedAt(tx, now);
    await publishChange(tx, { admin: true, topics: ["overview"] });
  });
}

/** From when on traffic is added up again, in milliseconds. */
function startOfWork(last: Date | undefined, now: Date): number {
  if (last === undefined) return 0;
  const isFirstOfHour = hourStart(last).getTime() !== hourStart(now).getTime();
  return last.getTime() - (isFirstOfHour ? deliveryTimesMs.reportAge : OVERLAP_MS);
}

function hourStart(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}

function byNetwork(traffic: readonly TrafficRow[]): NetworkHour[] {
  const hours = new Map<string, NetworkHour>();
  for (const { hour, prefix, ...outcomes } of traffic) {
    const network = networkOf(prefix);
    const key = `${hour.getTime()} ${network}`;
    const sum = hours.get(key);
    if (sum === undefined) hours.set(key, { hour, network, ...outcomes });
    else for (const state of ["sent", "delivered", "failed", "dnd", "unknown"] as const) sum[state] += outcomes[state];
  }
  return [...hours.values()];
}

/** @param prefix as `selectTraffic` gives it. */
function networkOf(prefix: number): string {
  if (prefix === 0) return "Abroad";
  return findLikelyNetwork(`${prefix}000000`)?.name ?? "Other networks";
}
