/**
 * A long list that is read as far as somebody scrolls. Each page is a query of its own, so that a change refreshes the page
 * or two on screen and not the hundred above them. For lists that end on a button, `use-cursor-list.ts` is enough.
 */
import { queryOptions, useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { CursorPage } from "./use-cursor-list.ts";

type CursorPagesOptions<Row> = {
  /** Begins with the event topic that refreshes the list; the filters follow. Another key is another list: give its component a `key`. */
  queryKey: readonly unknown[];
  /** Reads one page; `after` is the cursor of the page before it, undefined for the first. */
  read: (after: string | undefined, signal: AbortSignal) => Promise<CursorPage<Row>>;
};

export type CursorPages<Row> = {
  rows: Row[];
  /** Of the first page, for the list's states. */
  query: { isPending: boolean; error: Error | null; refetch: () => unknown };
  hasMore: boolean;
  isReadingMore: boolean;
  /** Why the page after the rows could not be read. */
  moreError: Error | null;
  /** Tells which rows are on screen: the next page is read before the last row is reached, and only these pages stay live. */
  onVisible: (firstRow: number, lastRow: number) => void;
  readMore: () => void;
};

/** Read the next page when so few rows are left below the window. */
const ROWS_AHEAD = 30;

export function useCursorPages<Row>({ queryKey, read }: CursorPagesOptions<Row>): CursorPages<Row> {
  const [cursors, setCursors] = useState<ReadonlyArray<string | undefined>>([undefined]);
  const [visible, setVisible] = useState({ first: 0, last: 0 });
  const queries = useQueries({
    queries: cursors.map((after, pageIndex) =>
      queryOptions({
        queryKey: [...queryKey, after ?? "first"],
        queryFn: async ({ signal }) => await read(after, signal),
        // Hints say when it is old.
        staleTime: Number.POSITIVE_INFINITY,
        // What has scrolled away rests, flagged as old, until it comes back.
        enabled: ({ state }) => state.data === undefined || (pageIndex >= visible.first && pageIndex <= visible.last),
      }),
    ),
  });
  const pages = queries.map(({ data }) => data);
  const lastQuery = queries.at(-1);
  const next = pages.at(-1)?.next ?? null;

  // Behind a page whose rows have changed, the next one begins elsewhere: what was read behind it no longer fits.
  const misfit = pages.findIndex(
    (page, pageIndex) =>
      page !== undefined && pageIndex + 1 < cursors.length && cursors[pageIndex + 1] !== (page.next ?? undefined),
  );
  useEffect(() => {
    if (misfit >= 0) setCursors((current) => current.slice(0, misfit + 1));
  }, [misfit]);

  const readMore = (): void => {
    if (lastQuery?.error != null) void lastQuery.refetch();
    else if (next !== null) setCursors([...cursors, next]);
  };
  const sizes = pages.map((page) => page?.data.length ?? 0);
  const rowCount = sizes.reduce((sum, size) => sum + size, 0);
  const onVisible = (firstRow: number, lastRow: number): void => {
    const first = pageOf(sizes, firstRow);
    const last = pageOf(sizes, lastRow);
    if (first !== visible.first || last !== visible.last) setVisible({ first, last });
    if (next !== null && lastRow >= rowCount - ROWS_AHEAD) readMore();
  };

  const [firstQuery] = queries;
  return {
    rows: pages.flatMap((page) => page?.data ?? []),
    query: {
      isPending: firstQuery?.isPending ?? true,
      error: firstQuery?.error ?? null,
      refetch: () => firstQuery?.refetch(),
    },
    hasMore: next !== null || lastQuery?.data === undefined,
    isReadingMore: cursors.length > 1 && lastQuery?.isPending === true && lastQuery.error === null,
    moreError: cursors.length > 1 ? (lastQuery?.error ?? null) : null,
    onVisible,
    readMore,
  };
}

/** @returns the index of the page that holds a row. */
export function pageOf(sizes: readonly number[], row: number): number {
  let end = 0;
  const pageIndex = sizes.findIndex((size) => {
    end += size;
    return row < end;
  });
  return pageIndex === -1 ? Math.max(0, sizes.length - 1) : pageIndex;
}
