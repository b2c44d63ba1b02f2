import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { paths } from "../../lib/paths.ts";
import { readTokenId, startAdminSession, startUserSession } from "../../lib/session/session.ts";
import { showNotice } from "../../ui/feedback/notices.tsx";
import { Callout } from "../../ui/kit/callout.tsx";

/** The other way in, on both login pages: the passkey says who it is, and leads to that side. */
export function PasskeyButton() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const signIn = useMutation({
    mutationFn: async () => await (await import("./passkey-sign-in.ts")).signInWithPasskey(),
    onSuccess: async ({ message, data, role }) => {
      // Data of the previous session must not appear, not even for a moment.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "brand" });
      (role === "admin" ? startAdminSession : startUserSession)(readTokenId(data));
      showNotice({ title: message });
      await navigate({ to: role === "admin" ? paths.adminDashboard : paths.dashboard });
    },
  });
  return (
    <>
      {signIn.error !== null && <Callout tone="error" title={signIn.error.message} isAnnounced />}
      <Button size="md" variant="default" fullWidth loading={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in with a passkey
      </Button>
    </>
  );
}
