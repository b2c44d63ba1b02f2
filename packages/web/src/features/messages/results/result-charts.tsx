import { BarChart } from "@mantine/charts";
import type { PeriodResultsAnswer, ResultsAnswer } from "@ewebal/contract";
import { formatCount, formatCounted, formatRate, once } from "../../../lib/texts/format.ts";
import { chartLook, OutcomeBars, quietChart } from "../../../shared/traffic/outcome-bars.tsx";
import { deliveryRate, formatDay, formatPercent, outcomeSeries } from "../../../shared/traffic/outcomes.ts";
import { BarList } from "../../../ui/kit/bar-list.tsx";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { Columns } from "../../../ui/layout/columns.tsx";

type Day = PeriodResultsAnswer["days"][number];
type Hour = ResultsAnswer["hours"][number];
type Outcomes = Pick<Hour, "delivered" | "failed">;
type Hourly = Outcomes & { label: string };

const series = outcomeSeries.filter(({ name }) => name === "delivered" || name === "failed");

/** Results by day, network, hour and reason; of one message, which has no days, by the other three. */
export function ResultCharts({ results }: { results: ResultsAnswer | PeriodResultsAnswer }) {
  const { networks, reasons } = results;
  const days = "days" in results ? results.days : undefined;
  return (
    <Columns shares="equal">
      {days !== undefined && <Days days={days} />}
      {days !== undefined && <ClicksAndOptOuts days={days} />}
      <Hours
        hours={days === undefined ? eachHour(results.hours) : hoursOfDay(results.hours)}
        isOfDay={days !== undefined}
      />
      <Stack gap={16}>
        <Networks networks={networks} />
        <Reasons reasons={reasons} />
      </Stack>
    </Columns>
  );
}

const sumOf = (rows: readonly Outcomes[], name: keyof Outcomes): number =>
  rows.reduce((sum, row) => sum + row[name], 0);

const outcomesInWords = (rows: readonly Outcomes[]): string =>
  `${formatCount(sumOf(rows, "delivered"))} delivered and ${formatCount(sumOf(rows, "failed"))} failed`;

function Days({ days }: { days: readonly Day[] }) {
  const numeric = { isNumeric: true };
  return (
    <ChartPanel
      title="Results per day"
      summary={`${outcomesInWords(days)} in ${formatCounted(days.length, "day")}.`}
      rows={days.some(({ delivered, failed }) => delivered + failed > 0) ? days : []}
      rowKey={({ day }) => day}
      columns={[
        { title: "Day", cell: ({ day }) => formatDay(day) },
        { title: "Messages", ...numeric, cell: ({ messages }) => formatCount(messages) },
        { title: "Recipients", ...numeric, cell: ({ recipients }) => formatCount(recipients) },
        { title: "Delivered", ...numeric, cell: ({ delivered }) => formatCount(delivered) },
        { title: "Failed", ...numeric, cell: ({ failed }) => formatCount(failed) },
        { title: "Units charged", ...numeric, cell: ({ charged }) => formatRate(charged) },
      ]}
      empty="Delivery reports appear here as they arrive."
    >
      <OutcomeBars
        series={series}
        bars={days.map(({ day, delivered, failed }) => ({ label: formatDay(day), outcomes: { delivered, failed } }))}
      />
    </ChartPanel>
  );
}

function ClicksAndOptOuts({ days }: { days: readonly Day[] }) {
  const clicks = days.reduce((sum, day) => sum + day.clicks, 0);
  const optOuts = days.reduce((sum, day) => sum + day.optOuts, 0);
  return (
    <ChartPanel
      title="Clicks and opt-outs per day"
      summary={`${formatCounted(clicks, "click")} and ${formatCounted(optOuts, "opt-out")}.`}
      rows={clicks + optOuts === 0 ? [] : days}
      rowKey={({ day }) => day}
      columns={[
        { title: "Day", cell: ({ day }) => formatDay(day) },
        { title: "Clicks", isNumeric: true, cell: (day) => formatCount(day.clicks) },
        { title: "Opt-outs", isNumeric: true, cell: (day) => formatCount(day.optOuts) },
      ]}
      empty="Nobody followed a short link or opted out in these days."
    >
      <BarChart
        h={280}
        data={days.map((day) => ({ day: formatDay(day.day), clicks: day.clicks, optOuts: day.optOuts }))}
        dataKey="day"
        series={[
          { name: "clicks", label: "Clicks", color: "var(--ew-chart-1)" },
          { name: "optOuts", label: "Opt-outs", color: "var(--ew-chart-3)" },
        ]}
        valueFormatter={formatCount}
        maxBarWidth={14}
        barChartProps={quietChart}
        {...chartLook}
      />
    </ChartPanel>
  );
}

