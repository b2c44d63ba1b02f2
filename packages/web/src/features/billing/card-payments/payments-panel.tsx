import type { PaymentAnswer } from "@ewebal/contract";
import { paymentCalls } from "@ewebal/contract/calls";
import { formatNaira } from "@ewebal/contract/rules";
import { Badge, Button } from "@mantine/core";
import { IconFileDownload } from "@tabler/icons-react";
import { call, fillAddress } from "../../../lib/api/api.ts";
import { formatDateTime, formatUnits } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { hasReceipt, paymentStateWords } from "../../../shared/billing/payment-words.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { TextLink } from "../../../ui/kit/links.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import classes from "./payments-panel.module.css";

/** Beside a form, a few of the newest are enough. */
const PAGE_ROWS = "5";

/** The customer's card payments, with their receipts. */
export function PaymentsPanel() {
  const { userId } = useSession();
  const list = useCursorList<PaymentAnswer>({
    queryKey: ["payments", "list", userId],
    read: async (after, signal) =>
      await call(paymentCalls.payments, {
        params: { userId: userId ?? "" },
        query: { limit: PAGE_ROWS, ...(after !== undefined && { after }) },
        signal,
      }),
  });
  return (
    <Panel title="Card payments" aside={<TextLink to={paths.statement}>Statement of units</TextLink>}>
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{
          title: "There are no card payments yet",
          text: "Card payments appear here, each with a receipt.",
        }}
        skeletonRows={3}
      >
        <Stack as="ul" aria-label="Card payments">
          {list.rows.map((payment) => (
            <PaymentRow key={payment.reference} payment={payment} userId={userId ?? ""} />
          ))}
        </Stack>
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

function PaymentRow({ payment, userId }: { payment: PaymentAnswer; userId: string }) {
  const { units, totalKobo, state, createdAt, frozenUnits, takenBackUnits } = payment;
  const { label, color } = paymentStateWords[state];
  return (
    <li className={classes.payment}>
      <Inline gap={4} across={16} wraps align="center" justify="between" className={classes.line}>
        <span className="strong numeric">{formatUnits(units)} units</span>
        <span className="strong numeric">₦{formatNaira(totalKobo)}</span>
      </Inline>
      <Inline gap={4} across={16} wraps align="center" justify="between" className={classes.line}>
        <span className={classes.state}>
          <Badge color={color} variant="light">
            {label}
          </Badge>
          <span className="muted small">{formatDateTime(createdAt)}</span>
        </span>
        {hasReceipt(payment) && <ReceiptLink userId={userId} payment={payment} />}
      </Inline>
      {frozenUnits > 0 && <p className="muted small">{formatUnits(frozenUnits)} units are set aside</p>}
      {takenBackUnits > 0 && <p className="muted small">{formatUnits(takenBackUnits)} units were taken back</p>}
    </li>
  );
}

type ReceiptLinkProps = {
  userId: string;
  payment: Pick<PaymentAnswer, "reference">;
  /** True among other buttons. */
  isButton?: boolean;
};

/** A link to a payment's receipt, a PDF. */
export function ReceiptLink({ userId, payment: { reference }, isButton = false }: ReceiptLinkProps) {
  return (
    <Button
      component="a"
      size={isButton ? "xs" : "compact-sm"}
      variant={isButton ? "filled" : "subtle"}
      leftSection={<IconFileDownload size={16} stroke={1.8} aria-hidden />}
      href={fillAddress(paymentCalls.paymentReceipt.url, { userId, reference })}
      download={`receipt-${reference}.pdf`}
      aria-label={isButton ? undefined : `Receipt of ${reference}`}
    >
      Receipt
    </Button>
  );
}
