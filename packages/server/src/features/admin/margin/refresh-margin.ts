/** Adds up what carriers accepted with what it brought and cost. Called by the overview's job, for the hours that it adds up anew. */
import type { Deps } from "../../../base/deps.ts";
import type { Tx } from "../../../db/transaction.ts";
import { findCost, selectAccepted, selectCostChanges, selectCosts } from "../../delivery/index.ts";
import { upsertMargins, type MarginHour } from "./margin-store.ts";

/** @param period from the beginning of an hour to the beginning of another; every hour in it is added up as a whole. */
export async function refreshMargin(
  tx: Tx,
  { config }: Pick<Deps, "config">,
  { since, until }: { since: Date; until: Date },
): Promise<void> {
  const moments = [since, ...(await selectCostChanges(tx, { since, until })), until];
  const hours = new Map<string, MarginHour>();
  // Between two changes each cost is one figure.
  for (const [index, from] of moments.slice(0, -1).entries()) {
    const costs = await selectCosts(tx, from);
    const startDigits = Math.max(0, ...costs.map(({ prefix }) => prefix.length));
    const accepted = await selectAccepted(
      tx,
      { since: from, until: moments[index + 1] ?? until },
      { startDigits, isRefundingFailed: config.isRefundingFailed },
    );
    for (const { userId, hour, carrierId, carrierName, code, start, messages, parts, revenueMilli } of accepted) {
      const key = `${userId} ${hour.getTime()} ${carrierId} ${code}`;
      const sum = hours.get(key) ?? {
        userId,
        hour,
        carrierId,
        code,
        messages: 0,
        parts: 0,
        revenueMilli: 0,
        costMilli: 0,
        uncosted: 0,
      };
      const own = costs.filter((cost) => cost.carrierName === carrierName);
      const costMilli = findCost(own, start);
      sum.messages += messages;
      sum.parts += parts;
      sum.revenueMilli += revenueMilli;
      if (costMilli === undefined) sum.uncosted += messages;
      else sum.costMilli += costMilli * parts;
      hours.set(key, sum);
    }
  }
  if (hours.size > 0) await upsertMargins(tx, [...hours.values()]);
}
