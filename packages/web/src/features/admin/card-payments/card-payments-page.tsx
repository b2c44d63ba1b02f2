import { Badge, NativeSelect } from "@mantine/core";
import type { AdminPaymentAnswer } from "@ewebal/contract";
import { paymentCalls } from "@ewebal/contract/calls";
import { formatNaira, paymentStates } from "@ewebal/contract/rules";
import { call, fillAddress } from "../../../lib/api/api.ts";
import { formatDateTime, formatUnits } from "../../../lib/texts/format.ts";
import { hasReceipt, paymentStateWords } from "../../../shared/billing/payment-words.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { Email } from "../../../ui/kit/email.tsx";
import { ExternalLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import classes from "./card-payments-page.module.css";

const columns: Column<AdminPaymentAnswer>[] = [
  { title: "Date", cell: ({ createdAt }) => formatDateTime(createdAt) },
  { title: "Email Address", isHeading: true, cell: ({ email }) => <Email email={email} /> },
  { title: "Units", isNumeric: true, cell: ({ units }) => formatUnits(units) },
  { title: "Charged", isNumeric: true, cell: ({ totalKobo }) => `₦${formatNaira(totalKobo)}` },
  { title: "State", cell: (payment) => <State payment={payment} /> },
  { title: "Reference", cell: ({ reference }) => <span className="muted tiny anywhere">{reference}</span> },
  {
    title: "Receipt",
    isActions: true,
    cell: (payment) =>
      hasReceipt(payment) ? (
        <ExternalLink
          href={fillAddress("/api/:userId/:reference/payment-receipt", {
            userId: payment.userID,
            reference: payment.reference,
          })}
        >
          Receipt
        </ExternalLink>
      ) : null,
  },
];

/** Card payments of all customers. Words point out those to check: a success that does not fit, a refund, a dispute. */
export function CardPaymentsPage() {
  const filters = useAddressFilters(["state"]);
  const state = paymentStates.find((known) => known === filters.values.state);
  const list = useCursorList<AdminPaymentAnswer>({
    queryKey: ["payments", "all", state],
    read: async (after, signal) =>
      await call(paymentCalls.viewAllPayments, {
        query: { ...(state !== undefined && { state }), ...(after !== undefined && { after }) },
        signal,
      }),
  });
  return (
    <Page
      title="Card payments"
      intro="We credit each payment once the card provider confirms it. A refund or a dispute sets its units aside automatically."
    >
      <Panel>
        <NativeSelect
          className={classes.filter ?? ""}
          size="sm"
          aria-label="State"
          value={state ?? ""}
          data={[
            { value: "", label: "All states" },
            ...paymentStates.map((value) => ({ value, label: paymentStateWords[value].label })),
          ]}
          onChange={({ currentTarget }) => filters.set({ state: currentTarget.value })}
        />
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={{ title: "There are no card payments yet" }}
          onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        >
          <DataTable
            caption="Card payments of all users"
            columns={columns}
            rows={list.rows}
            rowKey={({ reference }) => reference}
          />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
    </Page>
  );
}

function State({ payment: { state, problem, claims } }: { payment: AdminPaymentAnswer }) {
  const { label, color } = paymentStateWords[state];
  return (
    <>
      <Badge color={color} variant="light">
        {label}
      </Badge>
      {problem !== null && <p className="above-4 tiny tone-error">{problem}</p>}
      {claims.map(({ kind, state: claimState, amountKobo, spentUnits, createdAt }) => (
        <p key={createdAt} className="above-4 tiny muted">
          {kind === "refund" ? "Refund" : "Dispute"} of ₦{formatNaira(amountKobo)}: {claimState}
          {spentUnits > 0 && `; ${formatUnits(spentUnits)} units were spent already`}
        </p>
      ))}
    </>
  );
}
