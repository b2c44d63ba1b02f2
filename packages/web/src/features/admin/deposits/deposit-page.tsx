import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { FailedState } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Receipt } from "../../../shared/billing/receipt.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { managePaths } from "../admin-paths.ts";
import { depositQuery } from "./deposit-queries.ts";
import { DepositReview } from "./deposit-review.tsx";
import classes from "./deposits.module.css";

/**
 * One bank deposit: the proof beside the reported details, and the decision. Opened from all deposits or from one
 * user's.
 */
export function DepositPage() {
  const { userId, transferId = "" }: { userId?: string; transferId?: string } = useParams({ strict: false });
  const { adminId } = useSession();
  const { data: deposit, error, refetch } = useQuery(depositQuery(transferId));
  const back =
    userId === undefined
      ? { to: paths.manageAllTransactions, label: "All transactions" }
      : { to: managePaths.userTransactions(userId), label: "User's transactions" };
  return (
    <Page title="Transaction details" back={back}>
      {deposit === undefined || adminId === null ? (
        <Panel>
          {error === null ? (
            <Skeleton height={360} radius="md" aria-label="Loading" />
          ) : (
            <FailedState error={error} onRetry={() => void refetch()} />
          )}
        </Panel>
      ) : (
        <Stack gap={24} align="top" className={classes.columns}>
          <Panel title="Proof">
            <Receipt
              key={deposit.image}
              src={deposit.image}
              type={deposit.receiptType}
              label={`Receipt of ${deposit.depositorName}`}
              isLarge
            />
          </Panel>
          <DepositReview deposit={deposit} adminId={adminId} />
        </Stack>
      )}
    </Page>
  );
}
