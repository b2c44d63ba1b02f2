import { formatNaira, type PaymentAnswer } from "@ewebal/contract";
import { Badge } from "@mantine/core";
import { useMemo } from "react";
import { call } from "../../lib/api.ts";
import { formatDateTime, formatUnits } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { useSession } from "../../lib/session.ts";
import { useCursorList } from "../../lib/use-cursor-list.ts";
import { DataTable, ShowMore, type Column } from "../../ui/data-table.tsx";
import { TextLink } from "../../ui/links.tsx";
import { ListStates } from "../../ui/list-states.tsx";
import { Panel } from "../../ui/panel.tsx";
import { billingAddresses } from "./billing-addresses.ts";
import { hasReceipt, paymentStateWords } from "./payment-words.ts";
import classes from "./payments-panel.module.css";
import { ReceiptLink } from "./receipt-link.tsx";

const pageRows = 10;

/** The customer's card payments, with their receipts. */
export function PaymentsPanel() {
  const { userId } = useSession();
  const list = useCursorList<PaymentAnswer>({
    queryKey: ["payments", "list", userId],
    read: async (after, signal) =>
      await call(billingAddresses.payments, { params: { userId: userId ?? "" }, query: { limit: String(pageRows), ...(after !== undefined && { after }) }, signal }),
  });
  const columns = useMemo(() => columnsFor(userId ?? ""), [userId]);
  return (
    <Panel title="Card payments" aside={<TextLink to={paths.statement}>Statement of units</TextLink>}>
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{ title: "There are no card payments yet", text: "What you buy with a card stands here, with its receipt." }}
        skeletonRows={3}
      >
        <DataTable caption="Card payments" columns={columns} rows={list.rows} rowKey={({ reference }) => reference} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

function columnsFor(userId: string): Column<PaymentAnswer>[] {
  return [
    { title: "Date", isHeading: true, cell: ({ createdAt }) => formatDateTime(createdAt), width: "22%" },
    { title: "State", cell: (payment) => <PaymentStateCell payment={payment} /> },
    { title: "Units", isNumeric: true, cell: ({ units }) => formatUnits(units), width: "16%" },
    { title: "Total", isNumeric: true, cell: ({ totalKobo }) => `₦${formatNaira(totalKobo)}`, width: "18%" },
    {
      title: "Receipt",
      isActions: true,
      cell: (payment) => (hasReceipt(payment) ? <ReceiptLink userId={userId} payment={payment} /> : null),
      width: "130px",
    },
  ];
}

function PaymentStateCell({ payment: { state, frozenUnits, takenBackUnits } }: { payment: PaymentAnswer }) {
  const { label, color } = paymentStateWords[state];
  return (
    <span className={classes.state}>
      <Badge color={color} variant="light">
        {label}
      </Badge>
      {frozenUnits > 0 && <span className={classes.detail}>{formatUnits(frozenUnits)} units are set aside</span>}
      {takenBackUnits > 0 && <span className={classes.detail}>{formatUnits(takenBackUnits)} units were taken back</span>}
    </span>
  );
}
