import { paths } from "../../lib/paths.ts";
import { useSession } from "../../lib/session/session.ts";
import { ButtonLink } from "../../ui/kit/links.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { DepositsPanel } from "./deposits/deposit-list.tsx";
import { PaymentsPanel } from "./card-payments/payments-panel.tsx";

/** The customer's deposits and card payments. */
export function TransactionsPage() {
  const { userId } = useSession();
  return (
    <Page
      title="Transactions History"
      intro="Your bank deposits and card payments, and the outcome of each."
      actions={<ButtonLink to={paths.buySms}>Buy SMS</ButtonLink>}
    >
      {userId !== null && <DepositsPanel userId={userId} />}
      <PaymentsPanel />
    </Page>
  );
}
