import type { MessageCounts, MessageDayAnswer } from "@ewebal/contract";
import { messageCalls } from "@ewebal/contract/calls";
import { queryOptions, skipToken, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "../../lib/api/api.ts";
import { useSession } from "../../lib/session/session.ts";
import { useCurrentUser } from "../account/current-user.ts";

/**
 * The key begins with no topic: a program that sends a hundred messages a second would have the month added up without end.
 * `useLiveMessageDays` says when it is old.
 */
function messageDaysQuery(userId: string | null) {
  return queryOptions({
    queryKey: ["message-days", userId],
    queryFn:
      userId === null
        ? skipToken
        : async ({ signal }): Promise<MessageDayAnswer[]> =>
            (await call(messageCalls.viewSmsDays, { params: { userId }, signal })).data,
  });
}

/** The customer's last 30 days, in order; the last is today. */
export function useMessageDays(): UseQueryResult<MessageDayAnswer[]> {
  return useQuery(messageDaysQuery(useSession().userId));
}

/** The server adds up a month of messages for each answer. */
const REFRESH_MS = 5_000;

/** The same, following new messages and the outcomes of recipients: at once after a quiet time, then every five seconds at most. */
export function useLiveMessageDays(): UseQueryResult<MessageDayAnswer[]> {
  const query = useMessageDays();
  const { refetch, dataUpdatedAt: readAt } = query;
  // Every message and every outcome makes the customer's record be read again.
  const { dataUpdatedAt: changedAt } = useCurrentUser();
  const latest = useRef(changedAt);
  const seen = useRef(changedAt);
  const timer = useRef<number>(undefined);
  useEffect(() => {
    latest.current = changedAt;
    if (seen.current === changedAt || timer.current !== undefined) return;
    const waitMs = Math.max(0, readAt + REFRESH_MS - Date.now());
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      seen.current = latest.current;
      void refetch();
    }, waitMs);
  }, [changedAt, readAt, refetch]);
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return query;
}

/** How many recipients messages went to, or are still going to: all but those whose rest was cancelled. */
export function countRecipients(counts: MessageCounts): number {
  return counts.delivered + counts.failed + counts.dnd + countOpen(counts);
}

/** Recipients without a final result yet: still to be sent, without a report, or with an answer that was lost. */
export function countOpen({ waiting, sent, unknown }: Pick<MessageCounts, "waiting" | "sent" | "unknown">): number {
  return waiting + sent + unknown;
}

/** The counts of several days in one. */
export function sumDays(days: readonly MessageDayAnswer[]): { messages: number; counts: MessageCounts } {
  const counts: MessageCounts = { waiting: 0, sent: 0, delivered: 0, failed: 0, dnd: 0, unknown: 0, cancelled: 0 };
  let messages = 0;
  for (const day of days) {
    messages += day.messages;
    for (const state of Object.keys(counts) as Exclude<keyof MessageCounts, "optedOut" | "expired">[])
      counts[state] += day.counts[state];
  }
  return { messages, counts };
}
