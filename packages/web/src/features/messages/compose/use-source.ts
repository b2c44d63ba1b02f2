import { useQuery } from "@tanstack/react-query";
import { ApiError } from "../../../lib/api/api.ts";
import type { Source } from "./composer.ts";

type SourceOptions = {
  /** Which form, and of which draft or message. */
  queryKey: readonly [form: string, userId: string, id: string];
  read: (signal: AbortSignal) => Promise<Source>;
};

export type SourceQuery = {
  source: Source | undefined;
  /** For `ListStates`; what is not there any more is no failure. */
  query: { isPending: boolean; error: Error | null; refetch: () => unknown };
};

/**
 * What a form begins with. Read once each time the form is opened: a hint that it has changed elsewhere must not take away
 * what is being typed.
 */
export function useSource({ queryKey, read }: SourceOptions): SourceQuery {
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => await readUnlessGone(read, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return { source: data ?? undefined, query: { isPending, error, refetch } };
}

/** @returns null for what is not there any more. */
async function readUnlessGone(read: SourceOptions["read"], signal: AbortSignal): Promise<Source | null> {
  try {
    return await read(signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
