import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { managePaths } from "../admin-paths.ts";
import { depositFilters, useDeposits } from "./deposit-queries.ts";
import { DepositsFilter } from "./deposits-filter.tsx";
import { DepositsTable } from "./deposits-table.tsx";

/** The bank deposits of all customers, newest first. */
export function DepositsPage() {
  const filters = useAddressFilters(depositFilters);
  const list = useDeposits(undefined, filters.values);
  const empty = {
    title: "There are no transactions made by any user.",
    text: "New deposits appear here automatically.",
  };
  return (
    <Page
      title="Transactions"
      intro="Bank deposits that users report. Check each one against the bank account, then accept or decline it."
    >
      <Panel>
        <DepositsFilter filters={filters} hasFlagged />
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={empty}
          onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        >
          <DepositsTable
            caption="Transactions of all users"
            rows={list.rows}
            pathOf={({ _id }) => managePaths.transaction(_id)}
          />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
    </Page>
  );
}
