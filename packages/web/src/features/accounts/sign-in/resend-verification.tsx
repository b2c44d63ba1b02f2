import { accountCalls } from "@ewebal/contract/calls";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ApiError, call } from "../../../lib/api/api.ts";
import { networkLost } from "../../../lib/texts/catalogue-texts.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";

type ResendVerificationProps = {
  email: string;
  onEmailMissing: () => void;
};

/** Sends the verification mail again. The server answers the same for known and unknown addresses. */
export function ResendVerification({ email, onEmailMissing }: ResendVerificationProps) {
  const resend = useMutation({
    mutationFn: () => call(accountCalls.resendVerification, { body: { email } }),
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice(error instanceof ApiError ? { tone: "error", title: error.message } : networkLost),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={resend.isPending}
      onClick={() => {
        if (email.trim() === "") onEmailMissing();
        else resend.mutate();
      }}
    >
      Send the mail again
    </Button>
  );
}
