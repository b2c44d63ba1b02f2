import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { INTRO_TO_COME, Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { customerQuery } from "../customers.ts";
import { managePaths } from "../admin-paths.ts";
import { depositFilters, useDeposits } from "./deposit-queries.ts";
import { DepositsFilter } from "./deposits-filter.tsx";
import { DepositsTable } from "./deposits-table.tsx";

/** The bank deposits of one customer, newest first. */
export function UserDepositsPage() {
  const { userId = "" }: { userId?: string } = useParams({ strict: false });
  const { data: user } = useQuery(customerQuery(userId));
  const filters = useAddressFilters(depositFilters);
  const list = useDeposits(userId, filters.values);
  const empty = {
    title: "There are no transactions made by this user.",
    text: "New deposits appear here automatically.",
  };
  return (
    <Page
      title="User's transactions"
      intro={user === undefined ? INTRO_TO_COME : `${user.userName}, ${user.email}`}
      back={{ to: managePaths.user(userId), label: "User details" }}
    >
      <Panel>
        <DepositsFilter filters={filters} />
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={empty}
          onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        >
          <DepositsTable
            caption="The user's transactions"
            rows={list.rows}
            pathOf={({ _id }) => managePaths.userTransaction(userId, _id)}
          />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
    </Page>
  );
}
