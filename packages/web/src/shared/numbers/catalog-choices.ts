import { contactCalls } from "@ewebal/contract/calls";
import { COUNTRIES } from "@ewebal/contract/rules";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api/api.ts";

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
