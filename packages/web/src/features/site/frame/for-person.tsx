import type { ReactNode } from "react";
import { useIsHydrated } from "../../../lib/browser/hydration.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";

/**
 * Wraps what depends on who is signed in. The server's document shows it to visitors; a browser with a session
 * hides it until hydration, and so never shows the visitor's version first.
 */
export function ForPerson({ children }: { children: ReactNode }) {
  const isHydrated = useIsHydrated();
  return (
    <span style={{ display: "contents" }} data-for-stranger={!isHydrated || undefined}>
      {children}
    </span>
  );
}

/**
 * The dashboard of a signed-in person: the stored id decides at once, the server's answer when it has arrived.
 *
 * @returns undefined for a visitor, who sees the login.
 */
export function useDashboardPath(): string | undefined {
  const { userId, adminId } = useSession();
  const { data: user } = useCurrentUser();
  if (adminId !== null) return paths.adminDashboard;
  return userId !== null && user?.loginStatus !== false ? paths.dashboard : undefined;
}
