import { durationsMs } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { fixedTexts, networkLost } from "../lib/texts/fixed-texts.ts";
import { followChanges } from "../lib/session/events.ts";
import { watchInactivity } from "../lib/session/inactivity.ts";
import { paths } from "../lib/paths.ts";
import { getSession, takeReasonElsewhere, type SignOutReason, leaveSession } from "../lib/session/session.ts";
import { useSignOut } from "../shared/sessions/use-sign-out.ts";
import { showNotice } from "../ui/feedback/notices.tsx";

type LiveSessionOptions = {
  /** Of the signed-in customer or administrator; null once signed out, here or in another tab. */
  id: string | null;
  /** Where the way leads without a session. */
  loginPath: string;
};

/**
 * Keeps a signed-in shell alive: live changes, the 20 minutes without a touch, and the way out when the session ends.
 *
 * @returns a function that signs out, with the notice that fits the reason.
 */
export function useLiveSession({ id, loginPath }: LiveSessionOptions): (reason: SignOutReason) => void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const endSession = useSignOut(showUnheard);

  const signOut = useCallback(
    (reason: SignOutReason) => {
      showFarewell(reason);
      endSession(reason);
    },
    [endSession],
  );

  useEffect(() => {
    if (id !== null) return;
    const reason = takeReasonElsewhere();
    if (reason !== undefined) showFarewell(reason);
    void navigate({ to: findOtherDashboard() ?? loginPath, replace: true });
  }, [id, loginPath, navigate]);

  useEffect(() => {
    if (id === null) return undefined;
    const stopFollowing = followChanges(queryClient, () => {
      if (leaveSession(queryClient, "inactive") !== null) showFarewell("inactive");
    });
    const stopWatching = watchInactivity({
      onInactive: () => signOut("inactive"),
      announce: () => void queryClient.refetchQueries({ queryKey: ["user", id] }),
    });
    return () => {
      stopFollowing();
      stopWatching();
    };
  }, [id, queryClient, signOut]);

  return signOut;
}

/** Who switched modes, here or in another tab, has left this dashboard for the other. */
function findOtherDashboard(): string | undefined {
  const { userId, adminId } = getSession();
  if (adminId !== null) return paths.adminDashboard;
  return userId === null ? undefined : paths.dashboard;
}

function showFarewell(reason: SignOutReason): void {
  showNotice({
    tone: reason === "asked" ? "ok" : "info",
    title: reason === "asked" ? fixedTexts.loggedOut : fixedTexts.inactive,
    durationMs: durationsMs.logoutNotice,
  });
}

/** The person is out on this machine whatever happens; they should know when the server is not told. */
function showUnheard(): void {
  showNotice({
    tone: "warn",
    title: networkLost.title,
    text: "You are logged out here. The server ends the session within 20 minutes.",
  });
}
