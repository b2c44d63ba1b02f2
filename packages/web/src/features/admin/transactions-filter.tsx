import { Checkbox, TextInput } from "@mantine/core";
import { depositStateLabels, readDepositState } from "../../lib/deposits.ts";
import type { AddressFilters } from "../../lib/use-address-filters.ts";
import { NativeSelect } from "../../ui/native-select.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { flaggedOnly, type transactionFilters } from "./transaction-queries.ts";
import classes from "./transactions.module.css";

interface TransactionsFilterProps {
  filters: AddressFilters<(typeof transactionFilters)[number]>;
  /** Whether doubles can be listed alone. */
  hasFlagged?: boolean;
}

/** What a list of deposits is narrowed by; all of it stands in the address. */
export function TransactionsFilter({ filters, hasFlagged = false }: TransactionsFilterProps) {
  const { search, state, from, to, flagged } = filters.values;
  return (
    <div className={classes.filters}>
      <SearchField label="Search depositor, teller ID, phone or user" value={search} onSearch={(text) => filters.set({ search: text })} />
      <NativeSelect label="State" name="state" isCompact value={readDepositState(state) ?? ""} onValue={(value) => filters.set({ state: value })}>
        <option value="">All states</option>
        {Object.entries(depositStateLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </NativeSelect>
      <div className={classes.days}>
        <TextInput size="sm" type="date" aria-label="From date" max={to === "" ? undefined : to} value={from} onChange={({ currentTarget }) => filters.set({ from: currentTarget.value })} />
        <TextInput size="sm" type="date" aria-label="To date" min={from === "" ? undefined : from} value={to} onChange={({ currentTarget }) => filters.set({ to: currentTarget.value })} />
      </div>
      {hasFlagged && (
        <Checkbox
          className={classes.flagged ?? ""}
          label="Only doubles: the same receipt or teller ID was used twice"
          checked={flagged === flaggedOnly}
          onChange={({ currentTarget }) => filters.set({ flagged: currentTarget.checked ? flaggedOnly : "" })}
        />
      )}
    </div>
  );
}
