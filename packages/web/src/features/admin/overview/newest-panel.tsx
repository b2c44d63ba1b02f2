import { Badge } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { newestCustomersQuery } from "../customers.ts";
import classes from "./overview-page.module.css";

const SHOWN_MAX = 5;

/** Who registered last, and whether the mailbox is proven. */
export function NewestPanel() {
  const query = useQuery(newestCustomersQuery);
  const users = query.data?.users.slice(0, SHOWN_MAX) ?? [];
  return (
    <Panel title="Newest users">
      <ListStates
        query={query}
        rowCount={users.length}
        empty={{ title: "There are no users yet", text: "Who registers is listed here." }}
        skeletonRows={3}
      >
        <Stack as="ul" divided={12}>
          {users.map((user) => (
            <Inline as="li" key={user._id} gap={8} across={16} align="center" justify="between" className={classes.row}>
              <div className="shrinkable anywhere">
                <p className="strong">{user.fullName}</p>
                <p className="muted small">{user.email}</p>
                <p className="muted small">
                  Registered <RelativeTime iso={user.createdAt} />
                </p>
              </div>
              <Badge color={user.verified ? "green" : "gray"} variant="light">
                {user.verified ? "Verified" : "Not verified"}
              </Badge>
            </Inline>
          ))}
        </Stack>
      </ListStates>
    </Panel>
  );
}
