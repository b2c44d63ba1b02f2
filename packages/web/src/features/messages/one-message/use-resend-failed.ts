import type { MessageAnswer } from "@ewebal/contract";
import { messageCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { formatCount, formatCounted, formatRate, formatUnits } from "../../../lib/texts/format.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { makeKey } from "../compose/idempotency-key.ts";
import { explainNotSent, explainSent } from "../compose/send-outcome.ts";
import { useLeaveTo } from "../compose/use-leave-to.ts";

/** Of wishes whose answer is not known. They outlive the page, because the answer may be lost and the person come back. */
const keys = new Map<string, string>();

function keyOf(messageId: string): string {
  const key = keys.get(messageId) ?? makeKey();
  keys.set(messageId, key);
  return key;
}

type ResendFailed = {
  resend: () => void;
  isSending: boolean;
  refusal: Error | null;
};

/** Asks with the price, then sends to the failed recipients alone; a retry carries the same key. Leads where every send does. */
export function useResendFailed(userId: string, { _id: messageId, counts, price }: MessageAnswer): ResendFailed {
  const queryClient = useQueryClient();
  const leaveTo = useLeaveTo();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const headers = { "idempotency-key": keyOf(messageId) };
      return await call(messageCalls.resendFailed, {
        params: { userId, messageId },
        headers,
        body: { states: ["failed"] },
      });
    },
    onSuccess: (answer) => {
      keys.delete(messageId);
      for (const name of ["user", "messages"]) void queryClient.invalidateQueries({ queryKey: [name] });
      leaveTo(explainSent(answer));
    },
    onError: (cause) => leaveTo(explainNotSent(cause)),
  });
  const ask = async (): Promise<void> => {
    const { failed } = counts;
    const text = `The same text goes to ${failed === 1 ? "this number" : "these numbers"} once more: ${formatCount(failed)} × ${formatRate(price)} = ${formatUnits(failed * price)} units.`;
    if (await confirm({ title: `Resend to ${formatCounted(failed, "recipient")}?`, text })) mutate();
  };
  return {
    resend: () => {
      if (!isPending) void ask();
    },
    isSending: isPending,
    refusal: isPending ? null : error,
  };
}
