import { Button, Loader } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { MessageAnswer, RecipientState } from "@ewebal/contract";
import { messageCalls } from "@ewebal/contract/calls";
import { IconDownload } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { fillAddress } from "../../../lib/api/api.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { useDocumentTop } from "../../../lib/browser/use-document-top.ts";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { countsInWords, isSettled, listCounts, stateOrder, stateWords, sumCounts } from "../message-counts.ts";
import { useRecipientPages, type RecipientPages } from "./recipient-pages.ts";
import { RecipientCards, RecipientsTable } from "./recipients-table.tsx";
import classes from "./recipients-panel.module.css";
import { useIsPrinting } from "../../../ui/layout/printing.ts";

type RecipientsPanelProps = {
  userId: string;
  message: MessageAnswer;
};

/** Who got the message and who did not, and why. The chosen state lives in the address. */
export function RecipientsPanel({ userId, message }: RecipientsPanelProps) {
  const state = useStateFilter();
  const file = fillAddress(messageCalls.recipients.url, { userId, messageId: message._id }, { state, format: "csv" });
  const exportLink = (
    <Button
      className="no-print"
      size="xs"
      variant="default"
      component="a"
      href={file}
      download
      leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
    >
      Export CSV
    </Button>
  );
  return (
    <Panel title="Recipients" aside={exportLink}>
      <StateFilter message={message} chosen={state} />
      {/* A list of another state is another list: nothing of the old one may stay. */}
      <Recipients key={state ?? "all"} userId={userId} message={message} state={state} />
    </Panel>
  );
}

function useStateFilter(): RecipientState | undefined {
  const search: { state?: unknown } = useSearch({ strict: false });
  return stateOrder.find((state) => state === search.state);
}

/** The router marks the chosen one; without this "All" would be chosen always. */
const exactly = { exact: true };

function StateFilter({ message: { counts }, chosen }: { message: MessageAnswer; chosen: RecipientState | undefined }) {
  const shown = listCounts(counts);
  if (chosen !== undefined && counts[chosen] === 0) shown.push({ state: chosen, count: 0 });
  return (
    <Inline as="nav" gap={8} wraps below={20} className="no-print" aria-label="Recipients by state">
      <Link to="." search={{}} replace className={classes.tile} activeOptions={exactly}>
        <Inline as="span" gap={6} align="center" className={`${classes.label} muted tiny`}>
          All
        </Inline>{" "}
        <span className={`${classes.count} numeric`}>{formatCount(sumCounts(counts))}</span>
      </Link>
      {shown.map(({ state, count }) => (
        <Link
          key={state}
          to="."
          search={{ state }}
          replace
          className={classes.tile}
          activeOptions={exactly}
          data-state={state}
          title={stateWords[state].meaning}
        >
          <Inline as="span" gap={6} align="center" className={`${classes.label} state-dot muted tiny`}>
            {stateWords[state].label}
          </Inline>{" "}
          <span className={`${classes.count} numeric`}>{formatCount(count)}</span>
        </Link>
      ))}
    </Inline>
  );
}

function Recipients({ userId, message, state }: RecipientsPanelProps & { state: RecipientState | undefined }) {
  const navigate = useNavigate();
  const pages = useRecipientPages({ userId, messageId: message._id, state }, countsInWords(message.counts));
  const isGone = state !== undefined && (message.counts[state] ?? 0) > 0 && isSettled(message);
  const empty = isGone
    ? {
        title: "No longer kept",
        text: "Results for single recipients of that month have been deleted. The totals above are kept.",
      }
    : { title: "There are no recipients" };
  const clear = state === undefined || isGone ? undefined : () => void navigate({ to: ".", search: {}, replace: true });
  return (
    <ListStates query={pages.query} rowCount={pages.rows.length} empty={empty} onClearFilters={clear}>
      <VirtualRecipients
        pages={pages}
        total={state === undefined ? message.recipients : (message.counts[state] ?? 0)}
        message={message}
      />
    </ListStates>
  );
}

/** The assumed height of a row that has not been measured. */
const rowHeight = { table: 45, card: 77 };

type VirtualRecipientsProps = { pages: RecipientPages; total: number; message: MessageAnswer };

function VirtualRecipients({ pages, total, message }: VirtualRecipientsProps) {
  const { rows, hasMore, isReadingMore, moreError, onVisible, readMore } = pages;
  const isWide = useMediaQuery("(min-width: 768px)", false, { getInitialValueInEffect: false });
  const listRef = useRef<HTMLDivElement>(null);
  const scrollMargin = useDocumentTop(listRef);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isWide ? rowHeight.table : rowHeight.card),
    overscan: 12,
    scrollMargin,
  });
  const items = virtualizer.getVirtualItems();
  const isPrinting = useIsPrinting();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onVisible(first, last));

  const measured = { rows, total, message, measure: virtualizer.measureElement };
  const list = isPrinting
    ? { ...measured, items: rows.map((_, index) => ({ index, key: index })), before: 0, after: 0 }
    : { ...measured, items, ...spacesAround(items, virtualizer.getTotalSize(), scrollMargin) };
  return (
    <div ref={listRef}>
      {isPrinting && rows.length < total && (
        <p className="below-12">
          The first {formatCount(rows.length)} of {formatCount(total)}; the CSV file has all of them.
        </p>
      )}
      {isWide ? <RecipientsTable {...list} /> : <RecipientCards {...list} />}
      {isReadingMore && (
        <Inline
          as="p"
          gap={12}
          align="center"
          justify="center"
          above={16}
          className="no-print muted small"
          role="status"
        >
          <Loader size="sm" aria-hidden /> Reading more
        </Inline>
      )}
      {moreError !== null && (
        <Inline
          as="p"
          gap={12}
          align="center"
          justify="center"
          above={16}
          className="no-print muted small"
          role="alert"
        >
          {explainFailure(moreError).title}
          <Button size="xs" variant="default" onClick={readMore}>
            Try again
          </Button>
        </Inline>
      )}
      {!hasMore && rows.length > 20 && (
        <Inline as="p" gap={12} align="center" justify="center" above={16} className="no-print muted small">
          End of the list
        </Inline>
      )}
    </div>
  );
}

/** The room of the rows that are not drawn. */
function spacesAround(
  items: readonly VirtualItem[],
  totalSize: number,
  scrollMargin: number,
): { before: number; after: number } {
  const firstItem = items[0];
  const lastItem = items.at(-1);
  if (firstItem === undefined || lastItem === undefined) return { before: 0, after: 0 };
  return {
    before: Math.max(0, firstItem.start - scrollMargin),
    after: Math.max(0, totalSize - (lastItem.end - scrollMargin)),
  };
}
