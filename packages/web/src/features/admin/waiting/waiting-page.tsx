import { Badge, Button } from "@mantine/core";
import type { WaitingAnswer } from "@ewebal/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSession } from "../../../lib/session/session.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import classes from "../whitelists/requests-panel.module.css";
import { useDecideApproval, type ApprovalVerb } from "./use-decide-approval.ts";
import { pathOfWaiting, waitingQuery } from "./waiting-query.ts";

/** Everything that waits for an administrator, the oldest first: what it is, who waits, since when, and the way to decide it. */
export function WaitingPage() {
  const { adminId } = useSession();
  return (
    <Page title="Waiting" intro="Deposits, requests, second signatures and disputed payments, the oldest first.">
      <Panel>{adminId !== null && <WaitingList adminId={adminId} />}</Panel>
    </Page>
  );
}

function WaitingList({ adminId }: { adminId: string }) {
  const query = useInfiniteQuery(waitingQuery);
  const rows = query.data ?? [];
  const { press, decidingId } = useDecideApproval(adminId);
  return (
    <ListStates
      query={query}
      rowCount={rows.length}
      empty={{ title: "Nothing is waiting", text: "What needs an administrator appears here by itself." }}
    >
      <Stack as="ul" divided={16}>
        {rows.map((row) => (
          <WaitingRow
            key={row._id}
            row={row}
            isDeciding={decidingId === row._id}
            onPress={(verb) => press(row, verb)}
          />
        ))}
      </Stack>
      <ShowMore list={{ query, rows }} />
    </ListStates>
  );
}

type WaitingRowProps = {
  row: WaitingAnswer;
  isDeciding: boolean;
  onPress: (verb: ApprovalVerb) => void;
};

function WaitingRow({ row, isDeciding, onPress }: WaitingRowProps) {
  const { kind, what, by, flagged, mayDecide, createdAt } = row;
  return (
    <Inline as="li" gap={12} across={16} wraps align="start" justify="between">
      <Stack gap={2} className={`${classes.words} shrinkable anywhere`}>
        <Inline gap={4} across={8} wraps align="center">
          <span className={classes.name}>{what}</span>
          {flagged && (
            <Badge color="yellow" variant="light">
              Look twice
            </Badge>
          )}
        </Inline>
        <p className="muted small">{kind === "approval" ? `Asked for by ${by}` : by}</p>
        <p className="muted small">
          Arrived <RelativeTime iso={createdAt} />
          {!mayDecide && ". Another administrator has to decide this."}
        </p>
      </Stack>
      {kind !== "approval" && (
        <ButtonLink to={pathOfWaiting(row)} variant="default" aria-label={`View ${what} of ${by}`}>
          View
        </ButtonLink>
      )}
      {kind === "approval" && mayDecide && (
        <div className={classes.answers}>
          <Button
            variant="default"
            disabled={isDeciding}
            aria-label={`Decline: ${what}`}
            onClick={() => onPress("decline")}
          >
            Decline
          </Button>
          <Button loading={isDeciding} aria-label={`Approve: ${what}`} onClick={() => onPress("approve")}>
            Approve
          </Button>
        </div>
      )}
    </Inline>
  );
}
