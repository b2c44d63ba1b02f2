import { paths } from "../../lib/paths.ts";
import { useSession } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/links.tsx";
import { Page } from "../../ui/page.tsx";
import { DepositsPanel } from "./deposits-panel.tsx";

/** What a customer has paid, and what became of it. */
export function TransactionsPage() {
  const { userId } = useSession();
  return (
    <Page title="Transactions History" intro="Your bank deposits, from the report to the units." actions={<ButtonLink to={paths.buySms}>Buy SMS</ButtonLink>}>
      {userId !== null && <DepositsPanel userId={userId} />}
    </Page>
  );
}
