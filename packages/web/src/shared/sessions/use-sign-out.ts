import { accountCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { call, NetworkError } from "../../lib/api/api.ts";
import { type SignOutReason, leaveSession } from "../../lib/session/session.ts";

/**
 * Signs out here and on the server. The person is out at once; should the server not hear of it, it ends an idle session
 * by itself.
 *
 * @param onUnheard called when the server could not be reached.
 */
export function useSignOut(onUnheard: () => void): (reason: SignOutReason) => void {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (id: string) => call(accountCalls.signOut, { params: { id } }),
    // A refusal means that there is no session any more, which is what was asked for.
    onError: (error) => {
      if (error instanceof NetworkError) onUnheard();
    },
  });
  return useCallback(
    (reason) => {
      const id = leaveSession(queryClient, reason);
      if (id !== null) mutate(id);
    },
    [queryClient, mutate],
  );
}
