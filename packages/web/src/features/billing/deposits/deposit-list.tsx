import { SegmentedControl } from "@mantine/core";
import { fixedTexts } from "../../../lib/texts/fixed-texts.ts";
import { depositStateLabels } from "../../../shared/billing/deposits.ts";
import { paths } from "../../../lib/paths.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { DepositCard } from "./deposit-card.tsx";
import classes from "./deposit-list.module.css";
import { useDeleteDeposit, useDeposits } from "./use-deposits.ts";

const states = [
  { value: "", label: "All" },
  ...(["pending", "verified", "declined"] as const).map((state) => ({
    value: state,
    label: depositStateLabels[state],
  })),
];

/** The customer's bank deposits as a grid, with what became of each. */
export function DepositsPanel({ userId }: { userId: string }) {
  const filters = useAddressFilters(["search", "state"]);
  const { search, state } = filters.values;
  const list = useDeposits(userId, filters.values);
  const remove = useDeleteDeposit(userId);
  const empty = {
    title: fixedTexts.noTransactions,
    text: "A deposit that you report is listed here, with its receipt and what became of it.",
    action: <ButtonLink to={paths.buySms}>Buy SMS units</ButtonLink>,
  };
  return (
    <Panel title="Bank deposits">
      <Stack gap={12} below={20} className={classes.filters}>
        <SearchField
          label="Search depositor, teller ID or phone"
          value={search}
          onSearch={(text) => filters.set({ search: text })}
        />
        <SegmentedControl
          aria-label="Which deposits"
          withItemsBorders={false}
          data={states}
          value={states.some(({ value }) => value === state) ? state : ""}
          onChange={(value) => filters.set({ state: value })}
        />
      </Stack>
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={empty}
        onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        skeletonRows={3}
      >
        <Stack as="ul" gap={16} className={classes.grid} aria-label="Bank deposits">
          {list.rows.map((deposit) => (
            <DepositCard key={deposit._id} deposit={deposit} onDelete={remove} />
          ))}
        </Stack>
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}
