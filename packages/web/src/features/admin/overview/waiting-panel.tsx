import { Badge } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { paths } from "../../../lib/paths.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import classes from "./overview-page.module.css";
import { waitingQuery } from "../waiting/waiting-query.ts";

const SHOWN_MAX = 5;

/** The oldest of all that waits; it appears and vanishes as it is asked and decided. */
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
        empty={{ title: "Nothing is waiting", text: "What needs you appears here by itself." }}
        skeletonRows={3}
      >
        <ul className={classes.rows}>
          {rows.slice(0, SHOWN_MAX).map(({ _id, what, by, flagged, createdAt }) => (
            <li key={_id} className={classes.row}>
              <div className={classes.words}>
                <p className={classes.name}>{what}</p>
                <p className={classes.detail}>{by}</p>
                <p className={classes.detail}>
                  Arrived <RelativeTime iso={createdAt} />
                </p>
              </div>
              {flagged && (
                <Badge color="yellow" variant="light">
                  Look twice
                </Badge>
              )}
            </li>
          ))}
        </ul>
      </ListStates>
    </Panel>
  );
}
