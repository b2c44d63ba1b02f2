import type { PaymentAnswer } from "@ewebal/contract";
import { paymentCalls } from "@ewebal/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, call } from "../../../lib/api/api.ts";
import { isTemporary } from "../../../lib/api/query.ts";
import { useSession } from "../../../lib/session/session.ts";
import { findPurchase, storePurchase } from "../../../shared/billing/stored-purchase.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";

export type PaymentReturnResult =
  | { kind: "asking" }
  | { kind: "paid"; payment: PaymentAnswer }
  /** The provider has no money yet; a push asks again. */
  | { kind: "unpaid" }
  /** The answer is on its way: the network or the provider is not there at the moment. */
  | { kind: "delayed" }
  | { kind: "failed"; error: Error };

type ReturnState = {
  /** Undefined: this visit does not come from the provider. */
  result: PaymentReturnResult | undefined;
  isAsking: boolean;
  askAgain: () => void;
  /** Takes the reference out of the address. */
  dismiss: () => void;
};

/**
 * The visit that comes back from the provider with `?reference=` or `?trxref=`: asks the server about it, and again with each
 * push about payments. Asking changes nothing but an unpaid payment that was paid.
 */
export function usePaymentReturn(): ReturnState {
  const { userId } = useSession();
  const { values, clear } = useAddressFilters(["reference", "trxref"]);
  const reference = values.reference === "" ? values.trxref : values.reference;
  const isReturn = reference !== "" && userId !== null;
  const query = useQuery({
    // Below the topic "payments", so that a push asks again.
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
