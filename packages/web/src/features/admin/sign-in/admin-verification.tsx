import { adminCalls } from "@ewebal/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { ApiError, call } from "../../../lib/api/api.ts";
import { networkLost } from "../../../lib/texts/catalogue-texts.ts";
import { paths } from "../../../lib/paths.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";

const VERIFIED = "You can login to your dashboard";

/**
 * Verifies the administrator when the page has loaded, and says what came of it. A script does it, so that the link
 * scanners of mail providers change nothing. The link works once: the answer is kept and never asked for again.
 */
export function AdminVerification({ token }: { token: string }) {
  const { data, error, isPending } = useQuery({
    queryKey: ["verify-admin", token],
    queryFn: () => call(adminCalls.verifyAdmin, { params: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (isPending) {
    return (
      <Callout tone="info" title="Verifying your account..." isAnnounced>
        One moment
      </Callout>
    );
  }
  if (data !== undefined) {
    // Where an owner has to let administrators in, the answer says so.
    return <Callout tone={data.message === VERIFIED ? "ok" : "info"} title={data.message} isAnnounced />;
  }
  if (error instanceof ApiError && error.status < 500) {
    const action = (
      <ButtonLink to={paths.adminRegister} size="xs" variant="default">
        Register again
      </ButtonLink>
    );
    return (
      <Callout tone="warn" title={error.message} action={action} isAnnounced>
        If you have used it before, log in. Otherwise register again for a new one.
      </Callout>
    );
  }
  return (
    <Callout tone="error" title={networkLost.title} isAnnounced>
      {networkLost.text}. We keep trying.
    </Callout>
  );
}
