import { Button, Skeleton } from "@mantine/core";
import { IconFilterOff, IconInbox, IconPlugConnectedX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ApiError } from "../../lib/api/api.ts";
import { networkLost } from "../../lib/texts/fixed-texts.ts";
import { Stack } from "../layout/boxes.tsx";
import classes from "./list-states.module.css";

type ListStatesProps = {
  /** The list's query; rows that are on screen stay there while it reads again or fails. */
  query: { isPending: boolean; error: Error | null; refetch: () => unknown };
  /** How many rows there are to show; decides between the list and its empty state. */
  rowCount: number;
  /** The specified sentence, and what to do first. */
  empty: { title: string; text?: ReactNode; action?: ReactNode };
  /** Given while a search or filter is on: an empty list then means "no match". */
  onClearFilters?: (() => void) | undefined;
  /** How many rows the skeleton draws. */
  skeletonRows?: number;
  children: ReactNode;
};

/** The four states of every list: loading, empty, no match, failed; otherwise the list. */
export function ListStates({ query, rowCount, empty, onClearFilters, skeletonRows = 5, children }: ListStatesProps) {
  if (rowCount > 0) return children;
  if (query.isPending) return <ListSkeleton rowCount={skeletonRows} />;
  if (query.error !== null) return <FailedState error={query.error} onRetry={() => void query.refetch()} />;
  if (onClearFilters !== undefined) {
    return (
      <State icon={<IconFilterOff size={28} stroke={1.5} />} title="Nothing matches">
        <Button variant="default" onClick={onClearFilters}>
          Clear filters
        </Button>
      </State>
    );
  }
  return (
    <State icon={<IconInbox size={28} stroke={1.5} />} title={empty.title} text={empty.text}>
      {empty.action}
    </State>
  );
}

function ListSkeleton({ rowCount }: { rowCount: number }) {
  return (
    <div className={classes.skeleton} role="status" aria-label="Loading" data-list-to-come>
      {Array.from({ length: rowCount }, (_, rowIndex) => (
        <Skeleton key={rowIndex} height={48} radius="md" />
      ))}
    </div>
  );
}

/** A read that failed, with the way to try again; it is tried again by itself too when the network was lost. */
export function FailedState({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isRefusal = error instanceof ApiError;
  return (
    <State
      icon={<IconPlugConnectedX size={28} stroke={1.5} />}
      title={isRefusal ? error.message : networkLost.title}
      text={isRefusal ? undefined : networkLost.text}
      isAnnounced
    >
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    </State>
  );
}

type StateProps = {
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  isAnnounced?: boolean;
  children?: ReactNode;
};

function State({ icon, title, text, isAnnounced = false, children }: StateProps) {
  return (
    <Stack gap={4} align="center" className={`${classes.state} centered`} role={isAnnounced ? "alert" : undefined}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <p className="strong">{title}</p>
      {text !== undefined && <p className={classes.text}>{text}</p>}
      {children !== undefined && <div className="above-16">{children}</div>}
    </Stack>
  );
}