const HOURS = 24;
/** Lagos is an hour ahead of UTC all year round; days and hours are those of Lagos on this page. */
const TIME_ZONE = "Africa/Lagos";
const hourFormat = once(
  () => new Intl.DateTimeFormat("en-NG", { hour: "2-digit", hourCycle: "h23", timeZone: TIME_ZONE }),
);
const dayHourFormat = once(
  () =>
    new Intl.DateTimeFormat("en-NG", {
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone: TIME_ZONE,
    }),
);

/** Many days on one clock face: when in the day outcomes are known. */
function hoursOfDay(hours: readonly Hour[]): Hourly[] {
  if (hours.length === 0) return [];
  const clock = Array.from({ length: HOURS }, (_, hour): Hourly => {
    const label = `${String(hour).padStart(2, "0")}:00`;
    return { label, delivered: 0, failed: 0 };
  });
  for (const { hour, delivered, failed } of hours) {
    const bar = clock[Number(hourFormat().format(new Date(hour)))];
    if (bar === undefined) continue;
    bar.delivered += delivered;
    bar.failed += failed;
  }
  return clock;
}

function eachHour(hours: readonly Hour[]): Hourly[] {
  return hours.map(({ hour, delivered, failed }) => ({
    label: dayHourFormat().format(new Date(hour)),
    delivered,
    failed,
  }));
}

function Hours({ hours, isOfDay }: { hours: readonly Hourly[]; isOfDay: boolean }) {
  return (
    <ChartPanel
      title={isOfDay ? "Results by hour of the day" : "Results per hour"}
      summary={`${outcomesInWords(hours)}.`}
      rows={hours}
      rowKey={({ label }) => label}
      columns={[
        { title: "Hour", cell: ({ label }) => label },
        { title: "Delivered", isNumeric: true, cell: ({ delivered }) => formatCount(delivered) },
        { title: "Failed", isNumeric: true, cell: ({ failed }) => formatCount(failed) },
      ]}
      empty="Delivery reports appear here as they arrive."
    >
      <OutcomeBars
        series={series}
        bars={hours.map(({ label, delivered, failed }) => ({ label, outcomes: { delivered, failed } }))}
      />
    </ChartPanel>
  );
}

function Networks({ networks }: { networks: ResultsAnswer["networks"] }) {
  const rate = (outcomes: Outcomes): number | undefined => deliveryRate({ ...outcomes, dnd: 0 });
  return (
    <ChartPanel
      title="Delivery rate by network"
      rows={networks}
      rowKey={({ network }) => network}
      columns={[
        { title: "Network", cell: ({ network }) => network },
        { title: "Delivered", isNumeric: true, cell: ({ delivered }) => formatCount(delivered) },
        { title: "Failed", isNumeric: true, cell: ({ failed }) => formatCount(failed) },
        { title: "Delivery rate", isNumeric: true, cell: (row) => formatPercent(rate(row)) },
      ]}
      empty="Delivery reports appear here as they arrive."
    >
      <BarList
        color="var(--ew-chart-2)"
        bars={networks.map((row) => ({
          key: row.network,
          name: row.network,
          note: `${formatCount(row.delivered)} delivered, ${formatCount(row.failed)} failed`,
          value: formatPercent(rate(row)),
          percent: rate(row) ?? 0,
        }))}
      />
    </ChartPanel>
  );
}

function Reasons({ reasons }: { reasons: ResultsAnswer["reasons"] }) {
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  const share = (count: number): number => (count / Math.max(1, total)) * 100;
  return (
    <ChartPanel
      title="Why recipients did not get it"
      rows={reasons}
      rowKey={({ reason }) => reason}
      columns={[
        { title: "Reason", cell: ({ reason }) => reason },
        { title: "Recipients", isNumeric: true, cell: ({ count }) => formatCount(count) },
        { title: "Share", isNumeric: true, cell: ({ count }) => formatPercent(share(count)) },
      ]}
      empty="No message failed."
    >
      <BarList
        color="var(--ew-chart-4)"
        bars={reasons.map(({ reason, count }) => ({
          key: reason,
          name: reason,
          note: formatPercent(share(count)),
          value: formatCounted(count, "recipient"),
          percent: share(count),
        }))}
      />
    </ChartPanel>
  );
}
