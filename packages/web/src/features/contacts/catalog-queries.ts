import type { CatalogAnswer } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api/api.ts";
import { paths, pathTo } from "../../lib/paths.ts";
import { randomText } from "../../lib/api/idempotency-key.ts";

/** The address of a catalog's page ends with a random part, as specified; any text there shows the same page. */
const randomId = randomText();

export function catalogPath(catalogId: string): string {
  return pathTo(paths.catalog, { catalogId, randomId });
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
