import { BarChart } from "@mantine/charts";
import { formatCount } from "../../../lib/texts/format.ts";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { chartLook, quietChart } from "./chart-look.ts";
import { formatDay, outcomeSeries, totalOf, type ChartDay } from "./outcomes.ts";

/** Recipients by day, by what became of them. */
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
      empty="Nothing was sent in these days."
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
