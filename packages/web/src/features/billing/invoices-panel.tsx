import type { InvoiceAnswer } from "@ewebal/contract";
import { invoiceCalls } from "@ewebal/contract/calls";
import { call, fillAddress } from "../../lib/api/api.ts";
import { useCursorList } from "../../lib/api/use-cursor-list.ts";
import { formatDateTime, formatRate } from "../../lib/texts/format.ts";
import { ExternalLink } from "../../ui/kit/links.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { ListStates } from "../../ui/lists/list-states.tsx";
import { ShowMore } from "../../ui/lists/show-more.tsx";

type Line = InvoiceAnswer["corrections"][number];

/** Each invoice, with its credit notes below it, whose amounts are taken off. */
function linesOf(invoices: readonly InvoiceAnswer[]): Line[] {
  return invoices.flatMap((invoice) => [
    invoice,
    ...invoice.corrections.map((note) => ({ ...note, net: -note.net, vat: -note.vat, gross: -note.gross })),
  ]);
}

/** The customer's VAT invoices: one for each payment, transfer and accepted deposit. */
export function InvoicesPanel({ userId }: { userId: string }) {
  const list = useCursorList<InvoiceAnswer>({
    queryKey: ["payments", "invoices", userId],
    read: async (after, signal) =>
      await call(invoiceCalls.invoices, { params: { userId }, query: after === undefined ? {} : { after }, signal }),
  });
  const columns: Column<Line>[] = [
    { title: "Invoice", isHeading: true, cell: ({ number }) => number },
    { title: "Date", cell: ({ createdAt }) => formatDateTime(createdAt) },
    { title: "Net (NGN)", isNumeric: true, cell: ({ net }) => formatRate(net) },
    { title: "VAT (NGN)", isNumeric: true, cell: ({ vat }) => formatRate(vat) },
    { title: "Total (NGN)", isNumeric: true, cell: ({ gross }) => formatRate(gross) },
    {
      title: "File",
      cell: ({ _id: invoiceId, number }) => (
        <ExternalLink href={fillAddress(invoiceCalls.invoice.url, { userId, invoiceId })}>
          PDF
          <span className="visually-hidden">
            {" "}
            of {number.startsWith("CN") ? "credit note" : "invoice"} {number}
          </span>
        </ExternalLink>
      ),
    },
  ];
  return (
    <Panel title="VAT invoices">
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{ title: "There are no invoices yet", text: "Each card payment and each accepted deposit has one." }}
        skeletonRows={2}
      >
        <DataTable caption="VAT invoices" columns={columns} rows={linesOf(list.rows)} rowKey={({ _id }) => _id} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}
