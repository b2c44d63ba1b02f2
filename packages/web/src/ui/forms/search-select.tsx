import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { ApiError } from "../../lib/api/api.ts";
import { networkLost } from "../../lib/texts/fixed-texts.ts";
import { Stack } from "../layout/boxes.tsx";
import classes from "./search-select.module.css";

const SEARCH_PAUSE_MS = 200;

export type TypedSearch = {
  typed: string;
  onTyped: (typed: string) => void;
  /** What to ask the server for, after a pause in typing; empty for everything. */
  search: string;
};

/** @param chosenName the name of the chosen item, which the field shows; it is not a search. */
export function useTypedSearch(chosenName: string | undefined): TypedSearch {
  const [typed, onTyped] = useState("");
  const [search] = useDebouncedValue(typed === chosenName ? "" : typed.trim(), SEARCH_PAUSE_MS);
  return { typed, onTyped, search };
}

type SearchSelectProps<Row> = {
  label: string;
  description?: string | undefined;
  /** As high as the fields beside it. */
  size?: "sm" | "md";
  placeholder: string;
  error?: string | undefined;
  search: TypedSearch;
  query: { error: Error | null; isPending: boolean };
  /** What the server found for the search. */
  found: readonly Row[];
  /** Said when it found nothing. */
  nothing: string;
  nameOf: (row: Row) => string;
  /** The name in the list, where it is no plain text. */
  viewOf?: (row: Row) => ReactNode;
  /** A second line below the name in the list. */
  detailOf: (row: Row) => ReactNode;
  value: Row | undefined;
  onChange: (row: Row | undefined) => void;
  /** What the button that takes the choice back is called; there is none without it. */
  clearLabel?: string;
  onOpenChange?: (isOpen: boolean) => void;
};

/** Chooses one of many by name. The server searches, so a million are as quick as ten. */
export function SearchSelect<Row extends { _id: string }>(props: SearchSelectProps<Row>) {
  const {
    search,
    query,
    found,
    nothing,
    nameOf,
    viewOf = nameOf,
    detailOf,
    value,
    onChange,
    clearLabel,
    onOpenChange,
    ...field
  } = props;
  // The chosen one stays in the list whatever is searched for.
  const rows = value === undefined || found.some(({ _id }) => _id === value._id) ? found : [value, ...found];
  const rowOf = (id: string | null): Row | undefined => rows.find(({ _id }) => _id === id);
  return (
    <Select
      {...field}
      searchable
      clearable={clearLabel !== undefined}
      clearButtonProps={{ "aria-label": clearLabel }}
      allowDeselect={clearLabel !== undefined}
      data={rows.map((row) => ({ value: row._id, label: nameOf(row) }))}
      // The server has searched already, in more than the name.
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const row = rowOf(option.value);
        return row === undefined ? null : (
          <Stack as="span" className="shrinkable anywhere">
            <span>{viewOf(row)}</span>
            <span className="muted small">{detailOf(row)}</span>
          </Stack>
        );
      }}
      nothingFoundMessage={
        query.error === null
          ? query.isPending
            ? "Loading..."
            : nothing
          : query.error instanceof ApiError
            ? query.error.message
            : networkLost.title
      }
      // In the page's main part, and the list itself scrolls: otherwise screen readers meet it outside any landmark.
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      classNames={{ options: classes.options ?? "" }}
      value={value?._id ?? null}
      onChange={(id) => onChange(rowOf(id))}
      searchValue={search.typed}
      onSearchChange={search.onTyped}
      onDropdownOpen={() => onOpenChange?.(true)}
      onDropdownClose={() => onOpenChange?.(false)}
    />
  );
}
