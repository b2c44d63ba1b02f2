import { Badge } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { paths } from "../../../lib/paths.ts";
import { formatCount, formatCounted } from "../../../lib/texts/format.ts";
import { ButtonLink, TextLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { overviewQuery } from "./overview-queries.ts";
import { pathOfWaiting, waitingCountsQuery, waitingQuery, warningOf } from "../waiting/waiting-query.ts";
import classes from "./overview-page.module.css";

const SHOWN_MAX = 5;

/** The oldest tasks that wait for an administrator; pushes keep the list current. */
export function WaitingPanel() {
  const query = useInfiniteQuery(waitingQuery);
  const { data: rows = [] } = query;
  const { data: counts } = useQuery(waitingCountsQuery);
  const { data: figures } = useQuery(overviewQuery);
  const reviews = counts?.reviews ?? 0;
  const alarms = counts?.alarms ?? 0;
  const total = counts === undefined ? 0 : counts.deposits + counts.requests + counts.approvals + counts.disputes;
  return (
    <Panel
      title="Waiting for you"
      aside={
        rows.length > 0 && (
          <ButtonLink to={paths.waiting} size="xs">
            {total > SHOWN_MAX ? `Decide all ${formatCount(total)}` : "Decide"}
          </ButtonLink>
        )
      }
    >
      <ListStates
        query={query}
        rowCount={rows.length + reviews + alarms}
        empty={{ title: "Nothing is waiting", text: "New tasks appear here automatically." }}
        skeletonRows={3}
      >
        <Stack as="ul" divided={12}>
          {alarms > 0 && (
            <li>
              <TextLink to={paths.alarms}>
                {`${formatCounted(alarms, "alarm")} ${alarms === 1 ? "is" : "are"} open`}
              </TextLink>
            </li>
          )}
          {reviews > 0 && (
            <li>
              <TextLink to={paths.reviews}>
                {`${formatCounted(reviews, "message")} ${reviews === 1 ? "waits" : "wait"} for review`}
              </TextLink>
            </li>
          )}
          {rows.slice(0, SHOWN_MAX).map((row) => (
            <li key={row._id}>
              <Inline gap={4} across={8} wraps align="center">
                <TextLink to={pathOfWaiting(row)}>{row.what}</TextLink>
                {row.flagged && (
                  <Badge color="yellow" variant="light" miw="max-content">
                    {warningOf(row)}
                  </Badge>
                )}
              </Inline>
              <p className={`${classes.words} muted small`}>{row.by}</p>
              <p className="muted small">
                Arrived <RelativeTime iso={row.createdAt} />
              </p>
            </li>
          ))}
        </Stack>
      </ListStates>
      {figures !== undefined && figures.deferred.messages > 0 && <Deferred {...figures.deferred} />}
    </Panel>
  );
}

/** Nobody has to decide on these: they go on by themselves. */
function Deferred({ messages, recipients }: { messages: number; recipients: number }) {
  const verb = messages === 1 ? "waits" : "wait";
  return (
    <p className="above-12 muted small numeric">
      {`${formatCounted(messages, "message")} to ${formatCounted(recipients, "recipient")} ${verb} for quiet hours to end`}
    </p>
  );
}
