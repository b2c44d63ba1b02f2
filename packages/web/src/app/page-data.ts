/** What a document carries beside its markup, so that the first drawing needs no call: see `app/render-document.tsx`. */
import type { PublicSettings, RateRow } from "@ewebal/contract";
import type { QueryClient } from "@tanstack/react-query";
import { brandQuery } from "../lib/brand.ts";
import { ratesQuery } from "../shared/rates/rates.ts";

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
