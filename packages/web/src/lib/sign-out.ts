import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { call } from "./api.ts";
import { publicRoutes } from "./public-routes.ts";
import { clearSession, getSession } from "./session.ts";

/**
 * Ends the session here and on the server. The person is out at once; should the server not hear of it, it ends an idle
 * session by itself.
 *
 * @param onUnheard called when the server could not be told.
 */
export function useSignOut(onUnheard: () => void): () => void {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (id: string) => call(publicRoutes.signOut, { params: { id } }),
    onError: onUnheard,
  });
  return useCallback(() => {
    const { userId, adminId } = getSession();
    const id = userId ?? adminId;
    clearSession();
    // The brand belongs to no one; everything else was this person's.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "brand" });
    if (id !== null) mutate(id);
  }, [queryClient, mutate]);
}
