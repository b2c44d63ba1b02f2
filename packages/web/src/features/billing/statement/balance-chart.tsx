import "@mantine/charts/styles.layer.css";
import { AreaChart } from "@mantine/charts";
import type { DayBalance } from "@ewebal/contract";
import { formatUnits } from "../../../lib/texts/format.ts";
import { chartLook, quietChart } from "../../../shared/traffic/outcome-bars.tsx";
import { formatDay } from "../../../shared/traffic/outcomes.ts";

/** The balance at the end of each day, level through the day: nothing is known of the hours between. Load it lazily. */
export function BalanceChart({ days }: { days: readonly DayBalance[] }) {
  return (
    <AreaChart
      {...chartLook}
      h={180}
      data={days.map(({ day, balance }) => ({ day: formatDay(day), balance }))}
      dataKey="day"
      series={[{ name: "balance", label: "Balance", color: "var(--ew-chart-1)" }]}
      valueFormatter={formatUnits}
      curveType="step"
      withDots={false}
      withLegend={false}
      areaChartProps={quietChart}
    />
  );
}
