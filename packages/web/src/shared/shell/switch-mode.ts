import { adminAccountCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../lib/api/api.ts";
import { readTokenId, startAdminSession, startUserSession } from "../../lib/session/session.ts";

type SwitchOptions = {
  onSwitched: (message: string) => void;
  onError: (error: Error) => void;
};

/**
 * Goes to the other dashboard of who is customer and administrator. The browser's cookie is the other self's afterwards;
 * the shells see the change of session, here and in other tabs, and lead there.
 */
export function useSwitchMode(to: "admin" | "user", { onSwitched, onError }: SwitchOptions) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, password }: { id: string; password?: string }) =>
      to === "admin"
        ? await call(adminAccountCalls.switchToAdmin, {
            params: { userId: id },
            body: password === undefined ? undefined : { password },
          })
        : await call(adminAccountCalls.switchToUser, { params: { adminId: id } }),
    onSuccess: ({ message, data: token }) => {
      // What one self may read is not for the other.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "brand" });
      (to === "admin" ? startAdminSession : startUserSession)(readTokenId(token));
      onSwitched(message);
    },
    onError,
  });
}
