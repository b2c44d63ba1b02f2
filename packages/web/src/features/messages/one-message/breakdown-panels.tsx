import { Skeleton } from "@mantine/core";
import type { BreakdownAnswer, MessageAnswer, MessageCounts } from "@ewebal/contract";
import { messageCalls } from "@ewebal/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useRef, type ReactNode } from "react";
import { call } from "../../../lib/api/api.ts";
import { useWasOnScreen } from "../../../lib/browser/use-is-on-screen.ts";
import { formatCount, once } from "../../../lib/texts/format.ts";
import { deliveryRate, formatPercent, outcomeSeries } from "../../../shared/traffic/outcomes.ts";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { Fold } from "../../../ui/kit/fold.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { countsInWords } from "../message-counts.ts";
import { CountsBar, CountsLegend } from "../message-progress.tsx";
import classes from "./breakdown-panels.module.css";

type BreakdownPanelsProps = {
  userId: string;
  message: MessageAnswer;
};

/** How the message was delivered: over time, by network, and why recipients did not get it. Follows the counts at the server's pace. */
export function BreakdownPanels({ userId, message }: BreakdownPanelsProps) {
  const breakdown = useBreakdown(userId, message);
  const { sent, delivered, failed, unknown } = message.counts;
  const isHandedOver = sent + delivered + failed + unknown > 0;
  if (breakdown?.isKept === false) return null;
  return (
    <>
      {isHandedOver && <OverTime breakdown={breakdown} />}
      {isHandedOver && message.code === "234" && <ByNetwork networks={breakdown?.networks} />}
      {breakdown !== undefined && breakdown.failures.length > 0 && <Reasons failures={breakdown.failures} />}
    </>
  );
}

/** Where the server names no pause. */
const AGAIN_SECONDS = 2;

