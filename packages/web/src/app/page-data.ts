/** What a document carries beside its markup, so that the first drawing needs no call: see `app/render-document.tsx`. */
import type { PublicSettings, RateRow } from "@ewebal/contract";
import { siteCalls } from "@ewebal/contract/calls";
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { call } from "../lib/api/api.ts";
import { ratesQuery } from "../shared/rates/rates.ts";

/** The brand and the form rules change with a restart of the server, so one answer serves a visit. */
export const brandQuery = queryOptions({
  queryKey: ["brand"],
  queryFn: async ({ signal }) => (await call(siteCalls.brand, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

export type PageData = {
  settings: PublicSettings;
  /** Only for the pages that show them. */
  rates?: readonly RateRow[];
};

/** The data block's id. It is no script: the browser does not run it, and the CSP does not refuse it. */
export const PAGE_DATA_ID = "page-data";

/** @returns undefined when the document is the plain one. */
export function readPageData(): PageData | undefined {
  const text = document.querySelector(`#${PAGE_DATA_ID}`)?.textContent;
  return text === undefined ? undefined : (JSON.parse(text) as PageData);
}

/** Answers the pages' questions before they are asked. */
export function keepPageData(queryClient: QueryClient, { settings, rates }: PageData): void {
  queryClient.setQueryData(brandQuery.queryKey, settings);
  if (rates !== undefined) queryClient.setQueryData(ratesQuery.queryKey, { data: [...rates], nextChangeAt: null });
}
