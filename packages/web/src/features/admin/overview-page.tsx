import { IconShieldCheck, IconUsers } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { formatCount } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { Page } from "../../ui/page.tsx";
import { StatCard } from "../../ui/stat-card.tsx";
import { useCurrentAdmin } from "./current-admin.ts";
import { newestCustomersQuery } from "./customers.ts";
import { NewestPanel } from "./newest-panel.tsx";
import classes from "./overview-page.module.css";
import { WaitingPanel } from "./waiting-panel.tsx";
import { whitelistRequestsQuery } from "./whitelist-requests.ts";

/** What needs an administrator now, and who came last. */
export function OverviewPage() {
  const { data: admin } = useCurrentAdmin();
  const { data: waiting } = useInfiniteQuery(whitelistRequestsQuery("pending"));
  const { data: newest } = useQuery(newestCustomersQuery);
  return (
    <Page title="Overview" intro={admin === undefined ? undefined : `Welcome, ${admin.adminFullName}.`}>
      <div className={classes.figures}>
        <StatCard
          label="Registered users"
          value={newest && formatAtLeast(newest.users.length, newest.hasMore)}
          icon={<IconUsers size={20} stroke={1.6} />}
        />
        <StatCard
          label="Open requests"
          value={waiting && formatAtLeast(waiting.requests.length, waiting.hasMore)}
          icon={<IconShieldCheck size={20} stroke={1.6} />}
          to={paths.actionWhitelist}
        />
      </div>
      <div className={classes.columns}>
        <WaitingPanel />
        <NewestPanel />
      </div>
    </Page>
  );
}

/** `12`, or `100+` when one answer does not hold them all. */
function formatAtLeast(count: number, hasMore: boolean): string {
  return `${formatCount(count)}${hasMore ? "+" : ""}`;
}
