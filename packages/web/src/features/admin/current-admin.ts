import type { AdminAnswer } from "@ewebal/contract";
import { skipToken, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { useSession } from "../../lib/session.ts";
import { adminAddresses } from "./admin-addresses.ts";

/**
 * The signed-in administrator. Key `["user", id]`, as the customer's own record has: it is what the session reads again to
 * tell the server that somebody is there.
 */
export function useCurrentAdmin(): UseQueryResult<AdminAnswer> {
  const { adminId } = useSession();
  return useQuery({
    queryKey: ["user", adminId],
    queryFn:
      adminId === null
        ? skipToken
        : async ({ signal }): Promise<AdminAnswer> => (await call(adminAddresses.viewOneAdmin, { params: { adminId }, signal })).data,
  });
}
