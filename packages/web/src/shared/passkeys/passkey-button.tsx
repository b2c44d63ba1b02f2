import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { paths } from "../../lib/paths.ts";
import { readTokenId, startAdminSession, startUserSession } from "../../lib/session/session.ts";
import { showNotice } from "../../ui/feedback/notices.tsx";
import { Callout } from "../../ui/kit/callout.tsx";

/** The other way in, on both login pages: the passkey says who it is, and leads to that side. */
export function PasskeyButton() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState("");
  const signIn = async (): Promise<void> => {
    setSending(true);
    setRefusal("");
    try {
      const { message, data, role } = await (await import("./passkey-sign-in.ts")).signInWithPasskey();
      // Data of the previous session must not appear, not even for a moment.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "brand" });
      (role === "admin" ? startAdminSession : startUserSession)(readTokenId(data));
      showNotice({ title: message });
      await navigate({ to: role === "admin" ? paths.adminDashboard : paths.dashboard });
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    }
    setSending(false);
  };
  return (
    <>
      {refusal !== "" && <Callout tone="error" title={refusal} isAnnounced />}
      <Button size="md" variant="default" fullWidth loading={isSending} onClick={() => void signIn()}>
        Sign in with a passkey
      </Button>
    </>
  );
}
