import "@mantine/charts/styles.layer.css";
import { BarChart } from "@mantine/charts";
import type { TrafficOutcomes } from "@ewebal/contract";
import { formatCount } from "../../lib/texts/format.ts";
import { formatCompact, outcomeSeries, type OutcomeSeries } from "./outcomes.ts";

/** The properties that the charts over time share. */
export const chartLook = {
  textColor: "var(--ew-muted)",
  gridColor: "var(--ew-line)",
  strokeDasharray: "0",
  tickLine: "none",
  withLegend: true,
  // In the order of the series, not alphabetical.
  legendProps: { verticalAlign: "bottom", height: 60, itemSorter: null },
  styles: { legend: { justifyContent: "flex-start" } },
  // The same number of days between any two that are named.
  xAxisProps: { interval: "equidistantPreserveStart", minTickGap: 24, tickMargin: 8 },
  yAxisProps: { tickFormatter: formatCompact, width: 44, allowDecimals: false },
} as const;

/** Room for the upper half of the topmost label: it would be moved down, and push the next one out of sight. */
const TOP_LABEL = { top: 8 } as const;

/**
 * The chart is a picture with a table beside it: the keyboard layer of recharts would announce an application without a
 * name.
 */
export const quietChart = { accessibilityLayer: false, margin: TOP_LABEL } as const;

type OutcomeBarsProps = {
  /** One bar each; `label` stands below it. */
  bars: readonly { label: string; outcomes: Partial<TrafficOutcomes> }[];
  /** What is stacked; all outcomes unless said otherwise. */
  series?: readonly OutcomeSeries[];
};

/** Recipients over time as stacked bars, 280 px high. Load it lazily: the drawing takes 90 kB. */
export function OutcomeBars({ bars, series = outcomeSeries }: OutcomeBarsProps) {
  return (
    <BarChart
      h={280}
      data={bars.map(({ label, outcomes }) => ({ label, ...outcomes }))}
      dataKey="label"
      type="stacked"
      series={[...series]}
      valueFormatter={formatCount}
      maxBarWidth={28}
      barChartProps={quietChart}
      {...chartLook}
    />
  );
}
