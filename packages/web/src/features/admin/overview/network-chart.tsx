import { formatCount, formatCounted } from "../../../lib/texts/format.ts";
import { BarList } from "../../../ui/kit/bar-list.tsx";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { deliveryRate, formatPercent, outcomeSeries, totalOf, type ChartNetwork } from "./outcomes.ts";

/** How much of what is known arrived, network by network; the busiest first. */
export function NetworkChart({ networks }: { networks: readonly ChartNetwork[] }) {
  return (
    <ChartPanel
      title="Delivery rate by network"
      rows={networks}
      rowKey={({ network }) => network}
      columns={[
        { title: "Network", cell: ({ network }) => network },
        ...outcomeSeries.map(({ name, label }) => ({
          title: label,
          isNumeric: true,
          cell: ({ outcomes }: ChartNetwork) => formatCount(outcomes[name]),
        })),
        { title: "Delivery rate", isNumeric: true, cell: ({ outcomes }) => formatPercent(deliveryRate(outcomes)) },
      ]}
      empty="Nothing was sent in these days."
    >
      <BarList
        color="var(--ew-chart-2)"
        bars={networks.map(({ network, outcomes }) => {
          const percent = deliveryRate(outcomes);
          return {
            key: network,
            name: network,
            note: formatCounted(totalOf(outcomes), "recipient"),
            value: formatPercent(percent),
            percent: percent ?? 0,
          };
        })}
      />
    </ChartPanel>
  );
}
