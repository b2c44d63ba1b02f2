import { useBrand } from "../../lib/brand.ts";
import { Callout } from "../../ui/callout.tsx";
import { DetailList } from "../../ui/detail-list.tsx";
import { ExternalLink } from "../../ui/links.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";

/** How to get units: the company's bank account, and whom to send the receipt. */
export function BuySmsPage() {
  const brand = useBrand();
  const email = brand?.emails[0];
  return (
    <Page title="Buy SMS" intro="One unit is one naira of sending credit.">
      <Panel title="Pay Via Bank Deposit">
        <DetailList
          rows={[
            { name: "Bank", value: brand?.bank.name },
            { name: "Account name", value: brand?.bank.accountName },
            { name: "Account number", value: brand?.bank.accountNumber, isCopied: true },
          ]}
        />
      </Panel>
      {email !== undefined && (
        <Callout tone="info" title="After the transfer">
          Send the receipt to <ExternalLink href={`mailto:${email}`}>{email}</ExternalLink> from the address of your account. Management
          confirms the deposit and credits your units; the balance above changes by itself.
        </Callout>
      )}
    </Page>
  );
}
