import { useBrand } from "../../../lib/brand.ts";
import { useSession } from "../../../lib/session/session.ts";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { DepositForm } from "./deposit-form.tsx";

/** Paying by bank transfer: where to pay to, and the form that tells management of it. */
export function DepositPanel() {
  const { userId } = useSession();
  const brand = useBrand();
  return (
    <Panel title="Pay Via Bank Deposit">
      <Stack gap={16}>
        <p className="muted">1. Pay into this account, by transfer or over the counter.</p>
        <DetailList
          rows={[
            { name: "Bank", value: brand?.bank.name },
            { name: "Account name", value: brand?.bank.accountName },
            { name: "Account number", value: brand?.bank.accountNumber, isCopied: true },
          ]}
        />
        <p className="muted">
          2. Tell us about it. Management is told by mail, verifies the deposit and credits your units.
        </p>
        {userId !== null && brand !== undefined && <DepositForm userId={userId} bank={brand.bank.name} />}
      </Stack>
    </Panel>
  );
}
