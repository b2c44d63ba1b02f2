import { useInfiniteQuery, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { useMemo, useEffect } from "react";

/** One page of any list of the contract. */
export type CursorPage<Row> = {
  data: Row[];
  next: string | null;
};

type CursorListOptions<Row> = {
  /** Begins with the event topic that refreshes the list; the filters follow, so that another filter is another list. */
  queryKey: readonly unknown[];
  /** Reads one page; `after` is the cursor of the page before it, undefined for the first. */
  read: (after: string | undefined, signal: AbortSignal) => Promise<CursorPage<Row>>;
};

export type CursorList<Row> = {
  /** For `ListStates`. */
  query: Pick<
    UseInfiniteQueryResult,
    "isPending" | "error" | "refetch" | "hasNextPage" | "isFetchingNextPage" | "fetchNextPage"
  >;
  rows: readonly Row[];
};

/** A list that is read page by page, newest first. Pages that were read are read again together when a hint comes. */
export function useCursorList<Row>({ queryKey, read }: CursorListOptions<Row>): CursorList<Row> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => await read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: CursorPage<Row>) => next ?? undefined,
  });
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  return { query, rows };
}

type ListQuery = CursorList<unknown>["query"];

/**
 * A search looks through so many rows at a time; a page of it may hold none although more follow. Goes on until something is
 * found or everything was looked through.
 *
 * @returns the list's query, pending until then.
 */
export function useUntilFound(query: ListQuery, rowCount: number): ListQuery {
  const { hasNextPage, isFetchingNextPage, error, fetchNextPage } = query;
  const isLooking = rowCount === 0 && hasNextPage && error === null;
  useEffect(() => {
    if (isLooking && !isFetchingNextPage) void fetchNextPage();
  }, [isLooking, isFetchingNextPage, fetchNextPage]);
  return isLooking ? { ...query, isPending: true } : query;
}
