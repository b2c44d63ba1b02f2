import { lazy, Suspense } from "react";
import { Page } from "../../ui/layout/page.tsx";
import { Stack } from "../../ui/layout/boxes.tsx";
import classes from "./buy-sms-page.module.css";
import { DepositPanel } from "./deposits/deposit-form.tsx";
import { InstantPanel } from "./card-payments/instant-panel.tsx";
import { PaymentReturn } from "./card-payments/payment-return.tsx";
import { PaymentsPanel } from "./card-payments/payments-panel.tsx";

/** Below what most people come for, so that the page need not wait for it. */
const FundingPanels = lazy(async () => ({ default: (await import("./funding/funding-panels.tsx")).FundingPanels }));

/** The two ways to get units: by card at once, and by bank deposit. */
export function BuySmsPage() {
  return (
    <Page title="Buy Online SMS Units">
      <PaymentReturn />
      <Stack gap={24} align="top" className={classes.panels}>
        <InstantPanel />
        <div className={classes.deposit}>
          <DepositPanel />
        </div>
        <PaymentsPanel />
      </Stack>
      <Suspense>
        <FundingPanels />
      </Suspense>
    </Page>
  );
}
