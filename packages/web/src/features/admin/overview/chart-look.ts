import { formatCompact } from "./outcomes.ts";

/** What all charts over days have in common. */
export const chartLook = {
  textColor: "var(--ew-muted)",
  gridColor: "var(--ew-line)",
  strokeDasharray: "0",
  tickLine: "none",
  withLegend: true,
  // In the order of the series, not of the alphabet.
  legendProps: { verticalAlign: "bottom", height: 60, itemSorter: null },
  styles: { legend: { justifyContent: "flex-start" } },
  xAxisProps: { minTickGap: 24, tickMargin: 8 },
  yAxisProps: { tickFormatter: formatCompact, width: 44, allowDecimals: false },
} as const;

/** A picture with a table beside it: recharts' own keyboard layer would announce an application without a name. */
export const quietChart = { accessibilityLayer: false } as const;
