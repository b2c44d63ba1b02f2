import { useEffect } from "react";
import type { CursorList } from "../../lib/api/use-cursor-list.ts";

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
