import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { transactionPath } from "../admin-paths.ts";
import { transactionFilters, useTransactions } from "./deposit-queries.ts";
import { TransactionsFilter } from "./deposits-filter.tsx";
import { TransactionsTable } from "./deposits-table.tsx";

/** The bank deposits of all customers, newest first. */
export function TransactionsPage() {
  const filters = useAddressFilters(transactionFilters);
  const list = useTransactions(undefined, filters.values);
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
        <TransactionsFilter filters={filters} hasFlagged />
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={empty}
          onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        >
          <TransactionsTable
            caption="Transactions of all users"
            rows={list.rows}
            pathOf={({ _id }) => transactionPath(_id)}
          />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
    </Page>
  );
}
