import { Checkbox, TextInput } from "@mantine/core";
import { depositStateLabels, readDepositState } from "../../../shared/billing/deposits.ts";
import type { AddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { FLAGGED_ONLY, type transactionFilters } from "./deposit-queries.ts";
import classes from "./deposits.module.css";

type TransactionsFilterProps = {
  filters: AddressFilters<(typeof transactionFilters)[number]>;
  /** Whether duplicates can be listed alone. */
  hasFlagged?: boolean;
};

/** The filters of a list of deposits; the address holds all of them. */
export function TransactionsFilter({ filters, hasFlagged = false }: TransactionsFilterProps) {
  const { search, state, from, to, flagged } = filters.values;
  return (
    <Inline gap={12} wraps align="center" below={20} className={classes.filters}>
      <SearchField
        label="Search depositor, teller ID, phone or user"
        value={search}
        onSearch={(text) => filters.set({ search: text })}
      />
      <NativeSelect
        label="State"
        name="state"
        size="sm"
        isLabelHidden
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
      <div className={classes.days}>
        <DayField
          word="From"
          value={from}
          onValue={(day) => filters.set({ from: day })}
          {...(to !== "" && { max: to })}
        />
        <DayField
          word="To"
          value={to}
          onValue={(day) => filters.set({ to: day })}
          {...(from !== "" && { min: from })}
        />
      </div>
      {hasFlagged && (
        <Checkbox
          className={classes.flagged ?? ""}
          label="Only duplicates: the same receipt or teller ID was used twice"
          checked={flagged === FLAGGED_ONLY}
          onChange={({ currentTarget }) => filters.set({ flagged: currentTarget.checked ? FLAGGED_ONLY : "" })}
        />
      )}
    </Inline>
  );
}

type DayFieldProps = {
  word: "From" | "To";
  value: string;
  onValue: (day: string) => void;
  min?: string;
  max?: string;
};

/**
 * The first or last day of the list. Its word is inside the field, because an empty date field shows only a pattern.
 */
function DayField({ word, value, onValue, ...range }: DayFieldProps) {
  return (
    <TextInput
      {...range}
      size="sm"
      type="date"
      aria-label={`${word} date`}
      leftSection={<span className="muted tiny">{word}</span>}
      leftSectionWidth={48}
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}
