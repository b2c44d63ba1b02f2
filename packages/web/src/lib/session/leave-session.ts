import type { QueryClient } from "@tanstack/react-query";
import { clearSession, getSession, type SignOutReason } from "./session.ts";

/**
 * Forgets the person: the kept id, and everything of theirs in memory. The brand belongs to no one and stays.
 *
 * @returns the id of who was signed in, or null.
 */
export function leaveSession(queryClient: QueryClient, reason: SignOutReason): string | null {
  const { userId, adminId } = getSession();
  clearSession(reason);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "brand" });
  return userId ?? adminId;
}
