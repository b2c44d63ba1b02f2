import { formatNaira } from "@ewebal/contract/rules";
import { Button, Loader } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import type { PaymentAnswer } from "@ewebal/contract";
import { paymentCalls } from "@ewebal/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { formatUnits } from "../../../lib/texts/format.ts";
import { useSession } from "../../../lib/session/session.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import type { Tone } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { ApiError, call } from "../../../lib/api/api.ts";
import { isTemporary } from "../../../lib/api/query.ts";
import { findPurchase, storePurchase } from "../../../shared/billing/stored-purchase.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { ReceiptLink } from "./payments-panel.tsx";

/** The result of the payment that this visit returns from; nothing on other visits. */
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
            Check again
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
      "We haven't received this payment yet. If you paid, your units will appear automatically; if not, start again below.";
    return { tone: "warn", title: "Not paid yet", text };
  }
  if (result.kind === "delayed") {
    const text =
      "We can't reach the card provider at the moment. If you have paid, you get your units as soon as it answers.";
    return { tone: "warn", title: "Still confirming", text };
  }
  const text = (
    <Inline as="span" gap={8} wraps align="center">
      <Loader size="xs" aria-hidden /> We are asking the card provider. This takes a few seconds.
    </Inline>
  );
  return { tone: "info", title: "Confirming your payment", text };
}

type PaymentReturnResult =
  | { kind: "asking" }
  | { kind: "paid"; payment: PaymentAnswer }
  /** The provider has not received the money yet; a push asks again. */
  | { kind: "unpaid" }
  /** The answer is delayed: the network or the provider does not respond. */
  | { kind: "delayed" }
  | { kind: "failed"; error: Error };

type ReturnState = {
  /** Undefined when this visit does not come from the provider. */
  result: PaymentReturnResult | undefined;
  isAsking: boolean;
  askAgain: () => void;
  /** Removes the reference from the address. */
  dismiss: () => void;
};

/**
 * The visit that returns from the provider with `?reference=` or `?trxref=`: asks the server about the payment, and
 * again with each
 * push about payments. Asking can only credit a payment that was paid.
 */
function usePaymentReturn(): ReturnState {
  const { userId } = useSession();
  const { values, clear } = useAddressFilters(["reference", "trxref"]);
  const reference = values.reference === "" ? values.trxref : values.reference;
  const isReturn = reference !== "" && userId !== null;
  const query = useQuery({
    // The key is under the topic "payments", so that a push asks again.
    queryKey: ["payments", "verify", reference],
    enabled: isReturn,
    queryFn: async ({ signal }) => await verify(reference, userId ?? "", signal),
  });

  const isPaid = query.data !== undefined;
  useEffect(() => {
    const stored = isPaid && userId !== null ? findPurchase(reference, userId) : undefined;
    if (stored !== undefined) storePurchase({ ...stored, units: 0 });
  }, [isPaid, reference, userId]);

  return {
    result: isReturn ? toResult(query) : undefined,
    isAsking: query.isFetching,
    askAgain: () => void query.refetch(),
    dismiss: clear,
  };
}

async function verify(reference: string, userId: string, signal: AbortSignal): Promise<PaymentAnswer> {
  const body = { units: findPurchase(reference, userId)?.units ?? 0 };
  return (await call(paymentCalls.verifyTransaction, { params: { reference, userId }, body, signal })).data;
}

function toResult({ data, error }: { data: PaymentAnswer | undefined; error: Error | null }): PaymentReturnResult {
  if (data !== undefined) return { kind: "paid", payment: data };
  if (error === null) return { kind: "asking" };
  if (error instanceof ApiError && error.code === "NOT_PAID") return { kind: "unpaid" };
  return isTemporary(error) ? { kind: "delayed" } : { kind: "failed", error };
}
