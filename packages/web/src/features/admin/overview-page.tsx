import { IconAddressBook, IconArrowsExchange, IconCoins, IconMessages, IconPencil, IconShieldCheck, IconUserCheck, IconUsers } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { formatCount, formatNaira } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { Columns } from "../../ui/columns.tsx";
import { FailedState } from "../../ui/list-states.tsx";
import { Page } from "../../ui/page.tsx";
import { StatCard } from "../../ui/stat-card.tsx";
import { useCurrentAdmin } from "./current-admin.ts";
import { NewestPanel } from "./newest-panel.tsx";
import { overviewQuery } from "./overview-queries.ts";
import classes from "./overview-page.module.css";
import { WaitingPanel } from "./waiting-panel.tsx";
import { whitelistRequestsQuery } from "./whitelist-requests.ts";

// The charts bring 90 kB; the figures and what waits do not wait for them.
const OverviewCharts = lazy(async () => ({ default: (await import("./overview-charts.tsx")).OverviewCharts }));

/** The whole business: its figures, what needs an administrator now, and how it goes. */
export function OverviewPage() {
  const { data: admin } = useCurrentAdmin();
  return (
    <Page title="Overview" intro={admin === undefined ? undefined : `Welcome, ${admin.adminFullName}.`}>
      <Cards />
      <Columns shares="equal">
        <WaitingPanel />
        <NewestPanel />
      </Columns>
      <Suspense fallback={<div className={classes.chartsToCome} />}>
        <OverviewCharts />
      </Suspense>
    </Page>
  );
}

function Cards() {
  const { data: figures, error, refetch } = useQuery(overviewQuery);
  const { data: waiting } = useInfiniteQuery(whitelistRequestsQuery("pending"));
  if (figures === undefined && error !== null) return <FailedState error={error} onRetry={() => void refetch()} />;
  const count = (value: number | undefined): string | undefined => (value === undefined ? undefined : formatCount(value));
  const icon = { size: 20, stroke: 1.6 };
  return (
    <div className={classes.figures}>
      <StatCard label="Registered users" value={count(figures?.registeredUsers)} icon={<IconUsers {...icon} />} to={paths.manageUsers} />
      <StatCard label="Worth of units" value={figures && formatNaira(figures.units)} icon={<IconCoins {...icon} />} />
      <StatCard label="Total transactions" value={count(figures?.transactions)} icon={<IconArrowsExchange {...icon} />} to={paths.manageAllTransactions} />
      <StatCard label="Successful SMS" value={count(figures?.successfulSms)} icon={<IconMessages {...icon} />} to={paths.manageSms} />
      <StatCard label="Drafted SMS" value={count(figures?.draftedSms)} icon={<IconPencil {...icon} />} to={paths.manageDrafts} />
      <StatCard label="Active users" value={count(figures?.activeUsers)} icon={<IconUserCheck {...icon} />} />
      <StatCard label="Total contact lists" value={count(figures?.contactLists)} icon={<IconAddressBook {...icon} />} />
      <StatCard
        label="Open requests"
        value={waiting && `${formatCount(waiting.requests.length)}${waiting.hasMore ? "+" : ""}`}
        icon={<IconShieldCheck {...icon} />}
        to={paths.actionWhitelist}
      />
    </div>
  );
}
