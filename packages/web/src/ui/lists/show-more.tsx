import { Button } from "@mantine/core";
import { formatCount } from "../../lib/texts/format.ts";
import type { CursorList } from "../../lib/api/use-cursor-list.ts";
import { Inline } from "../layout/boxes.tsx";

type ShowMoreProps = {
  list: {
    query: Pick<CursorList<unknown>["query"], "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
    rows: readonly unknown[];
  };
  /** How many there are in all, when somebody counted. */
  total?: number | undefined;
  /** Filters are on, so that `total` is not how many will be found. */
  isFiltered?: boolean;
};

/** The way to the next page of a list; nothing when all of it is on screen. */
export function ShowMore({ list: { query, rows }, total, isFiltered = false }: ShowMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <Inline gap={16} align="center" justify="center" above={20} className="no-print">
      {total !== undefined && (
        <p className="muted small numeric">
          {isFiltered
            ? `${formatCount(rows.length)} found so far`
            : `${formatCount(rows.length)} of ${formatCount(total)}`}
        </p>
      )}
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Show more
      </Button>
    </Inline>
  );
}
