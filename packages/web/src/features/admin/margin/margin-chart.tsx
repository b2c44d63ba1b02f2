import { BarChart } from "@mantine/charts";
import type { MarginRowAnswer } from "@ewebal/contract";
import { formatCount, formatRate } from "../../../lib/texts/format.ts";
import { chartLook, quietChart } from "../../../shared/traffic/outcome-bars.tsx";
import { formatDay } from "../../../shared/traffic/outcomes.ts";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";

/** Revenue and cost by day: a bar for each. @param days undefined while they are on the way. */
export function MarginChart({ days }: { days: readonly MarginRowAnswer[] | undefined }) {
  const sumOf = (name: "revenue" | "cost"): number => (days ?? []).reduce((sum, day) => sum + day[name], 0);
  return (
    <ChartPanel
      title="Revenue and cost per day"
      summary={`${formatRate(sumOf("revenue"))} naira paid by customers and ${formatRate(sumOf("cost"))} billed by carriers.`}
      rows={days}
      rowKey={({ key }) => key}
      columns={[
        { title: "Day", cell: ({ key }) => formatDay(key) },
        { title: "Messages", isNumeric: true, cell: ({ messages }) => formatCount(messages) },
        { title: "Revenue", isNumeric: true, cell: ({ revenue }) => formatRate(revenue) },
        { title: "Cost", isNumeric: true, cell: ({ cost }) => formatRate(cost) },
        { title: "Margin", isNumeric: true, cell: ({ margin }) => formatRate(margin) },
      ]}
      empty="No carrier accepted a message in these days."
    >
      <BarChart
        h={280}
        data={(days ?? []).map(({ key, revenue, cost }) => ({ day: formatDay(key), revenue, cost }))}
        dataKey="day"
        series={[
          { name: "revenue", label: "Revenue", color: "var(--ew-chart-2)" },
          { name: "cost", label: "Cost", color: "var(--ew-chart-3)" },
        ]}
        valueFormatter={formatRate}
        maxBarWidth={14}
        barChartProps={quietChart}
        {...chartLook}
      />
    </ChartPanel>
  );
}
