import type { ReactNode } from "react";
import { useIsHydrated } from "../../../lib/browser/hydration.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";

/**
 * Round what depends on who is there. The server's document has it as a stranger sees it; somebody whom this browser knows
 * sees its place empty until it is theirs, and never another's words first.
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
 * Where somebody who is signed in goes on: the kept id decides at once, and the server's word when it comes.
 *
 * @returns undefined for a visitor, who is offered the login.
 */
export function useDashboardPath(): string | undefined {
  const { userId, adminId } = useSession();
  const { data: user } = useCurrentUser();
  if (adminId !== null) return paths.adminDashboard;
  return userId !== null && user?.loginStatus !== false ? paths.dashboard : undefined;
}
