import type { RecipientAnswer, RecipientState } from "@ewebal/contract";
import { queryOptions, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { call } from "../../lib/api.ts";
import { createRefresher } from "../../lib/events.ts";
import { messageAddresses } from "./message-addresses.ts";

const rowsPerPage = 100;

export interface RecipientFilter {
  userId: string;
  messageId: string;
  state: RecipientState | undefined;
}

interface RecipientPage {
  rows: RecipientAnswer[];
  next: string | null;
}

function recipientPageQuery({ userId, messageId, state }: RecipientFilter, after: string | undefined) {
  return queryOptions({
    queryKey: ["recipients", messageId, state ?? "all", after ?? "first"],
    queryFn: async ({ signal }): Promise<RecipientPage> => {
      const query = { limit: String(rowsPerPage), ...(state !== undefined && { state }), ...(after !== undefined && { after }) };
      const { data, next } = await call(messageAddresses.recipients, { params: { userId, messageId }, query, signal });
      return { rows: data, next };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface RecipientPages {
  rows: RecipientAnswer[];
  /** Of the first page, for the list's states. */
  query: { isPending: boolean; error: Error | null; refetch: () => unknown };
  hasMore: boolean;
  isReadingMore: boolean;
  /** Why the page after the rows could not be read. */
  moreError: Error | null;
  /** Tells which rows are on screen: the next page is read before the last row is reached, and only these pages stay live. */
  onVisible: (firstRow: number, lastRow: number) => void;
  readMore: () => void;
}

/** Read the next page when so few rows are left below the window. */
const rowsAhead = 30;

/**
 * The recipients of one message, page by page as far as somebody has scrolled. Each page is a query of its own, so that a
 * running send refreshes the page or two on screen and not the hundred above them.
 *
 * @param version changes with the message's counts.
 */
export function useRecipientPages(filter: RecipientFilter, version: string): RecipientPages {
  const [cursors, setCursors] = useState<ReadonlyArray<string | undefined>>([undefined]);
  const [visible, setVisible] = useState({ first: 0, last: 0 });
  const queries = useQueries({
    queries: cursors.map((after, pageIndex) => ({
      ...recipientPageQuery(filter, after),
      // What has scrolled away rests, flagged as old, until it comes back.
      enabled: ({ state }: { state: { data: RecipientPage | undefined } }) =>
        state.data === undefined || (pageIndex >= visible.first && pageIndex <= visible.last),
    })),
  });
  const pages = queries.map(({ data }) => data);
  const lastQuery = queries.at(-1);
  const next = pages.at(-1)?.next ?? null;

  useFreshPages(filter.messageId, version);

  // Behind a page whose rows have changed, the next one begins elsewhere: what was read behind it no longer fits.
  const misfit = pages.findIndex((page, pageIndex) => page !== undefined && pageIndex + 1 < cursors.length && cursors[pageIndex + 1] !== (page.next ?? undefined));
  useEffect(() => {
    if (misfit >= 0) setCursors((current) => current.slice(0, misfit + 1));
  }, [misfit]);

  const readMore = (): void => {
    if (lastQuery?.error != null) void lastQuery.refetch();
    else if (next !== null) setCursors([...cursors, next]);
  };
  const sizes = pages.map((page) => page?.rows.length ?? 0);
  const rowCount = sizes.reduce((sum, size) => sum + size, 0);
  const onVisible = (firstRow: number, lastRow: number): void => {
    const first = pageOf(sizes, firstRow);
    const last = pageOf(sizes, lastRow);
    if (first !== visible.first || last !== visible.last) setVisible({ first, last });
    if (next !== null && lastRow >= rowCount - rowsAhead) readMore();
  };

  const [firstQuery] = queries;
  return {
    rows: pages.flatMap((page) => page?.rows ?? []),
    query: { isPending: firstQuery?.isPending ?? true, error: firstQuery?.error ?? null, refetch: () => firstQuery?.refetch() },
    hasMore: next !== null || lastQuery?.data === undefined,
    isReadingMore: cursors.length > 1 && lastQuery?.isPending === true && lastQuery.error === null,
    moreError: cursors.length > 1 ? (lastQuery?.error ?? null) : null,
    onVisible,
    readMore,
  };
}

/** @returns the page that a row stands on. */
export function pageOf(sizes: readonly number[], row: number): number {
  let end = 0;
  const pageIndex = sizes.findIndex((size) => {
    end += size;
    return row < end;
  });
  return pageIndex === -1 ? Math.max(0, sizes.length - 1) : pageIndex;
}

/** Reads the pages on screen again when the counts have moved, one reading at a time. */
function useFreshPages(messageId: string, version: string): void {
  const queryClient = useQueryClient();
  const [refresh] = useState(() => createRefresher(queryClient));
  const [seen, setSeen] = useState(version);
  const onChange = useCallback(() => refresh(`recipients:${messageId}`), [refresh, messageId]);
  useEffect(() => {
    if (seen === version) return;
    setSeen(version);
    onChange();
  }, [seen, version, onChange]);
}
