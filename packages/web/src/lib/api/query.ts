import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, NetworkError } from "./api.ts";

/** How fresh is fresh: the same data is not asked for twice within this time. (specification, section 9) */
const DEDUPLICATION_MS = 2_000;
/** Coming back to the tab asks again only when the data is older. (specification, section 9) */
const FOCUS_THROTTLE_MS = 5_000;
/** A failed read is shown at once and tried again after this time. (specification, section 9) */
const ERROR_RETRY_MS = 5_000;
const ERROR_RETRY_SLOW_MS = 10_000;

/** Network information is not in every browser, and not in TypeScript's library. */
function isSlowNetwork(): boolean {
  const { connection } = navigator as Navigator & { connection?: { effectiveType?: string } };
  return connection?.effectiveType === "slow-2g" || connection?.effectiveType === "2g";
}

/** A refusal stays one however often it is asked for; a lost network or a restarting server comes back. */
export function isTemporary(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 500);
}

/** For `refetchInterval`: when a read that failed is tried again; false for one that did not, or was refused. */
export function retryAfterFailure({ state }: { state: { status: string; error: unknown } }): number | false {
  return state.status === "error" && isTemporary(state.error)
    ? isSlowNetwork()
      ? ERROR_RETRY_SLOW_MS
      : ERROR_RETRY_MS
    : false;
}

/**
 * @param onSessionLost called when the server says that nobody is signed in.
 */
export function createQueryClient(onSessionLost: () => void): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof ApiError && error.code === "AUTH_REQUIRED") onSessionLost();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // "online" would hold a call back in silence while the browser believes to be offline; people see the failure instead.
        networkMode: "always",
        staleTime: DEDUPLICATION_MS,
        retry: false,
        refetchInterval: retryAfterFailure,
        refetchOnWindowFocus: ({ state }) =>
          Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) > FOCUS_THROTTLE_MS,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
