import { Checkbox, TextInput } from "@mantine/core";
import { depositStateLabels, readDepositState } from "../../../shared/billing/deposits.ts";
import type { AddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
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
  const { search, state, from, to, flagged } = filters.values;
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
      <NativeSelect
        label="State"
        name="state"
        size="sm"
        value={readDepositState(state) ?? ""}
        onValue={(value) => filters.set({ state: value })}
      >
        <option value="">All states</option>
        {Object.entries(depositStateLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </NativeSelect>
      <TextInput
        size="sm"
        type="date"
        label="From"
        value={from}
        max={to}
        onChange={({ currentTarget }) => filters.set({ from: currentTarget.value })}
      />
      <TextInput
        size="sm"
        type="date"
        label="To"
        value={to}
        min={from}
        onChange={({ currentTarget }) => filters.set({ to: currentTarget.value })}
      />
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
