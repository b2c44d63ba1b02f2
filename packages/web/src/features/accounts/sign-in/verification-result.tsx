import { accountCalls } from "@ewebal/contract/calls";
import { useQuery, useMutation } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { ApiError, call } from "../../../lib/api/api.ts";
import { networkLost } from "../../../lib/texts/catalogue-texts.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

type VerificationResultProps = {
  token: string;
  email: string;
  onEmailMissing: () => void;
};

/**
 * Verifies the account when the page has loaded, and shows the result. A script does it, so that the link scanners of
 * mail providers change nothing. The link works once, so the answer is kept and never asked for again.
 */
export function VerificationResult({ token, email, onEmailMissing }: VerificationResultProps) {
  const verification = useQuery({
    queryKey: ["verify-user", token],
    queryFn: () => call(accountCalls.verifyUser, { params: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (verification.isPending) {
    return (
      <Callout tone="info" title="Verifying your account..." isAnnounced>
        One moment
      </Callout>
    );
  }
  if (verification.isSuccess) {
    return (
      <Callout tone="ok" title={verification.data.message} isAnnounced>
        You can login to your dashboard
      </Callout>
    );
  }
  if (verification.error instanceof ApiError && verification.error.status < 500) {
    return (
      <Callout
        tone="warn"
        title={verification.error.message}
        action={<ResendVerification email={email} onEmailMissing={onEmailMissing} />}
        isAnnounced
      >
        If you have already used this link, log in. Otherwise, send a new mail to the address below.
      </Callout>
    );
  }
  return (
    <Callout tone="error" title={networkLost.title} isAnnounced>
      {networkLost.text}. We will keep trying.
    </Callout>
  );
}

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