/** @returns undefined until it is there; a failure shows nothing, because the counts themselves are on the page. */
function useBreakdown(userId: string, { _id: messageId, counts }: MessageAnswer): BreakdownAnswer | undefined {
  const { data } = useQuery({
    queryKey: ["breakdown", messageId],
    queryFn: async ({ signal }) =>
      (await call(messageCalls.viewBreakdown, { params: { userId, messageId }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
    // The counts are pushed many times a second; this counts recipients, so the server says when it does so again.
    refetchInterval: ({ state: { data: last } }) => {
      if (last === undefined || countsInWords(last.counts) === countsInWords(counts)) return false;
      return (last.againInSeconds ?? AGAIN_SECONDS) * 1_000;
    },
  });
  return data;
}

const OutcomeBars = lazy(async () => ({
  default: (await import("../../../shared/traffic/outcome-bars.tsx")).OutcomeBars,
}));

type Outcomes = BreakdownAnswer["later"];
type Bar = { label: string; outcomes: Outcomes };
const timedSeries = outcomeSeries.filter(({ name }) => name === "delivered" || name === "failed" || name === "dnd");

/** On a phone the drawing (90 kB) is fetched when somebody scrolls to it. */
const CHART_AHEAD_PX = 200;

function OverTime({ breakdown }: { breakdown: BreakdownAnswer | undefined }) {
  const ref = useRef<HTMLDivElement>(null);
  const isNear = useWasOnScreen(ref, CHART_AHEAD_PX);
  const bars = breakdown === undefined ? [] : barsOf(breakdown);
  const total = (name: keyof Outcomes): string =>
    formatCount(bars.reduce((sum, { outcomes }) => sum + outcomes[name], 0));
  return (
    <div ref={ref}>
      {bars.length === 0 ? (
        <Panel title={OVER_TIME}>
          <Room>
            {breakdown === undefined ? (
              <Skeleton h={280} />
            ) : (
              <p className="muted">Results appear here as they arrive.</p>
            )}
          </Room>
        </Panel>
      ) : (
        <ChartPanel
          title={OVER_TIME}
          summary={`${total("delivered")} delivered, ${total("failed")} failed and ${total("dnd")} DND.`}
          rows={bars}
          rowKey={({ label }) => label}
          columns={[
            { title: "Time", cell: ({ label }) => label },
            ...timedSeries.map(({ name, label }) => ({
              title: label,
              isNumeric: true,
              cell: ({ outcomes }: Bar) => formatCount(outcomes[name as keyof Outcomes]),
            })),
          ]}
          empty=""
        >
          <Room>
            {isNear && (
              <Suspense fallback={<Skeleton h={280} />}>
                <OutcomeBars bars={bars} series={timedSeries} />
              </Suspense>
            )}
          </Room>
        </ChartPanel>
      )}
    </div>
  );
}

const OVER_TIME = "Results over time";

/** As high as the chart, whether it is there or not. */
function Room({ children }: { children: ReactNode }) {
  return <div className={classes.room}>{children}</div>;
}

function barsOf({ points, later, stepSeconds }: BreakdownAnswer): Bar[] {
  const days = new Set(points.map(({ at }) => new Date(at).toDateString()));
  const format = timeFormat(stepSeconds, days.size > 1);
  const bars = points.map(({ at, ...outcomes }) => ({ label: format.format(new Date(at)), outcomes }));
  return later.delivered + later.failed + later.dnd > 0 ? [...bars, { label: "later", outcomes: later }] : bars;
}

const LOCALE = "en-NG";
const formats = {
  seconds: once(() => new Intl.DateTimeFormat(LOCALE, { timeStyle: "medium" })),
  minutes: once(() => new Intl.DateTimeFormat(LOCALE, { timeStyle: "short" })),
  days: once(
    () => new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" }),
  ),
};

/** The shortest label that tells two bars apart. */
function timeFormat(stepSeconds: number, hasDays: boolean): Intl.DateTimeFormat {
  if (hasDays) return formats.days();
  return stepSeconds < 60 ? formats.seconds() : formats.minutes();
}

type Network = BreakdownAnswer["networks"][number];

function ByNetwork({ networks }: { networks: readonly Network[] | undefined }) {
  if (networks === undefined || networks.length === 0) {
    return (
      <Panel title={BY_NETWORK}>
        <Skeleton h={120} />
      </Panel>
    );
  }
  return (
    <ChartPanel
      title={BY_NETWORK}
      rows={networks}
      rowKey={({ network }) => network}
      columns={[
        { title: "Network", cell: ({ network }) => network },
        ...outcomeSeries.map(({ name, label }) => ({
          title: label,
          isNumeric: true,
          cell: (row: Network) => formatCount(row[name]),
        })),
        { title: "Delivery rate", isNumeric: true, cell: (row) => formatPercent(deliveryRate(row)) },
      ]}
      empty=""
    >
      <Stack as="ul" gap={16}>
        {networks.map((row) => (
          <li key={row.network}>
            <Stack gap={6}>
              <Inline gap={16} align="baseline" justify="between" className="small">
                <span className="strong">{row.network}</span>
                <span className="numeric">{formatPercent(deliveryRate(row))}</span>
              </Inline>
              <CountsBar counts={toCounts(row)} />
              <CountsLegend counts={toCounts(row)} />
            </Stack>
          </li>
        ))}
      </Stack>
    </ChartPanel>
  );
}

const BY_NETWORK = "Results by network";

function toCounts({ network: _, ...counts }: Network): MessageCounts {
  return { ...counts, waiting: 0, cancelled: 0 };
}

function Reasons({ failures }: { failures: BreakdownAnswer["failures"] }) {
  return (
    <Panel title="Why recipients did not get it">
      <Stack as="ul" divided={12}>
        {failures.map(({ reason, advice, count, carrierCodes }) => (
          <li key={reason} className="small">
            <Inline gap={16} align="baseline" justify="between">
              <span className="strong">{reason}</span>
              <span className="rigid numeric">{formatCount(count)}</span>
            </Inline>
            {advice !== undefined && <p className="muted">{advice}</p>}
            {carrierCodes.length > 0 && (
              <Fold label="Details">
                <p className="muted">
                  {carrierCodes.length === 1 ? "Carrier's code" : "Carriers' codes"}: {carrierCodes.join(", ")}
                </p>
              </Fold>
            )}
          </li>
        ))}
      </Stack>
    </Panel>
  );
}
