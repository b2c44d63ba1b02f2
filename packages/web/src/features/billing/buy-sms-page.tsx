import { Page } from "../../ui/page.tsx";
import { DepositPanel } from "./deposit-panel.tsx";

/** How to get units: by bank deposit. */
export function BuySmsPage() {
  return (
    <Page title="Buy SMS" intro="One unit is one naira of sending credit.">
      <DepositPanel />
    </Page>
  );
}
