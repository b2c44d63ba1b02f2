import { SegmentedControl, Badge, Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { WhitelistRequestAnswer } from "@ewebal/contract";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { Stack, Inline } from "../../../ui/layout/boxes.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { DeclineDialog } from "./decline-request-dialog.tsx";
import classes from "./requests-panel.module.css";
import {
  nameOf,
  readRequestState,
  whitelistRequestsQuery,
  type RequestState,
  useDecideRequest,
  kindOf,
} from "./whitelist-requests.ts";

const states: readonly { value: RequestState; label: string }[] = [
  { value: "pending", label: "Waiting" },
  { value: "approved", label: "Approved" },
  { value: "declined", label: "Declined" },
];

const emptyTexts: Record<RequestState, { title: string; text: string }> = {
  pending: { title: "Nothing is waiting", text: "New requests appear here automatically." },
  approved: { title: "There are no approved requests", text: "Requests that you approve are listed here." },
  declined: {
    title: "There are no declined requests",
    text: "Requests that you decline are listed here, with the reason.",
  },
};

/** The requests of customers; those that wait come first, and a decided request moves to the list of its state. */
export function RequestsPanel() {
  const search: { state?: unknown } = useSearch({ strict: false });
  const state = readRequestState(search.state);
  const navigate = useNavigate();
  const query = useInfiniteQuery(whitelistRequestsQuery(state));
  const requests = query.data?.requests ?? [];
  const { mutate: decide, isPending: isDeciding, variables } = useDecideRequest();
  const [declining, setDeclining] = useState<WhitelistRequestAnswer>();

  const approve = async (request: WhitelistRequestAnswer): Promise<void> => {
    const warning = request.flagged ? ` Warning: ${(request.warnings ?? []).join(". ")}.` : "";
    const isConfirmed = await confirm({
      title: `About to approve ${nameOf(request)}?`,
      text: `${request.email} can use it at once. A mail will be sent to the user.${warning}`,
    });
    if (isConfirmed) decide({ request, decision: { state: "approved" } });
  };

  return (
    <Panel title="Requests">
      <SegmentedControl
        className={classes.states ?? ""}
        aria-label="Which requests"
        withItemsBorders={false}
        data={[...states]}
        value={state}
        onChange={(value) =>
          void navigate({ to: ".", search: value === "pending" ? {} : { state: value }, replace: true })
        }
      />
      <ListStates query={query} rowCount={requests.length} empty={emptyTexts[state]} skeletonRows={3}>
        <Stack as="ul" divided={16}>
          {requests.map((request) => (
            <RequestRow
              key={request._id}
              request={request}
              isDeciding={isDeciding && variables.request._id === request._id}
              onApprove={() => void approve(request)}
              onDecline={() => setDeclining(request)}
            />
          ))}
        </Stack>
        <ShowMore list={{ query, rows: requests }} />
      </ListStates>
      <DeclineDialog
        request={declining}
        onClose={() => setDeclining(undefined)}
        onDecline={(request, reason) => decide({ request, decision: { state: "declined", reason } })}
      />
    </Panel>
  );
}

type RequestRowProps = {
  request: WhitelistRequestAnswer;
  isDeciding: boolean;
  onApprove: () => void;
  onDecline: () => void;
};

const stateBadges = {
  approved: { label: "Approved", color: "green" },
  declined: { label: "Declined", color: "red" },
} as const;

/** One request: the name or address, the customer, its age, warnings, and two buttons while it waits. */
function RequestRow({ request, isDeciding, onApprove, onDecline }: RequestRowProps) {
  const name = nameOf(request);
  const { state, warnings = [] } = request;
  return (
    <Inline as="li" gap={12} across={16} wraps align="start" justify="between">
      <Stack gap={2} className={`${classes.words} shrinkable anywhere`}>
        <Inline gap={4} across={8} wraps align="center">
          <span className={classes.name}>{name}</span>
          {request.flagged && (
            <Badge color="yellow" variant="light">
              Check carefully
            </Badge>
          )}
          {state !== "pending" && (
            <Badge color={stateBadges[state].color} variant="light">
              {stateBadges[state].label}
            </Badge>
          )}
        </Inline>
        <p className="muted small">{request.email}</p>
        <p className="muted small">
          {kindOf(request)}, asked <RelativeTime iso={request.createdAt} />
        </p>
        {request.reason !== undefined && <p className="muted small">Reason: {request.reason}</p>}
        {warnings.length > 0 && (
          <Stack as="ul" gap={4} className={`${classes.warnings} small`}>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </Stack>
        )}
      </Stack>
      {state === "pending" && (
        <div className={classes.answers}>
          <Button variant="default" disabled={isDeciding} aria-label={`Decline ${name}`} onClick={onDecline}>
            Decline
          </Button>
          <Button loading={isDeciding} aria-label={`Approve ${name}`} onClick={onApprove}>
            Approve
          </Button>
        </div>
      )}
    </Inline>
  );
}
