import { Button } from "@mantine/core";
import type { MessageAnswer } from "@ewebal/contract";
import { IconRefresh } from "@tabler/icons-react";
import { formatCounted } from "../../../lib/texts/format.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import classes from "./one-message.module.css";
import { SendRefusal } from "../compose/send-refusal.tsx";
import { useResendFailed } from "./use-resend-failed.ts";

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
    <div className={classes.resend}>
      <Callout
        tone="info"
        title={`${who} could not be reached`}
        action={
          <Button
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
        The reasons stand below, at each number.
      </Callout>
      {refusal !== null && <SendRefusal error={refusal} />}
    </div>
  );
}
