import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";

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
