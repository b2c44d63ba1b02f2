import type { CatalogAnswer } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import { queryOptions } from "@tanstack/react-query";
import { COUNTRIES } from "@ewebal/contract/rules";
import { call } from "../../lib/api/api.ts";
import { paths } from "../../lib/paths.ts";
import { randomText } from "../../lib/api/idempotency-key.ts";

/** The address of a catalog's page ends with a random part, as specified; any text there shows the same page. */
const randomId = randomText();

export function catalogPath(catalogId: string): string {
  return `${paths.dashboard}/set-catalogs/${catalogId}/${randomId}`;
}

/** One catalog without its contacts. Key `["catalog", id]`: the event topic `catalog:<id>` refreshes it. */
export function catalogQuery(userId: string, catalogId: string) {
  return queryOptions({
    queryKey: ["catalog", catalogId, "head"],
    queryFn: async ({ signal }): Promise<CatalogAnswer> =>
      (await call(contactCalls.findOneCatalog, { params: { userId }, query: { catalogId, contacts: "0" }, signal }))
        .data,
    // Hints say when it is old.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Catalogs whose name contains a text, newest first, as many as one answer holds. For a list to choose from. */
export function catalogChoicesQuery(userId: string, search: string) {
  return queryOptions({
    queryKey: ["catalogs", userId, "choices", search],
    queryFn: async ({ signal }) => {
      const { data, next } = await call(contactCalls.populateCatalogs, {
        params: { userId },
        query: { search, limit: "100" },
        signal,
      });
      return { catalogs: data, hasMore: next !== null };
    },
  });
}

/** `Nigeria (+234)`; several countries share a code, the code tells whom it means. */
export function countryInWords(code: string): string {
  const name = COUNTRIES.find((country) => country.code === code)?.name;
  return name === undefined ? `+${code}` : `${name} (+${code})`;
}
