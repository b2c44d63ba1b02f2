import { Badge, Button } from "@mantine/core";
import type { WhitelistRequestAnswer } from "@ewebal/contract";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./requests-panel.module.css";
import { kindOf, nameOf } from "./whitelist-requests.ts";

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

/** One request: what, who, since when, why to look twice; and the two answers while it waits. */
export function RequestRow({ request, isDeciding, onApprove, onDecline }: RequestRowProps) {
  const name = nameOf(request);
  const { state, warnings = [] } = request;
  return (
    <Inline as="li" gap={12} across={16} wraps align="start" justify="between">
      <Stack gap={2} className={`${classes.words} shrinkable anywhere`}>
        <Inline gap={4} across={8} wraps align="center">
          <span className={classes.name}>{name}</span>
          {request.flagged && (
            <Badge color="yellow" variant="light">
              Look twice
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
