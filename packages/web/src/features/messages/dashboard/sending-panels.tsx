import type { MessageDayAnswer } from "@ewebal/contract";
import { limits } from "@ewebal/contract/rules";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useRef } from "react";
import { useWasOnScreen } from "../../../lib/browser/use-is-on-screen.ts";
import { fixedTexts } from "../../../lib/texts/catalogue-texts.ts";
import { formatCount, formatCounted } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { countOpen, countRecipients, sumDays, useLiveMessageDays } from "../../../shared/traffic/message-days.ts";
import { deliveryRate, formatDay, formatPercent, type OutcomeSeries } from "../../../shared/traffic/outcomes.ts";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { ButtonLink, TextLink } from "../../../ui/kit/links.tsx";
import { Tiles } from "../../../ui/layout/boxes.tsx";
import { Columns } from "../../../ui/layout/columns.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { FailedState, ListStates } from "../../../ui/lists/list-states.tsx";
import { HistoryCards } from "../history/history-row.tsx";
import { newestMessagesQuery } from "../message-queries.ts";
import classes from "./sending-panels.module.css";

const OutcomeBars = lazy(async () => ({
  default: (await import("../../../shared/traffic/outcome-bars.tsx")).OutcomeBars,
}));

/** How a customer's messages do: the last 30 days, and the newest messages while they are delivered. */
export function SendingPanels() {
  const { userId } = useSession();
  const { data: user } = useCurrentUser();
  if (userId === null || user === undefined) return null;
  if (user.counts.sms === 0) return <NothingSent />;
  return (
    <Columns shares="3 to 2">
      <DaysPanel />
      <NewestPanel userId={userId} />
    </Columns>
  );
}

const daysTitle = `Last ${limits.dashboardDays} days`;

/** One panel for a newcomer: two empty ones would say nothing more. */
function NothingSent() {
  const query = { isPending: false, error: null, refetch: () => undefined };
  const empty = {
    title: fixedTexts.noMessages,
    text: "Once you send, your delivery results per day and your last messages appear here.",
    action: (
      <ButtonLink to={paths.sendSms} data-least="sender">
        Send your first SMS
      </ButtonLink>
    ),
  };
  return (
    <Panel title={daysTitle}>
      <ListStates query={query} rowCount={0} empty={empty}>
        {null}
      </ListStates>
    </Panel>
  );
}

/** A customer's four words; what has no final result stands as one. */
const daySeries: readonly OutcomeSeries[] = [
  { name: "delivered", label: "Delivered", color: "var(--ew-chart-2)" },
  { name: "sent", label: "No result yet", color: "var(--ew-chart-1)" },
  { name: "failed", label: "Failed", color: "var(--ew-chart-4)" },
  { name: "dnd", label: "DND", color: "var(--ew-chart-3)" },
];

/** Recipients by day and result, with the share that was delivered. What is on the way has the height of what comes. */
function DaysPanel() {
  const { data: days, error, refetch } = useLiveMessageDays();
  if (days === undefined && error !== null) {
    return (
      <Panel title={daysTitle}>
        <FailedState error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  }
  const { counts } = sumDays(days ?? []);
  const rate = deliveryRate(counts);
  const figures = [
    // As high as a figure: the words for "none yet" have no room here.
    { name: "Delivery rate", value: rate === undefined ? "–" : formatPercent(rate) },
    { name: "Recipients", value: formatCount(countRecipients(counts)) },
    { name: "Failed", value: formatCount(counts.failed) },
    { name: "DND", value: formatCount(counts.dnd) },
  ];
  return (
    <ChartPanel
      title={daysTitle}
      rows={days}
      rowKey={({ day }) => day}
      columns={[
        { title: "Day", cell: ({ day }) => formatDay(day) },
        { title: "Messages", isNumeric: true, cell: (day) => formatCount(day.messages) },
        { title: "Delivered", isNumeric: true, cell: (day) => formatCount(day.counts.delivered) },
        { title: "No result yet", isNumeric: true, cell: (day) => formatCount(countOpen(day.counts)) },
        { title: "Failed", isNumeric: true, cell: (day) => formatCount(day.counts.failed) },
        { title: "DND", isNumeric: true, cell: (day) => formatCount(day.counts.dnd) },
      ]}
      empty={nothingInDays}
    >
      <Tiles as="dl" min={96} gap={12} across={16} className={classes.figures} aria-busy={days === undefined}>
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt className="muted small">{name}</dt>
            <dd className="numeric">{days === undefined ? "–" : value}</dd>
          </div>
        ))}
      </Tiles>
      <DaysChart days={days} />
    </ChartPanel>
  );
}

const nothingInDays = `No messages were sent in the last ${limits.dashboardDays} days.`;

/** The picture is fetched (90 kB) only when somebody comes near it. */
function DaysChart({ days }: { days: readonly MessageDayAnswer[] | undefined }) {
  const ref = useRef<HTMLDivElement>(null);
  const isNear = useWasOnScreen(ref);
  const { messages, counts } = sumDays(days ?? []);
  // One element in every state: it is what is watched.
  const isDrawn = days !== undefined && messages > 0;
  const summary = `Recipients by the day of their message: ${formatCounted(countRecipients(counts), "recipient")}, ${formatCount(counts.delivered)} delivered.`;
  return (
    <div ref={ref} className={classes.chart} {...(isDrawn && { role: "img", "aria-label": summary })}>
      {days !== undefined && messages === 0 && <p className="muted">{nothingInDays}</p>}
      {isDrawn && isNear && (
        <Suspense>
          <OutcomeBars
            series={daySeries}
            bars={days.map(({ day, counts: { delivered, failed, dnd, ...open } }) => ({
              label: formatDay(day),
              outcomes: { delivered, sent: countOpen(open), failed, dnd },
            }))}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The messages that were sent last, live. */
function NewestPanel({ userId }: { userId: string }) {
  const query = useQuery(newestMessagesQuery(useQueryClient(), userId));
  const messageIds = query.data ?? [];
  return (
    <Panel title="Last messages" aside={<TextLink to={paths.smsHistory}>SMS history</TextLink>}>
      <ListStates query={query} rowCount={messageIds.length} empty={{ title: fixedTexts.noMessages }} skeletonRows={3}>
        <HistoryCards userId={userId} messageIds={messageIds} isBrief />
      </ListStates>
    </Panel>
  );
}
