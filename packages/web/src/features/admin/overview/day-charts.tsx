import { BarChart, AreaChart } from "@mantine/charts";
import { formatCount, formatUnits } from "../../../lib/texts/format.ts";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { formatDay, outcomeSeries, totalOf, type ChartDay, formatCompact } from "./outcomes.ts";

/** The properties that the charts over days share. */
const chartLook = {
  textColor: "var(--ew-muted)",
  gridColor: "var(--ew-line)",
  strokeDasharray: "0",
  tickLine: "none",
  withLegend: true,
  // In the order of the series, not alphabetical.
  legendProps: { verticalAlign: "bottom", height: 60, itemSorter: null },
  styles: { legend: { justifyContent: "flex-start" } },
  xAxisProps: { minTickGap: 24, tickMargin: 8 },
  yAxisProps: { tickFormatter: formatCompact, width: 44, allowDecimals: false },
} as const;

/**
 * The chart is a picture with a table beside it: the keyboard layer of recharts would announce an application without a
 * name.
 */
const quietChart = { accessibilityLayer: false } as const;

/** Recipients by day and outcome. */
export function TrafficChart({ days }: { days: readonly ChartDay[] }) {
  const total = days.reduce((sum, { outcomes }) => sum + totalOf(outcomes), 0);
  return (
    <ChartPanel
      title="Messages per day"
      summary={`${formatCount(total)} recipients in ${days.length} days.`}
      rows={total === 0 ? [] : days}
      rowKey={({ day }) => day}
      columns={[
        { title: "Day", cell: ({ day }) => formatDay(day) },
        ...outcomeSeries.map(({ name, label }) => ({
          title: label,
          isNumeric: true,
          cell: ({ outcomes }: ChartDay) => formatCount(outcomes[name]),
        })),
      ]}
      empty="No messages were sent in this period."
    >
      <BarChart
        h={280}
        data={days.map(({ day, outcomes }) => ({ day: formatDay(day), ...outcomes }))}
        dataKey="day"
        type="stacked"
        series={[...outcomeSeries]}
        valueFormatter={formatCount}
        maxBarWidth={28}
        barChartProps={quietChart}
        {...chartLook}
      />
    </ChartPanel>
  );
}

/** Units sold and used by day. */
export function UnitsChart({ days }: { days: readonly ChartDay[] }) {
  const sold = days.reduce((sum, { unitsSold }) => sum + unitsSold, 0);
  const used = days.reduce((sum, { unitsUsed }) => sum + unitsUsed, 0);
  return (
    <ChartPanel
      title="Units sold and used"
      summary={`${formatUnits(sold)} units sold and ${formatUnits(used)} used in ${days.length} days.`}
      rows={sold === 0 && used === 0 ? [] : days}
      rowKey={({ day }) => day}
      columns={[
        { title: "Day", cell: ({ day }) => formatDay(day) },
        { title: "Sold", isNumeric: true, cell: ({ unitsSold }) => formatUnits(unitsSold) },
        { title: "Used", isNumeric: true, cell: ({ unitsUsed }) => formatUnits(unitsUsed) },
      ]}
      empty="No units were sold or used in this period."
    >
      <AreaChart
        h={280}
        data={days.map(({ day, unitsSold, unitsUsed }) => ({ day: formatDay(day), unitsSold, unitsUsed }))}
        dataKey="day"
        series={[
          { name: "unitsSold", label: "Sold", color: "var(--ew-chart-2)" },
          { name: "unitsUsed", label: "Used", color: "var(--ew-chart-1)" },
        ]}
        valueFormatter={formatUnits}
        curveType="monotone"
        withDots={false}
        areaChartProps={quietChart}
        {...chartLook}
      />
    </ChartPanel>
  );
}
