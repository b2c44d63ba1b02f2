import { Checkbox } from "@mantine/core";
import { depositStateLabels, readDepositState } from "../../../shared/billing/deposits.ts";
import type { AddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { ChoiceFilter, DayFilters } from "../../../ui/lists/filter-fields.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { FLAGGED_ONLY, type depositFilters } from "./deposit-queries.ts";
import classes from "./deposits.module.css";

type DepositsFilterProps = {
  filters: AddressFilters<(typeof depositFilters)[number]>;
  /** Whether duplicates can be listed alone. */
  hasFlagged?: boolean;
};

/** The filters of a list of deposits; the address holds all of them. */
export function DepositsFilter({ filters, hasFlagged = false }: DepositsFilterProps) {
  const { search, state, flagged } = filters.values;
  return (
    <ListTools
      filters={filters}
      search={
        <SearchField
          label="Search depositor, teller ID, phone or user"
          value={search}
          onSearch={(text) => filters.set({ search: text })}
        />
      }
    >
      <ChoiceFilter
        label="State"
        name="state"
        value={readDepositState(state) ?? ""}
        onValue={(value) => filters.set({ state: value })}
        all="All states"
        choices={Object.entries(depositStateLabels)}
      />
      <DayFilters filters={filters} />
      {hasFlagged && (
        <Checkbox
          className={classes.flagged ?? ""}
          label="Possible duplicates only (same receipt or teller ID)"
          checked={flagged === FLAGGED_ONLY}
          onChange={({ currentTarget }) => filters.set({ flagged: currentTarget.checked ? FLAGGED_ONLY : "" })}
        />
      )}
    </ListTools>
  );
}
