import { Textarea } from "@mantine/core";
import type { UserAnswer } from "@ewebal/contract";
import { adminAccountCalls } from "@ewebal/contract/calls";
import { limits } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { readTokenId, startUserSession, useSession } from "../../../lib/session/session.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";

type LookDialogProps = { user: UserAnswer; opened: boolean; onClose: () => void };

/** Asks why an administrator wants to see a customer's account, and opens it. The shells see the change of session and lead there. */
export function LookDialog({ user, opened, onClose }: LookDialogProps) {
  const { adminId } = useSession();
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { reason: "" },
    missing: ({ reason }) => (reason.trim() === "" ? ["a reason"] : []),
    send: async ({ reason }) => {
      const { data: token } = await call(adminAccountCalls.actFor, {
        params: { adminId: adminId ?? "" },
        body: { userId: user._id, reason: reason.trim() },
      });
      onClose();
      // What the administrator may read is not for the customer's side.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "brand" });
      startUserSession(readTokenId(token));
    },
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={`See the account of ${user.userName}`} size="sm">
      <Form form={form}>
        <p className="muted">
          For 30 minutes you see what {user.userName} sees, and can change nothing. The audit log and the customer’s
          profile show that you looked, and why.
        </p>
        <Textarea
          label="Reason"
          description="The customer can read this"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={limits.reasonCharactersMax}
          data-autofocus
          {...form.field("reason")}
        />
        <Refusal screen="service" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          See the account
        </SubmitButton>
      </Form>
    </Dialog>
  );
}
