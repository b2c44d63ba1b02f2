import { useSession } from "../../lib/session.ts";
import { Page } from "../../ui/page.tsx";
import classes from "./action-whitelist-page.module.css";
import { RequestsPanel } from "./requests-panel.tsx";
import { WhitelistUserPanel } from "./whitelist-user-panel.tsx";

/** Requests for sender names and addresses, and names that an administrator gives without a request. */
export function ActionWhitelistPage() {
  const { adminId } = useSession();
  return (
    <Page title="Whitelists" intro="Customers are promised an answer within about 24 hours. Every decision is final and mailed to them.">
      <div className={classes.columns}>
        <RequestsPanel />
        {adminId !== null && <WhitelistUserPanel adminId={adminId} />}
      </div>
    </Page>
  );
}
