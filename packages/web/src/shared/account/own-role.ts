import type { MemberRole } from "@ewebal/contract";
import { useCurrentUser } from "./current-user.ts";

/** What the person may do in the account: an administrator who looks at it only reads. @returns undefined while it is not known. */
export function useOwnRole(): MemberRole | undefined {
  const { data: user } = useCurrentUser();
  if (user === undefined) return undefined;
  return user.acting === undefined ? (user.member?.role ?? "owner") : "viewer";
}
