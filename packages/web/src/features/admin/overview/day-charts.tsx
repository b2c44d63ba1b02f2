import { BarChart } from "@mantine/charts";
import { formatCount, formatUnits } from "../../../lib/texts/format.ts";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { chartLook, OutcomeBars, quietChart } from "../../../shared/traffic/outcome-bars.tsx";
import { formatDay, outcomeSeries, totalOf, type ChartDay } from "../../../shared/traffic/outcomes.ts";

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
      <OutcomeBars bars={days.map(({ day, outcomes }) => ({ label: formatDay(day), outcomes }))} />
    </ChartPanel>
  );
}

/** Units sold and used by day: a bar for each, since a line would invent values between the days. */
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
      <BarChart
        h={280}
        data={days.map(({ day, unitsSold, unitsUsed }) => ({ day: formatDay(day), unitsSold, unitsUsed }))}
        dataKey="day"
        series={[
          { name: "unitsSold", label: "Sold", color: "var(--ew-chart-2)" },
          { name: "unitsUsed", label: "Used", color: "var(--ew-chart-1)" },
        ]}
        valueFormatter={formatUnits}
        maxBarWidth={14}
        barChartProps={quietChart}
        {...chartLook}
      />
    </ChartPanel>
  );
}
