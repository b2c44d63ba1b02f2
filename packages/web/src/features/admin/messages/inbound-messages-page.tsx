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

/** Messages from phones to numbers that belong to no customer. The topic "admin" refreshes them. */
export function InboundMessagesPage() {
  const list = useCursorList<InboundAnswer>({
    queryKey: ["admin", "inbound-messages"],
    read: async (after, signal) =>
      await call(inboundCalls.viewUnassignedInbound, { query: after === undefined ? {} : { after }, signal }),
  });
  return (
    <Page
      title="Inbound messages"
      intro="Messages that people sent from their phones to your numbers and codes. Nobody is added to the DND list automatically: when someone writes STOP, add the number yourself."
    >
      <Panel>
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

/** Short codes and names stay as they are. */
function phoneOf(address: string): string {
  return /^[0-9]{9,15}$/.test(address) ? `+${address}` : address;
}
