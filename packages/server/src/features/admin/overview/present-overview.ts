/** What the overview's calls answer: cards, charts, and what waits. */
import {
  unitsForJson,
  type OverviewAnswer,
  type OverviewCharts,
  type TrafficOutcomes,
  type WaitingAnswer,
  type WaitingCountsAnswer,
} from "@ewebal/contract";
import type { Outcomes } from "./overview-store.ts";
import type { ChartFigures, OverviewFigures } from "./view-overview.ts";
import type { WaitingCounts, WaitingThing } from "./view-waiting.ts";

const NO_TRAFFIC: Outcomes = { sent: 0, delivered: 0, failed: 0, dnd: 0, unknown: 0 };

export function presentOverview({ users, freeMilli, waiting, ...figures }: OverviewFigures): OverviewAnswer {
  return {
    registeredUsers: users.registered,
    activeUsers: users.active,
    units: unitsForJson(freeMilli),
    reviews: waiting.reviews,
    ...figures,
    waiting: { ...waiting, oldestAt: waiting.oldestAt?.toISOString() ?? null },
  };
}

export function presentCharts({ days, networks, topCustomers, asOf }: ChartFigures): OverviewCharts {
  return {
    days: days.map(({ day, outcomes, soldMilli, usedMilli }) => ({
      day,
      outcomes: outcomesOf(outcomes),
      unitsSold: unitsForJson(soldMilli),
      unitsUsed: unitsForJson(usedMilli),
    })),
    networks: networks.map((row) => ({ network: row.network, outcomes: outcomesOf(row) })),
    topCustomers: topCustomers.map(({ userId, usedMilli, ...customer }) => ({
      _id: userId,
      ...customer,
      unitsUsed: unitsForJson(usedMilli),
    })),
    asOf: asOf?.toISOString() ?? null,
  };
}

function outcomesOf({ sent, delivered, failed, dnd, unknown }: Outcomes = NO_TRAFFIC): TrafficOutcomes {
  return { sent, delivered, failed, dnd, unknown };
}

export function presentWaiting({ id, isFlagged, createdAt, ...thing }: WaitingThing): WaitingAnswer {
  return { _id: id, ...thing, flagged: isFlagged, createdAt: createdAt.toISOString() };
}

export function presentWaitingCounts({ oldestAt: _oldestAt, ...counts }: WaitingCounts): WaitingCountsAnswer {
  return counts;
}
