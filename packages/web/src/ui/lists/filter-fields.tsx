/** The fields that lists are filtered by, as they stand in `ListTools`. */
import { TextInput } from "@mantine/core";
import type { AddressFilters } from "../../lib/browser/use-address-filters.ts";
import { NativeSelect } from "../forms/native-select.tsx";

type ChoiceFilterProps = {
  label: string;
  name: string;
  /** An empty text, or what is no choice: everything. */
  value: string;
  onValue: (value: string) => void;
  /** What the choice of everything is called. */
  all: string;
  /** Values and their words, in the order of the list. */
  choices: readonly (readonly [value: string, label: string])[];
};

/** One of several values, or everything. */
export function ChoiceFilter({ all, choices, ...select }: ChoiceFilterProps) {
  return (
    <NativeSelect size="sm" {...select}>
      <option value="">{all}</option>
      {choices.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </NativeSelect>
  );
}

/** The first and the last day of a list: neither can be chosen beyond the other. */
export function DayFilters({ filters }: { filters: Pick<AddressFilters<"from" | "to">, "values" | "set"> }) {
  const { from, to } = filters.values;
  return (
    <>
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
    </>
  );
}
