import type { AdminAnswer } from "@ewebal/contract";
import { adminCalls } from "@ewebal/contract/calls";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { call } from "../../lib/api/api.ts";
import { useSession } from "../../lib/session/session.ts";
import { ownRecordQuery } from "./current-user.ts";

/** Apart from the customer's, so that no stranger fetches the administrators' calls. */
export function adminQuery(id: string | null) {
  return ownRecordQuery(
    id,
    async (adminId, signal): Promise<AdminAnswer> =>
      (await call(adminCalls.viewOneAdmin, { params: { adminId }, signal })).data,
  );
}

/** The signed-in administrator. */
export function useCurrentAdmin(): UseQueryResult<AdminAnswer> {
  return useQuery(adminQuery(useSession().adminId));
}
