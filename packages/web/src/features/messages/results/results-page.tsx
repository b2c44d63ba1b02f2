import { Button, SegmentedControl, Skeleton, TextInput } from "@mantine/core";
import type { PeriodResultsAnswer, ResultsAnswer } from "@ewebal/contract";
import { resultCalls } from "@ewebal/contract/calls";
import { lagosDate } from "@ewebal/contract/rules";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import { call, fillAddress } from "../../../lib/api/api.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useWasOnScreen } from "../../../lib/browser/use-is-on-screen.ts";
import { paths, pathTo } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatCount, formatRate } from "../../../lib/texts/format.ts";
import { deliveryRate, formatPercent } from "../../../shared/traffic/outcomes.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { StatCard } from "../../../ui/kit/stat-card.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { findPeriodFault, rangeAddress, readPeriod, resultRanges, type Period } from "./results-period.ts";
import classes from "./results-page.module.css";
import { BalanceAlertPanel } from "./balance-alert-panel.tsx";
import { WeeklyMailPanel } from "./weekly-mail-panel.tsx";

const ResultCharts = lazy(async () => ({ default: (await import("./result-charts.tsx")).ResultCharts }));

/** What came of the messages of some days, or of one message that the address names. */
export function ResultsPage() {
  const { userId } = useSession();
  const { message } = useAddressFilters(["message"]).values;
  if (userId === null) return <Page title="Results">{null}</Page>;
  return message === "" ? <PeriodResults userId={userId} /> : <MessageResults userId={userId} messageId={message} />;
}

function PeriodResults({ userId }: { userId: string }) {
  const { values, set } = useAddressFilters(["from", "to", "days"]);
  const { period, range } = readPeriod(values, Date.now());
  const { from, to } = period;
  const query = useQuery({
    queryKey: ["results", userId, from, to],
    queryFn: async ({ signal }): Promise<PeriodResultsAnswer> =>
      (await call(resultCalls.results, { params: { userId }, query: { from, to }, signal })).data,
    placeholderData: keepPreviousData,
  });
  const results = query.data;
  const isEmpty = results !== undefined && results.recipients === 0 && results.clicks + results.optOuts === 0;
  return (
    <Page
      title="Results"
      intro="What came of your messages, by the day they went out."
      actions={<Download address={fillAddress(resultCalls.results.url, { userId }, { from, to, format: "csv" })} />}
    >
      <Inline gap={12} across={24} wraps className={`${classes.period} no-print`}>
        <SegmentedControl
          aria-label="Days"
          withItemsBorders={false}
          data={resultRanges.map((days) => ({ value: days, label: `${days} days` }))}
          value={range}
          onChange={(days) => set(rangeAddress(days))}
        />
        <OwnDays key={`${from} ${to}`} period={period} onPeriod={(own) => set({ ...own, days: "" })} />
      </Inline>
      {isEmpty ? (
        <Panel>
          <ListStates
            query={query}
            rowCount={0}
            empty={{
              title: "No messages went out in these days",
              text: "Choose other days, or send a message: who got it, who did not and why, clicks and opt-outs then appear here.",
              action: (
                <ButtonLink to={paths.sendSms} data-least="sender">
                  Send SMS
                </ButtonLink>
              ),
            }}
          >
            {null}
          </ListStates>
        </Panel>
      ) : (
        <ListStates
          query={query}
          rowCount={query.error !== null && results === undefined ? 0 : 1}
          empty={{ title: "" }}
        >
          <Figures results={results} />
          <Charts results={results} />
        </ListStates>
      )}
      <WeeklyMailPanel userId={userId} />
      <BalanceAlertPanel userId={userId} />
    </Page>
  );
}

function MessageResults({ userId, messageId }: { userId: string; messageId: string }) {
  const query = useQuery({
    queryKey: ["results", userId, messageId],
    queryFn: async ({ signal }): Promise<ResultsAnswer> =>
      (await call(resultCalls.messageResults, { params: { userId, messageId }, signal })).data,
  });
  return (
    <Page
      title="Results of one message"
      intro="Who got it and when, and what they did."
      back={{ to: pathTo(paths.oneMessage, { messageId }), label: "Message" }}
      actions={
        <Download address={fillAddress(resultCalls.messageResults.url, { userId, messageId }, { format: "csv" })} />
      }
    >
      <ListStates
        query={query}
        rowCount={query.error !== null && query.data === undefined ? 0 : 1}
        empty={{ title: "" }}
      >
        <Figures results={query.data} />
        <Charts results={query.data} />
      </ListStates>
    </Page>
  );
}

function Download({ address }: { address: string }) {
  return (
    <Button
      variant="default"
      component="a"
      href={address}
      download
      leftSection={<IconDownload size={18} stroke={1.8} aria-hidden />}
    >
      Download CSV
    </Button>
  );
}

type OwnDaysProps = {
  period: Period;
  onPeriod: (period: Period) => void;
};

/** Two days of one's own. Taken together and by a press: a date that is being typed is another one at each digit. */
function OwnDays({ period, onPeriod }: OwnDaysProps) {
  const [own, setOwn] = useState(period);
  const [fault, setFault] = useState<string>();
  const today = lagosDate(new Date());
  const field = (name: keyof Period, label: string) => (
    <TextInput
      size="sm"
      type="date"
      label={label}
      max={today}
      value={own[name]}
      error={name === "to" ? fault : undefined}
      onChange={({ currentTarget }) => setOwn({ ...own, [name]: currentTarget.value })}
    />
  );
  return (
    <form
      aria-label="Days of your own"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const found = findPeriodFault(own);
        setFault(found);
        if (found === undefined) onPeriod(own);
      }}
    >
      <Inline gap={8} wraps className={classes.period}>
        {field("from", "From")}
        {field("to", "To")}
        <Button type="submit" size="sm" variant="default">
          Show
        </Button>
      </Inline>
    </form>
  );
}

function Figures({ results }: { results: ResultsAnswer | undefined }) {
  const count = (name: "recipients" | "delivered" | "failed" | "clicks" | "optOuts"): string | undefined =>
    results && formatCount(results[name]);
  const rate = results && deliveryRate({ ...results, dnd: 0 });
  return (
    <div className={classes.figures} aria-label="Figures" role="group" aria-busy={results === undefined}>
      <StatCard label="Recipients" value={count("recipients")} note="Left out ones too" />
      <StatCard
        label="Delivered"
        value={count("delivered")}
        note={
          results === undefined ? "\u00A0" : rate === undefined ? "No reports yet" : `${formatPercent(rate)} of reports`
        }
      />
      <StatCard label="Failed" value={count("failed")} note="Reasons below" />
      <StatCard label="Clicks" value={count("clicks")} note="On short links" />
      <StatCard label="Opt-outs" value={count("optOuts")} note="By link or answer" />
      <StatCard label="Charged" value={results && formatRate(results.charged)} note="Units" />
    </div>
  );
}

/** The charts (110 kB) are fetched when somebody comes near them. */
function Charts({ results }: { results: ResultsAnswer | PeriodResultsAnswer | undefined }) {
  const ref = useRef<HTMLDivElement>(null);
  const isNear = useWasOnScreen(ref, 300);
  return (
    <div ref={ref}>
      {results !== undefined && isNear ? (
        <Suspense fallback={<Skeleton className={classes.chartsToCome} radius="lg" />}>
          <ResultCharts results={results} />
        </Suspense>
      ) : (
        <Stack className={classes.chartsToCome}>{null}</Stack>
      )}
    </div>
  );
}
