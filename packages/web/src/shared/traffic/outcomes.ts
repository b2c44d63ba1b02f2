import type { OverviewCharts, TrafficOutcomes } from "@ewebal/contract";
import { once } from "../../lib/texts/format.ts";

export type ChartDay = OverviewCharts["days"][number];
export type ChartNetwork = OverviewCharts["networks"][number];
export type ChartCustomer = OverviewCharts["topCustomers"][number];

export type OutcomeSeries = { name: keyof TrafficOutcomes; label: string; color: string };

/** The outcomes of a recipient, in the order in which charts stack them. Each has a word besides its colour. */
export const outcomeSeries: readonly OutcomeSeries[] = [
  { name: "delivered", label: "Delivered", color: "var(--ew-chart-2)" },
  { name: "sent", label: "Sent, no report yet", color: "var(--ew-chart-1)" },
  { name: "failed", label: "Failed", color: "var(--ew-chart-4)" },
  { name: "dnd", label: "DND", color: "var(--ew-chart-3)" },
  { name: "unknown", label: "Unknown", color: "var(--ew-chart-5)" },
];

export function totalOf(outcomes: TrafficOutcomes): number {
  return outcomeSeries.reduce((sum, { name }) => sum + outcomes[name], 0);
}

/** The percentage delivered of the recipients with a known outcome; undefined when there are none. */
export function deliveryRate(outcomes: Pick<TrafficOutcomes, "delivered" | "failed" | "dnd">): number | undefined {
  const known = outcomes.delivered + outcomes.failed + outcomes.dnd;
  return known === 0 ? undefined : (outcomes.delivered / known) * 100;
}

const percentFormat = once(() => new Intl.NumberFormat("en-NG", { maximumFractionDigits: 1 }));

/** Cut, not rounded: 99.96 % is `99.9 %`, because 100 % is said when it is true. */
export function formatPercent(percent: number | undefined): string {
  // What 2.3 * 10 falls short of 23 by is no tenth.
  return percent === undefined ? "No reports yet" : `${percentFormat().format(Math.floor(percent * 10 + 1e-6) / 10)} %`;
}

const dayFormat = once(() => new Intl.DateTimeFormat("en-NG", { day: "numeric", month: "short", timeZone: "UTC" }));

/** `20 Nov` for `2026-11-20`. */
export function formatDay(day: string): string {
  return dayFormat().format(new Date(`${day}T00:00:00Z`));
}

const compactFormat = once(() => new Intl.NumberFormat("en-NG", { notation: "compact", maximumFractionDigits: 1 }));

/** `12K`, so that the axis of a chart stays narrow. */
export function formatCompact(value: number): string {
  return compactFormat().format(value);
}
