import type { ConversationAnswer } from "@ewebal/contract";
import { inboxCalls } from "@ewebal/contract/calls";
import { Link } from "@tanstack/react-router";
import { call } from "../../../lib/api/api.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { paths, pathTo } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { phoneOf } from "../../../shared/numbers/phone-of.ts";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";

const columns: Column<ConversationAnswer>[] = [
  {
    title: "From",
    isHeading: true,
    cell: ({ from }) => (
      <Link to={pathTo(paths.conversation, { person: from })} className="numeric">
        {phoneOf(from)}
      </Link>
    ),
    width: "22%",
  },
  {
    title: "Last message",
    cell: ({ text }) => <span style={{ overflowWrap: "anywhere" }}>{text}</span>,
  },
  { title: "Messages", cell: ({ messages }) => formatCount(messages), width: "12%" },
  { title: "Received", cell: ({ createdAt }) => <RelativeTime iso={createdAt} />, width: "18%" },
];

/** Everybody who wrote to the customer's numbers, each with the last message. The topic "inbox" refreshes it. */
export function InboxPage() {
  const { userId } = useSession();
  return (
    <Page title="Inbox" intro="Messages that people sent from their phones to your numbers and keywords.">
      {userId !== null && <Conversations userId={userId} />}
    </Page>
  );
}

function Conversations({ userId }: { userId: string }) {
  const list = useCursorList<ConversationAnswer>({
    queryKey: ["inbox", "conversations"],
    read: async (after, signal) =>
      await call(inboxCalls.conversations, {
        params: { userId },
        query: after === undefined ? {} : { after },
        signal,
      }),
  });
  return (
    <Panel title="Conversations">
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{
          title: "Nobody has written yet",
          text: "Ask us for a number or a keyword of your own. What people send to it appears here, and you can reply.",
        }}
      >
        <DataTable caption="Conversations" columns={columns} rows={list.rows} rowKey={({ from }) => from} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}
