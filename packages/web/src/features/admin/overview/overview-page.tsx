import { Skeleton, Badge } from "@mantine/core";
import {
  IconAddressBook,
  IconArrowsExchange,
  IconCoins,
  IconMessages,
  IconPencil,
  IconShieldCheck,
  IconUsers,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useRef } from "react";
import { formatCount, formatNaira } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useWasOnScreen } from "../../../lib/browser/use-is-on-screen.ts";
import { Email } from "../../../ui/kit/email.tsx";
import { Columns } from "../../../ui/layout/columns.tsx";
import { FailedState, ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { StatCard } from "../../../ui/kit/stat-card.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { newestCustomersQuery } from "../customers.ts";
import { overviewQuery } from "./overview-queries.ts";
import classes from "./overview-page.module.css";
import { SendingPanel } from "./sending-panel.tsx";
import { WaitingPanel } from "./waiting-panel.tsx";

/**
 * A phone shows the figures and the waiting tasks first, and fetches the four charts (110 kB) only when somebody
 * scrolls to them.
 */
const CHARTS_AHEAD_PX = 300;
const OverviewCharts = lazy(async () => ({ default: (await import("./overview-charts.tsx")).OverviewCharts }));

/** The whole business: its figures, the tasks that wait for an administrator, what is being sent, and the charts. */
export function OverviewPage() {
  return (
    <Page title="Overview" intro="What waits for you, what is being sent, and how the business is doing.">
      <Cards />
      <Columns shares="equal">
        <WaitingPanel />
        <Stack gap={16}>
          <SendingPanel />
          <NewestPanel />
        </Stack>
      </Columns>
      <Charts />
    </Page>
  );
}

function Charts() {
  const ref = useRef<HTMLDivElement>(null);
  const isNear = useWasOnScreen(ref, CHARTS_AHEAD_PX);
  return (
    <div ref={ref}>
      {isNear ? (
        <Suspense fallback={<Skeleton className={classes.chartsToCome} radius="lg" />}>
          <OverviewCharts />
        </Suspense>
      ) : (
        <div className={classes.chartsToCome} />
      )}
    </div>
  );
}

function Cards() {
  const { data: figures, error, refetch } = useQuery(overviewQuery);
  if (figures === undefined && error !== null) return <FailedState error={error} onRetry={() => void refetch()} />;
  const count = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : formatCount(value);
  const icon = { size: 20, stroke: 1.6 };
  return (
    <div className={classes.figures}>
      <StatCard
        label="Registered users"
        value={count(figures?.registeredUsers)}
        icon={<IconUsers {...icon} />}
        to={paths.manageUsers}
      />
      <StatCard label="Worth of units" value={figures && formatNaira(figures.units)} icon={<IconCoins {...icon} />} />
      <StatCard
        label="Total transactions"
        value={count(figures?.transactions)}
        icon={<IconArrowsExchange {...icon} />}
        to={paths.manageAllTransactions}
      />
      <StatCard
        label="Successful SMS"
        value={count(figures?.successfulSms)}
        icon={<IconMessages {...icon} />}
        to={paths.manageSms}
      />
      <StatCard
        label="Drafted SMS"
        value={count(figures?.draftedSms)}
        icon={<IconPencil {...icon} />}
        to={paths.manageDrafts}
      />
      <StatCard label="Active users" value={count(figures?.activeUsers)} icon={<IconUsers {...icon} />} />
      <StatCard label="Total contact lists" value={count(figures?.contactLists)} icon={<IconAddressBook {...icon} />} />
      <StatCard
        label="Open requests"
        value={count(figures?.waiting.requests)}
        icon={<IconShieldCheck {...icon} />}
        to={paths.actionWhitelist}
      />
    </div>
  );
}

const SHOWN_MAX = 5;

/** The customers who registered last, and whether each mailbox is verified. */
function NewestPanel() {
  const query = useQuery(newestCustomersQuery);
  const users = query.data?.users.slice(0, SHOWN_MAX) ?? [];
  return (
    <Panel title="Newest users">
      <ListStates
        query={query}
        rowCount={users.length}
        empty={{ title: "There are no users yet", text: "New users will be listed here." }}
        skeletonRows={3}
      >
        <Stack as="ul" divided={12}>
          {users.map((user) => (
            <Inline as="li" key={user._id} gap={8} across={16} align="center" justify="between" className={classes.row}>
              <div className="shrinkable anywhere">
                <p className="strong">{user.fullName}</p>
                <p className="muted small">
                  <Email email={user.email} />
                </p>
                <p className="muted small">
                  Registered <RelativeTime iso={user.createdAt} />
                </p>
              </div>
              <Badge color={user.verified ? "green" : "gray"} variant="light">
                {user.verified ? "Verified" : "Not verified"}
              </Badge>
            </Inline>
          ))}
        </Stack>
      </ListStates>
    </Panel>
  );
}
