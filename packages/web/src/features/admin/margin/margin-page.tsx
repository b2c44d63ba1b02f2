import { Badge, SegmentedControl, Skeleton } from "@mantine/core";
import type { MarginBy, MarginRowAnswer } from "@ewebal/contract";
import { marginCalls } from "@ewebal/contract/calls";
import { lagosDate } from "@ewebal/contract/rules";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { call, fillAddress } from "../../../lib/api/api.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { formatCount, formatRate } from "../../../lib/texts/format.ts";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { ExternalLink } from "../../../ui/kit/links.tsx";
import { StatCard } from "../../../ui/kit/stat-card.tsx";
import { Inline, Tiles } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { nameCountry } from "../country-name.ts";
import { CostsPanel } from "./costs-panel.tsx";

const MarginChart = lazy(async () => ({ default: (await import("./margin-chart.tsx")).MarginChart }));

/** As high as the chart, so that it pushes nothing down. */
const chartToCome = (
  <ChartPanel title="Revenue and cost per day" rows={undefined} columns={[]} rowKey={String} empty="">
    <Skeleton height={280} />
  </ChartPanel>
);

const DAY_MS = 86_400_000;
const ranges = ["7", "30", "90"] as const;
const USUAL_RANGE = "30";

type Period = { from: string; to: string };

/** The margin, which is what customers pay less what carriers bill, and the carriers' costs. */
export function MarginPage() {
  const { values, set } = useAddressFilters(["days"]);
  const range = ranges.find((one) => one === values.days) ?? USUAL_RANGE;
  const nowMs = Date.now();
  const period = { from: lagosDate(new Date(nowMs - (Number(range) - 1) * DAY_MS)), to: lagosDate(new Date(nowMs)) };
  const days = useMargin("day", period);
  return (
    <Page
      title="Margin"
      intro="What customers paid for messages that carriers accepted, less what the carriers bill, in naira. The figures are at most a minute old."
    >
      <SegmentedControl
        aria-label="Days"
        withItemsBorders={false}
        data={ranges.map((count) => ({ value: count, label: `${count} days` }))}
        value={range}
        onChange={(count) => set({ days: count === USUAL_RANGE ? "" : count })}
      />
      <Figures days={days.data ?? []} />
      <Suspense fallback={chartToCome}>
        <MarginChart days={days.data} />
      </Suspense>
      <MarginTable title="By country" by="country" period={period} />
      <MarginTable title="By carrier" by="carrier" period={period} />
      <MarginTable title="By customer" by="customer" period={period} />
      <CostsPanel />
    </Page>
  );
}

function useMargin(by: MarginBy, { from, to }: Period): UseQueryResult<MarginRowAnswer[]> {
  return useQuery({
    queryKey: ["admin", "margin", by, from, to],
    queryFn: async ({ signal }) => (await call(marginCalls.viewMargin, { query: { by, from, to }, signal })).data,
    placeholderData: keepPreviousData,
  });
}

function Figures({ days }: { days: readonly MarginRowAnswer[] }) {
  const sumOf = (name: "messages" | "revenue" | "cost" | "margin" | "uncosted"): number =>
    days.reduce((sum, day) => sum + day[name], 0);
  return (
    <Tiles min={200} gap={16}>
      <StatCard label="Messages" value={formatCount(sumOf("messages"))} />
      <StatCard label="Revenue (NGN)" value={formatRate(sumOf("revenue"))} />
      <StatCard label="Cost (NGN)" value={formatRate(sumOf("cost"))} />
      <StatCard label="Margin (NGN)" value={formatRate(sumOf("margin"))} />
    </Tiles>
  );
}

function MarginTable({ title, by, period }: { title: string; by: MarginBy; period: Period }) {
  const query = useMargin(by, period);
  const rows = query.data ?? [];
  const file = fillAddress(marginCalls.viewMargin.url, {}, { by, ...period, format: "csv" });
  const download = (
    <ExternalLink href={file}>
      <Inline as="span" gap={4} align="center">
        <IconDownload size={16} aria-hidden />
        CSV
      </Inline>
    </ExternalLink>
  );
  return (
    <Panel title={title} aside={rows.length > 0 && download}>
      <ListStates
        query={query}
        rowCount={rows.length}
        empty={{ title: "No messages in these days", text: "What carriers accept appears here within a minute." }}
        skeletonRows={2}
      >
        <DataTable caption={title} columns={columnsFor(by)} rows={rows} rowKey={({ key }) => key} />
      </ListStates>
    </Panel>
  );
}

function columnsFor(by: MarginBy): Column<MarginRowAnswer>[] {
  const numeric = { isNumeric: true };
  return [
    {
      title: by === "country" ? "Country" : by === "carrier" ? "Carrier" : "Customer",
      isHeading: true,
      cell: nameOf(by),
    },
    { title: "Messages", ...numeric, cell: ({ messages }) => formatCount(messages) },
    { title: "Parts", ...numeric, cell: ({ parts }) => formatCount(parts) },
    { title: "Revenue", ...numeric, cell: ({ revenue }) => formatRate(revenue) },
    { title: "Cost", ...numeric, cell: ({ cost }) => formatRate(cost) },
    { title: "Margin", ...numeric, cell: (row) => <MarginCell row={row} /> },
  ];
}

const nameOf =
  (by: MarginBy) =>
  ({ key, name }: MarginRowAnswer): string =>
    by === "country" ? nameCountry(name, key) : name === "" ? key : name;

function MarginCell({ row: { margin, flag, uncosted } }: { row: MarginRowAnswer }) {
  return (
    <>
      <span className="nowrap">{formatRate(margin)}</span>
      {flag !== null && (
        <>
          {" "}
          <Badge variant="light" color={flag === "negative" ? "red" : "yellow"}>
            {flag === "negative" ? "Negative" : `${formatCount(uncosted)} without cost`}
          </Badge>
        </>
      )}
    </>
  );
}
