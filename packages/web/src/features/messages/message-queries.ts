/**
 * Messages in the cache. Each message has one entry, `["message", id]`, whichever list read it, and the event topic `message:<id>`
 * refreshes it. Lists hold the order only as of their reading: during a running send hints come many times a second, and a
 * list of 1,000 rows that is read anew at each would never be still. So a list is read again when a message comes or goes
 * (topic `messages`), and of its rows only those on screen that may still change follow their topic.
 */
import type { MessageAnswer } from "@ewebal/contract";
import { messageCalls, whitelistCalls } from "@ewebal/contract/calls";
import { limits } from "@ewebal/contract/rules";
import { infiniteQueryOptions, queryOptions, type QueryClient } from "@tanstack/react-query";
import { call } from "../../lib/api/api.ts";
import { wasHintedSince } from "../../lib/session/events.ts";
import type { HistoryQuery } from "../../shared/messages/history-filters.ts";

/** A row carries up to 100 numbers, about 2 kB; a first screen has room for ten rows. */
const ROWS_PER_READ = 25;

/** A listed message carries its first 100 numbers only. */
export function holdsAllNumbers({ recipients }: Pick<MessageAnswer, "recipients">): boolean {
  return recipients <= limits.listedPhoneNosMax;
}

export function messageQuery(userId: string, messageId: string) {
  return queryOptions({
    queryKey: ["message", messageId],
    queryFn: async ({ signal }): Promise<MessageAnswer> =>
      (await call(messageCalls.viewOneSms, { params: { userId, messageId }, signal })).data,
    // Hints say when it is old.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The order at the time of reading; the messages are in their own cache entries. */
export type HistoryPage = {
  messageIds: string[];
  next: string | null;
};

export function historyQuery(queryClient: QueryClient, userId: string, filters: HistoryQuery = {}) {
  return infiniteQueryOptions({
    queryKey: ["messages", userId, filters],
    queryFn: async ({ pageParam, signal }): Promise<HistoryPage> => {
      const query = { ...filters, limit: String(ROWS_PER_READ), ...(pageParam !== undefined && { after: pageParam }) };
      const startedMs = Date.now();
      const page = await call(messageCalls.populateSmsHistory, { params: { userId }, query, signal });
      const messageIds = page.data.map((message) => keepMessage(queryClient, userId, message, startedMs));
      return { messageIds, next: page.next };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}

/** How many of the newest messages the dashboard shows. */
const NEWEST_COUNT = 3;

/** The ids of the newest messages; each message is in its own cache entry. */
export function newestMessagesQuery(queryClient: QueryClient, userId: string) {
  return queryOptions({
    queryKey: ["messages", "newest", userId],
    queryFn: async ({ signal }): Promise<string[]> => {
      const query = { limit: String(NEWEST_COUNT) };
      const startedMs = Date.now();
      const { data } = await call(messageCalls.populateSmsHistory, { params: { userId }, query, signal });
      return data.map((message) => keepMessage(queryClient, userId, message, startedMs));
    },
  });
}

/**
 * @param readSinceMs when the read that brought it began: what changed since is read once more.
 * @returns the message's id.
 */
function keepMessage(queryClient: QueryClient, userId: string, message: MessageAnswer, readSinceMs: number): string {
  const { queryKey } = messageQuery(userId, message._id);
  queryClient.setQueryData(queryKey, message);
  if (wasHintedSince(`message:${message._id}`, readSinceMs)) void queryClient.invalidateQueries({ queryKey });
  return message._id;
}

/** Approved sender names and addresses, and requests. Key `["whitelists", id]`: the event topic "whitelists" refreshes it. */
export function whitelistsQuery(userId: string) {
  return queryOptions({
    queryKey: ["whitelists", userId],
    queryFn: async ({ signal }) => (await call(whitelistCalls.whitelists, { params: { userId }, signal })).data,
  });
}
