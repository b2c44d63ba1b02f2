import { AreaChart } from "@mantine/charts";
import { formatUnits } from "../../../lib/texts/format.ts";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { chartLook, quietChart } from "./chart-look.ts";
import { formatDay, type ChartDay } from "./outcomes.ts";

/** Units that came and went by day. */
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
      empty="No units were sold or used in these days."
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
