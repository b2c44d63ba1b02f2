import type { SessionAnswer } from "@ewebal/contract";
import { sessionCalls } from "@ewebal/contract/calls";
import { Badge, Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../lib/api/api.ts";
import { useCursorList } from "../../lib/api/use-cursor-list.ts";
import { confirm } from "../../ui/dialogs/confirm.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { ListStates } from "../../ui/lists/list-states.tsx";
import { showNotice } from "../../ui/feedback/notices.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { RelativeTime } from "../../ui/kit/relative-time.tsx";
import { ShowMore } from "../../ui/lists/show-more.tsx";

/** Where a customer or an administrator is signed in, and the way to end it there. */
export function SessionsPanel({ id }: { id: string }) {
  const list = useCursorList<SessionAnswer>({
    queryKey: ["sessions", id],
    read: async (after, signal) =>
      await call(sessionCalls.sessions, { params: { id }, query: { ...(after !== undefined && { after }) }, signal }),
  });
  const end = useEndSessions(id);
  const hasOthers = list.rows.some(({ isCurrent }) => !isCurrent);
  const columns: Column<SessionAnswer>[] = [
    {
      title: "Device",
      isHeading: true,
      cell: ({ device, isCurrent }) => (
        <>
          {device}{" "}
          {isCurrent && (
            <Badge color="green" variant="light">
              This device
            </Badge>
          )}
        </>
      ),
    },
    { title: "Address", cell: ({ address }) => (address === "" ? "Unknown" : address) },
    { title: "Signed in", cell: ({ createdAt }) => <RelativeTime iso={createdAt} /> },
    { title: "Last active", cell: ({ lastActiveAt }) => <RelativeTime iso={lastActiveAt} /> },
    {
      title: "End the session",
      isActions: true,
      cell: (session) =>
        session.isCurrent ? null : (
          <Button
            size="xs"
            variant="default"
            disabled={end.isPending}
            aria-label={`Sign out: ${session.device}`}
            onClick={() => end.mutate(session)}
          >
            Sign out
          </Button>
        ),
    },
  ];
  const signOutOthers = hasOthers && (
    <Button size="xs" variant="default" disabled={end.isPending} onClick={() => end.mutate("others")}>
      Sign out everywhere else
    </Button>
  );
  return (
    <Panel title="Where you are signed in" aside={signOutOthers}>
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{ title: "There are no sessions" }}
        skeletonRows={1}
      >
        <DataTable caption="Sessions" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

/** Ends one other session, or all others after asking. */
function useEndSessions(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (which: SessionAnswer | "others") => {
      if (which !== "others") return await call(sessionCalls.endSession, { params: { id, sessionId: which._id } });
      const isConfirmed = await confirm({
        title: "Sign out everywhere else?",
        text: "You will have to sign in again on every other device.",
      });
      return isConfirmed ? await call(sessionCalls.endOtherSessions, { params: { id } }) : undefined;
    },
    onSuccess: (answer) => {
      if (answer !== undefined) showNotice({ title: answer.message });
    },
    onError: (error) => showNotice({ tone: "error", title: error.message }),
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ["sessions", id] }),
  });
}
