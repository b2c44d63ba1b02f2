import type { InboundAnswer } from "@ewebal/contract";
import { inboundCalls } from "@ewebal/contract/calls";
import { call } from "../../../lib/api/api.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { useSession } from "../../../lib/session/session.ts";
import { phoneOf } from "../../../shared/numbers/phone-of.ts";
import { InboundNumbersPanels } from "./inbound-numbers-panels.tsx";

const columns: Column<InboundAnswer>[] = [
  {
    title: "From",
    isHeading: true,
    cell: ({ from }) => <span className="numeric">{phoneOf(from)}</span>,
    width: "20%",
  },
  { title: "To", cell: ({ to }) => <span className="numeric">{phoneOf(to)}</span>, width: "16%" },
  {
    title: "Message",
    cell: ({ text }) => <span style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{text}</span>,
  },
  { title: "Received", cell: ({ createdAt }) => <RelativeTime iso={createdAt} />, width: "16%" },
];

/** Whose each number is, and the messages from phones to those that are nobody's. The topic "admin" refreshes them. */
export function InboundMessagesPage() {
  const { adminId } = useSession();
  const list = useCursorList<InboundAnswer>({
    queryKey: ["admin", "inbound-messages"],
    read: async (after, signal) =>
      await call(inboundCalls.viewUnassignedInbound, { query: after === undefined ? {} : { after }, signal }),
  });
  return (
    <Page
      title="Inbound messages"
      intro="Messages to a number or keyword of a customer go to that customer's inbox. Those to no customer's number are listed here."
    >
      {adminId !== null && <InboundNumbersPanels adminId={adminId} />}
      <Panel title="Messages to nobody's numbers">
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={{
            title: "There are no inbound messages",
            text: "Carriers pass on messages from phones once they are set up to do so.",
          }}
        >
          <DataTable caption="Messages from phones" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
    </Page>
  );
}
