import { useSession } from "../../../lib/session/session.ts";
import { Columns } from "../../../ui/layout/columns.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { RequestsPanel } from "./requests-panel.tsx";
import { WhitelistUserPanel } from "./whitelist-user-panel.tsx";

/** Requests for sender names and addresses, and names that an administrator gives without a request. */
export function ActionWhitelistPage() {
  const { adminId } = useSession();
  return (
    <Page
      title="Whitelists"
      intro="Customers are promised an answer within about 24 hours. Every decision is final and mailed to them."
    >
      <Columns shares="aside">
        <RequestsPanel />
        {adminId !== null && <WhitelistUserPanel adminId={adminId} />}
      </Columns>
    </Page>
  );
}
