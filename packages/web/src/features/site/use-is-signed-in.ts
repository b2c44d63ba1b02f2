import { useCurrentUser } from "../../lib/current-user.ts";
import { useSession } from "../../lib/session.ts";

/** Whether Dashboard or Login is offered: the kept id at once, and the server's word when it comes. */
export function useIsSignedIn(): boolean {
  const { userId } = useSession();
  const { data: user } = useCurrentUser();
  return userId !== null && user?.loginStatus !== false;
}
