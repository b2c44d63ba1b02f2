import { formatUnits } from "../../../lib/texts/format.ts";
import { BarList } from "../../../ui/kit/bar-list.tsx";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { managePaths } from "../manage-paths.ts";
import type { ChartCustomer } from "./outcomes.ts";

/** Who used the most units. */
export function TopCustomersChart({ customers }: { customers: readonly ChartCustomer[] }) {
  const most = customers[0]?.unitsUsed ?? 1;
  return (
    <ChartPanel
      title="Top customers"
      rows={customers}
      rowKey={({ _id }) => _id}
      columns={[
        { title: "User Name", cell: ({ userName }) => userName },
        { title: "Email Address", cell: ({ email }) => email },
        { title: "Units used", isNumeric: true, cell: ({ unitsUsed }) => formatUnits(unitsUsed) },
      ]}
      empty="Nobody used units in these days."
    >
      <BarList
        color="var(--ew-chart-1)"
        bars={customers.map(({ _id: userId, userName, email, unitsUsed }) => ({
          key: userId,
          name: userName,
          to: managePaths.user(userId),
          note: email,
          value: `${formatUnits(unitsUsed)} units`,
          percent: (unitsUsed / most) * 100,
        }))}
      />
    </ChartPanel>
  );
}
