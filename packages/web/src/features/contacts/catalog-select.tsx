import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { CatalogAnswer } from "@ewebal/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../lib/api.ts";
import { fixedTexts, networkLost } from "../../lib/fixed-texts.ts";
import { catalogChoicesQuery } from "./catalog-queries.ts";
import classes from "./catalog-select.module.css";
import { contactsInWords, countryInWords } from "./words.ts";

interface CatalogSelectProps {
  userId: string;
  value: CatalogAnswer | undefined;
  onChange: (catalog: CatalogAnswer | undefined) => void;
}

const searchPauseMs = 200;

/** Chooses one of the customer's catalogs by name. The server searches, so a thousand are as quick as ten. */
export function CatalogSelect({ userId, value, onChange }: CatalogSelectProps) {
  const [typed, setTyped] = useState("");
  // The field shows the chosen name, which is no search.
  const [search] = useDebouncedValue(typed === value?.catalogName ? "" : typed.trim(), searchPauseMs);
  const { data, error, isPending } = useQuery({ ...catalogChoicesQuery(userId, search), placeholderData: keepPreviousData });
  const found = data?.catalogs ?? [];
  const catalogs = value === undefined || found.some(({ _id }) => _id === value._id) ? found : [value, ...found];
  const nothing = search === "" ? fixedTexts.noCatalogs : "No catalog matches";
  return (
    <Select
      label="Catalog"
      description={data?.hasMore === true ? "There are more catalogs than fit here. Type a part of the name." : "Search by name"}
      placeholder="Choose a catalog"
      searchable
      data={catalogs.map(({ _id, catalogName }) => ({ value: _id, label: catalogName }))}
      // The server has searched already.
      filter={({ options }) => options}
      renderOption={({ option }) => <CatalogOption catalog={catalogs.find(({ _id }) => _id === option.value)} />}
      nothingFoundMessage={error === null ? (isPending ? "Loading..." : nothing) : error instanceof ApiError ? error.message : networkLost.title}
      // In the page's main part, and the list itself scrolls: otherwise screen readers meet it outside any landmark.
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      classNames={{ options: classes.options ?? "" }}
      allowDeselect={false}
      value={value?._id ?? null}
      onChange={(id) => onChange(catalogs.find(({ _id }) => _id === id))}
      searchValue={typed}
      onSearchChange={setTyped}
    />
  );
}

function CatalogOption({ catalog }: { catalog: CatalogAnswer | undefined }) {
  if (catalog === undefined) return null;
  return (
    <span className={classes.option}>
      <span>{catalog.catalogName}</span>
      <span className={classes.detail}>
        {countryInWords(catalog.code)}, {contactsInWords(catalog.count)}
      </span>
    </span>
  );
}
