import { Button } from "@mantine/core";
import type { MessageAnswer } from "@ewebal/contract";
import { IconRefresh } from "@tabler/icons-react";
import { messageCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { formatCounted, formatCount, formatRate, formatUnits } from "../../../lib/texts/format.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { SendRefusal, explainNotSent, explainSent, useLeaveTo } from "../compose/send-refusal.tsx";
import { call } from "../../../lib/api/api.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { randomText } from "../../../lib/api/idempotency-key.ts";

type ResendFailedProps = {
  userId: string;
  message: MessageAnswer;
};

/** The way to reach those whom the message did not: the same text once more, to them alone. */
export function ResendFailed({ userId, message }: ResendFailedProps) {
  const { failed } = message.counts;
  const { resend, isSending, refusal } = useResendFailed(userId, message);
  const who = formatCounted(failed, "recipient");
  return (
    <div className="no-print">
      <Callout
        tone="info"
        title={`${who} could not be reached`}
        action={
          <Button
            data-least="sender"
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.8} aria-hidden />}
            loading={isSending}
            onClick={resend}
          >
            Resend to the failed only
          </Button>
        }
      >
        The reason is shown next to each number below.
      </Callout>
      {refusal !== null && <SendRefusal error={refusal} />}
    </div>
  );
}

/** Keys of resends whose answer is not known yet. They outlive the page, because the answer may be lost and the customer may come back. */
const keys = new Map<string, string>();

function keyOf(messageId: string): string {
  const key = keys.get(messageId) ?? randomText();
  keys.set(messageId, key);
  return key;
}

type Resending = {
  resend: () => void;
  isSending: boolean;
  refusal: Error | null;
};

/** Asks with the price, then sends to the failed recipients alone; a retry carries the same key. Leads where every send does. */
function useResendFailed(userId: string, { _id: messageId, counts, price }: MessageAnswer): Resending {
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
