import { Button, Checkbox } from "@mantine/core";
import type { CatalogAnswer } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callText } from "../../../lib/api/api.ts";
import { fixedTexts } from "../../../lib/texts/fixed-texts.ts";
import { formatCounted } from "../../../lib/texts/format.ts";
import { catalogChoicesQuery, countryInWords } from "../../../shared/numbers/catalog-choices.ts";
import { readCatalogTable } from "./read-catalog-table.ts";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import classes from "./recipients-field.module.css";

type PhonebookPickerProps = {
  composer: Composer;
  onDone: () => void;
};

/** Chooses catalogs whose contacts become recipients. A message goes to one country, so the catalogs of another one cannot be chosen. */
export function PhonebookPicker({ composer, onDone }: PhonebookPickerProps) {
  const { userId } = composer;
  const code = useComposition(composer, (composition) => composition.code);
  const rates = useRateTable();
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<readonly CatalogAnswer[]>([]);
  const query = useQuery({ ...catalogChoicesQuery(userId, search), placeholderData: keepPreviousData });
  const catalogs = query.data?.catalogs ?? [];
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      await Promise.all(
        chosen.map(async ({ _id: catalogId, catalogName, columns }) => {
          const csv = await callText(contactCalls.exportContacts, { params: { userId, catalogId } });
          const origin = `from ${catalogName}`;
          if (columns.length === 0) return { text: readNumbers(csv), origin };
          return { text: await readCatalogTable(csv, { code, rates, columns }), origin, columns, catalogId };
        }),
      ),
    onSuccess: (lists) => {
      for (const list of lists) {
        if (list.columns === undefined) composer.addList(list.text, list.origin);
        else composer.addTable(list);
      }
      onDone();
    },
  });
  const isChosen = ({ _id }: CatalogAnswer): boolean => chosen.some((catalog) => catalog._id === _id);
  const toggle = (catalog: CatalogAnswer): void =>
    setChosen(isChosen(catalog) ? chosen.filter(({ _id }) => _id !== catalog._id) : [...chosen, catalog]);
  const total = chosen.reduce((sum, { count }) => sum + count, 0);
  return (
    <Stack gap={16}>
      <SearchField label="Search catalogs" value={search} onSearch={setSearch} />
      <ListStates
        query={query}
        rowCount={catalogs.length}
        empty={{ title: search === "" ? fixedTexts.noCatalogs : "No catalog matches" }}
      >
        <Stack as="ul" gap={12} className={classes.catalogs} aria-label="Catalogs">
          {catalogs.map((catalog) => (
            <li key={catalog._id}>
              <Checkbox
                label={catalog.catalogName}
                description={
                  catalog.code === code
                    ? formatCounted(catalog.count, "contact")
                    : `${formatCounted(catalog.count, "contact")} in ${countryInWords(catalog.code)}. Choose that country first.`
                }
                checked={isChosen(catalog)}
                disabled={catalog.code !== code || catalog.count === 0 || isPending}
                onChange={() => toggle(catalog)}
              />
            </li>
          ))}
        </Stack>
      </ListStates>
      {query.data?.hasMore === true && (
        <p className="muted small">There are more catalogs than fit here. Search for a part of the name.</p>
      )}
      {error !== null && (
        <Callout tone="error" title="The contacts could not be read" isAnnounced>
          Check your network and try again.
        </Callout>
      )}
      <Inline gap={8} across={16} wraps align="center" justify="between">
        <p className="muted small">Numbers that are in several catalogs get the message once.</p>
        <Button
          data-disabled={chosen.length === 0 || undefined}
          aria-disabled={chosen.length === 0}
          loading={isPending}
          onClick={() => {
            if (chosen.length > 0) mutate();
          }}
        >
          {chosen.length === 0 ? "Add contacts" : `Add ${formatCounted(total, "contact")}`}
        </Button>
      </Inline>
    </Stack>
  );
}

/** @returns the numbers of a catalog's file, one on each line: its lines hold a quoted number each, under a heading. */
function readNumbers(csv: string): string {
  return csv
    .split("\n")
    .slice(1)
    .map((line) => line.replaceAll(/\D/g, ""))
    .filter((phoneNo) => phoneNo !== "")
    .join("\n");
}
