import { Badge } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/links.tsx";
import { ListStates } from "../../ui/list-states.tsx";
import { Panel } from "../../ui/panel.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import classes from "./overview-page.module.css";
import { kindOf, nameOf, whitelistRequestsQuery } from "./whitelist-requests.ts";

const shownMax = 5;

/** The newest of the requests that wait; they appear and vanish as they are asked and decided. */
export function WaitingPanel() {
  const query = useInfiniteQuery(whitelistRequestsQuery("pending"));
  const { requests = [] } = query.data ?? {};
  return (
    <Panel
      title="Waiting for you"
      aside={
        requests.length > 0 && (
          <ButtonLink to={paths.actionWhitelist} size="xs">
            Decide
          </ButtonLink>
        )
      }
    >
      <ListStates
        query={query}
        rowCount={requests.length}
        empty={{ title: "Nothing is waiting", text: "Requests for sender names and addresses appear here by themselves." }}
        skeletonRows={3}
      >
        <ul className={classes.rows}>
          {requests.slice(0, shownMax).map((request) => (
            <li key={request._id} className={classes.row}>
              <div className={classes.words}>
                <p className={classes.name}>{nameOf(request)}</p>
                <p className={classes.detail}>{request.email}</p>
                <p className={classes.detail}>
                  {kindOf(request)}, asked <RelativeTime iso={request.createdAt} />
                </p>
              </div>
              {request.flagged && (
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
