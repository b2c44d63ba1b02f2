import { simulatorCalls } from "@ewebal/contract/calls";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ApiError, call } from "../../../lib/api/api.ts";
import { paths, pathTo } from "../../../lib/paths.ts";

/**
 * Virtual phones are outside the product: the server pushes no event when a message arrives on them, so these two pages ask, on the machine
 * itself, as long as they are looked at.
 */
const ASK_EVERY_MS = 1_000;

export function virtualPhonePath(phoneNo: string): string {
  return pathTo(paths.virtualPhone, { phoneNo });
}

export const virtualPhonesQuery = infiniteQueryOptions({
  queryKey: ["virtual-phones"],
  queryFn: async ({ pageParam, signal }) =>
    await call(simulatorCalls.virtualPhones, {
      query: { limit: "50", ...(pageParam !== undefined && { after: pageParam }) },
      signal,
    }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
  // Somebody who pages back through old ones reads; everything again each second would be much.
  refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : ASK_EVERY_MS),
});

export function virtualPhoneQuery(phoneNo: string) {
  return queryOptions({
    queryKey: ["virtual-phone", phoneNo],
    queryFn: async ({ signal }) => (await call(simulatorCalls.virtualPhone, { params: { phoneNo }, signal })).data,
    refetchInterval: ASK_EVERY_MS,
  });
}

/** With a real carrier, and for strangers, there are no such phones; nor is there one to which nothing came. */
export function isNotThere(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "NOT_FOUND";
}
