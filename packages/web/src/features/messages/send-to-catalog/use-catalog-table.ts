import type { Rates } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import type { ContactColumnName } from "@ewebal/contract/rules";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { callText } from "../../../lib/api/api.ts";
import type { Composer } from "../compose/composer.ts";
import { readCatalogTable } from "../recipients/read-catalog-table.ts";

type CatalogTable = { catalogId: string; code: string; columns: readonly ContactColumnName[]; rates: Rates };

/** Brings the contacts of a catalog with columns into the composition, for the texts that are made of them; the send names the catalog alone. */
export function useCatalogTable(composer: Composer, { catalogId, code, columns, rates }: CatalogTable) {
  const { userId } = composer;
  const { data, error, refetch } = useQuery({
    queryKey: ["catalog", catalogId, "table"],
    queryFn:
      columns.length === 0
        ? skipToken
        : async () => {
            const csv = await callText(contactCalls.exportContacts, { params: { userId, catalogId } });
            return await readCatalogTable(csv, { code, rates, columns });
          },
    // Half a million contacts are not worth keeping once the dialog is closed.
    gcTime: 0,
    structuralSharing: false,
  });
  useEffect(() => {
    if (data === undefined) return undefined;
    for (const { listId } of composer.getState().lists) composer.removeList(listId);
    composer.addTable({ text: data, columns, origin: "of the catalog", catalogId });
    return undefined;
  }, [composer, data, columns, catalogId]);
  return { error, readAgain: () => void refetch() };
}
