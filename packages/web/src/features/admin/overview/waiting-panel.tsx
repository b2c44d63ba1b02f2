import { Badge } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { paths } from "../../../lib/paths.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { waitingQuery } from "../waiting/waiting-query.ts";
import classes from "./overview-page.module.css";

const SHOWN_MAX = 5;

/** The oldest tasks that wait for an administrator; pushes keep the list current. */
export function WaitingPanel() {
  const query = useInfiniteQuery(waitingQuery);
  const { data: rows = [] } = query;
  return (
    <Panel
      title="Waiting for you"
      aside={
        rows.length > 0 && (
          <ButtonLink to={paths.waiting} size="xs">
            Decide
          </ButtonLink>
        )
      }
    >
      <ListStates
        query={query}
        rowCount={rows.length}
        empty={{ title: "Nothing is waiting", text: "New tasks appear here automatically." }}
        skeletonRows={3}
      >
        <Stack as="ul" divided={12}>
          {rows.slice(0, SHOWN_MAX).map(({ _id, what, by, flagged, createdAt }) => (
            <Inline as="li" key={_id} gap={8} across={16} align="center" justify="between" className={classes.row}>
              <div className="shrinkable anywhere">
                <p className="strong">{what}</p>
                <p className="muted small">{by}</p>
                <p className="muted small">
                  Arrived <RelativeTime iso={createdAt} />
                </p>
              </div>
              {flagged && (
                <Badge color="yellow" variant="light">
                  Check carefully
                </Badge>
              )}
            </Inline>
          ))}
        </Stack>
      </ListStates>
    </Panel>
  );
}
