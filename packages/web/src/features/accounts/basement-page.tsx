import { IconAddressBook, IconArrowsExchange, IconCoins, IconMessages, IconPencil } from "@tabler/icons-react";
import { useCurrentUser } from "../../lib/current-user.ts";
import { formatCount, formatUnits } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { FailedState } from "../../ui/list-states.tsx";
import { Page } from "../../ui/page.tsx";
import { StatCard } from "../../ui/stat-card.tsx";
import { Announcements } from "./announcements.tsx";
import classes from "./basement-page.module.css";
import { FirstSteps } from "./first-steps.tsx";

/** The summary: what there is, and what to do first. */
export function BasementPage() {
  const { data: user, error, refetch } = useCurrentUser();
  if (user === undefined && error !== null) {
    return (
      <Page title="Basement">
        <FailedState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  const count = (name: "sms" | "draft" | "phonebook" | "transfers"): string | undefined =>
    user === undefined ? undefined : formatCount(user.counts[name]);
  return (
    <Page title="Basement" intro={user === undefined ? undefined : `Welcome, ${user.fullName}.`}>
      {user !== undefined && <FirstSteps user={user} />}
      <Announcements />
      <div className={classes.figures} data-balance>
        <StatCard
          label="Available Units"
          value={user === undefined ? undefined : formatUnits(user.units)}
          icon={<IconCoins size={20} stroke={1.6} />}
          note="1 unit is 1 naira of sending credit"
          to={paths.statement}
        />
        <StatCard label="Total SMS" value={count("sms")} icon={<IconMessages size={20} stroke={1.6} />} to={paths.smsHistory} />
        <StatCard label="Current Drafts" value={count("draft")} icon={<IconPencil size={20} stroke={1.6} />} />
        <StatCard label="Phonebook" value={count("phonebook")} icon={<IconAddressBook size={20} stroke={1.6} />} to={paths.allContacts} />
        <StatCard label="Transactions" value={count("transfers")} icon={<IconArrowsExchange size={20} stroke={1.6} />} />
      </div>
    </Page>
  );
}
