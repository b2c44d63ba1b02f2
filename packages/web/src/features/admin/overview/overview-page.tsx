import { Skeleton } from "@mantine/core";
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
import { useCurrentAdmin } from "../../../shared/account/current-user.ts";
import { formatCount, formatNaira } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useWasOnScreen } from "../../../lib/browser/use-is-on-screen.ts";
import { Columns } from "../../../ui/layout/columns.tsx";
import { FailedState } from "../../../ui/lists/list-states.tsx";
import { INTRO_TO_COME, Page } from "../../../ui/layout/page.tsx";
import { StatCard } from "../../../ui/kit/stat-card.tsx";
import { NewestPanel } from "./newest-panel.tsx";
import { overviewQuery } from "./overview-queries.ts";
import classes from "./overview-page.module.css";
import { WaitingPanel } from "./waiting-panel.tsx";

/** A phone shows figures and what waits first; it need not draw four charts, and fetch 110 kB, before somebody scrolls there. */
const CHARTS_AHEAD_PX = 300;
const OverviewCharts = lazy(async () => ({ default: (await import("./overview-charts.tsx")).OverviewCharts }));

/** The whole business: its figures, what needs an administrator now, and how it goes. */
export function OverviewPage() {
  const { data: admin } = useCurrentAdmin();
  return (
    <Page title="Overview" intro={admin === undefined ? INTRO_TO_COME : `Welcome, ${admin.adminFullName}.`}>
      <Cards />
      <Columns shares="equal">
        <WaitingPanel />
        <NewestPanel />
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
