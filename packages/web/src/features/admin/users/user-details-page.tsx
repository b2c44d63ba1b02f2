import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { IconAddressBook, IconArrowsExchange, IconCoins, IconMessages, IconPencil } from "@tabler/icons-react";
import type { UserAnswer } from "@ewebal/contract";
import { formatCount, formatUnits } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Columns } from "../../../ui/layout/columns.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { INTRO_TO_COME, Page } from "../../../ui/layout/page.tsx";
import { StatCard } from "../../../ui/kit/stat-card.tsx";
import { customerQuery } from "../customers.ts";
import { managePaths } from "../admin-paths.ts";
import { CustomerPricesPanel } from "./customer-prices-panel.tsx";
import { DailyLimitsPanel } from "./daily-limits-panel.tsx";
import { TransactionalPanel } from "./transactional-panel.tsx";
import { UserFlagsPanel } from "./user-flags-panel.tsx";
import { UserRecordPanel } from "./user-record-panel.tsx";
import classes from "./user-details-page.module.css";

/** One customer: figures, details, and the actions of an administrator. */
export function UserDetailsPage() {
  const { userId = "" } = useParams({ strict: false });
  const query = useQuery(customerQuery(userId));
  const user = query.data;
  const back = { to: paths.manageUsers, label: "All users" };
  return (
    <Page title={user === undefined ? "User" : user.userName} intro={user?.fullName ?? INTRO_TO_COME} back={back}>
      <ListStates query={query} rowCount={user === undefined ? 0 : 1} empty={{ title: "There is no such user" }}>
        {user !== undefined && (
          <>
            <Tiles user={user} />
            <Columns shares="3 to 2">
              <UserRecordPanel user={user} />
              <UserFlagsPanel user={user} />
            </Columns>
            <TransactionalPanel userId={userId} userName={user.userName} />
            <CustomerPricesPanel userId={userId} />
            <DailyLimitsPanel userId={userId} />
          </>
        )}
      </ListStates>
    </Page>
  );
}

function Tiles({ user: { _id: userId, counts, units } }: { user: UserAnswer }) {
  return (
    <div className={classes.tiles}>
      <StatCard
        label="Successful messages"
        value={formatCount(counts.sms)}
        icon={<IconMessages size={20} stroke={1.6} />}
        to={managePaths.userMessages(userId)}
      />
      <StatCard
        label="Transactions made"
        value={formatCount(counts.transfers)}
        icon={<IconArrowsExchange size={20} stroke={1.6} />}
        to={managePaths.userTransactions(userId)}
      />
      <StatCard label="Drafted SMS" value={formatCount(counts.draft)} icon={<IconPencil size={20} stroke={1.6} />} />
      <StatCard
        label="Contact lists"
        value={formatCount(counts.phonebook)}
        icon={<IconAddressBook size={20} stroke={1.6} />}
      />
      <StatCard label="SMS units" value={formatUnits(units)} icon={<IconCoins size={20} stroke={1.6} />} />
    </div>
  );
}
