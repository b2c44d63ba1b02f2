import { formatNaira } from "@ewebal/contract/rules";
import { Button, Loader } from "@mantine/core";
import type { ReactNode } from "react";
import { formatUnits } from "../../../lib/texts/format.ts";
import { useSession } from "../../../lib/session/session.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import type { Tone } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { ReceiptLink } from "./receipt-link.tsx";
import { usePaymentReturn, type PaymentReturnResult } from "./use-payment-return.ts";

/** What became of the payment that this visit comes back from; nothing on every other visit. */
export function PaymentReturn() {
  const { userId } = useSession();
  const { result, isAsking, askAgain, dismiss } = usePaymentReturn();
  if (result === undefined || userId === null) return null;
  const close = (
    <Button size="xs" variant="default" onClick={dismiss}>
      Close
    </Button>
  );
  if (result.kind === "failed") return <Refusal screen="instantPurchase" error={result.error} action={close} />;
  const { tone, title, text } = wordsFor(result);
  const action =
    result.kind === "asking" ? undefined : (
      <Inline gap={8} wraps align="center">
        {result.kind === "paid" ? (
          <ReceiptLink userId={userId} payment={result.payment} isButton />
        ) : (
          <Button size="xs" variant="default" loading={isAsking} onClick={askAgain}>
            Ask again
          </Button>
        )}
        {close}
      </Inline>
    );
  return (
    <Callout tone={tone} title={title} action={action} isAnnounced>
      {text}
    </Callout>
  );
}

function wordsFor(result: Exclude<PaymentReturnResult, { kind: "failed" }>): {
  tone: Tone;
  title: string;
  text: ReactNode;
} {
  if (result.kind === "paid") {
    const { units, totalKobo } = result.payment;
    const text = `${formatUnits(units)} units for ₦${formatNaira(totalKobo)} are in your account. A receipt is in your mail.`;
    return { tone: "ok", title: "Payment received", text };
  }
  if (result.kind === "unpaid") {
    const text =
      "The card provider has no money for this payment. If you have paid, it arrives here by itself; if not, begin again below.";
    return { tone: "warn", title: "Not paid yet", text };
  }
  if (result.kind === "delayed") {
    const text =
      "The card provider cannot be asked at the moment. If you have paid, your units arrive as soon as it answers.";
    return { tone: "warn", title: "Still confirming", text };
  }
  const text = (
    <Inline as="span" gap={8} wraps align="center">
      <Loader size="xs" aria-hidden /> The card provider is being asked. This takes a few seconds.
    </Inline>
  );
  return { tone: "info", title: "Confirming your payment", text };
}
