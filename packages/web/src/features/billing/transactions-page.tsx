import { paths } from "../../lib/paths.ts";
import { useSession } from "../../lib/session/session.ts";
import { ButtonLink } from "../../ui/kit/links.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { DepositsPanel } from "./deposits/deposit-list.tsx";
import { PaymentsPanel } from "./card-payments/payments-panel.tsx";

/** What a customer has paid, and what became of it. */
export function TransactionsPage() {
  const { userId } = useSession();
  return (
    <Page
      title="Transactions History"
      intro="Your bank deposits and card payments, and what became of each."
      actions={<ButtonLink to={paths.buySms}>Buy SMS</ButtonLink>}
    >
      {userId !== null && <DepositsPanel userId={userId} />}
      <PaymentsPanel />
    </Page>
  );
}
