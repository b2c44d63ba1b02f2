import type { MessageAnswer } from "@ewebal/contract";
import { messageCalls } from "@ewebal/contract/calls";
import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useMemo, useRef, type RefObject } from "react";
import { call } from "../../../lib/api/api.ts";
import { fixedTexts, explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import type { HistoryQuery } from "../../../shared/messages/history-filters.ts";
import { isSettled } from "../message-counts.ts";
import { historyQuery, messageQuery, type HistoryPage } from "../message-queries.ts";
import { useIsOnScreen } from "../../../lib/browser/use-is-on-screen.ts";

/** The sent messages that the filters leave, newest first; read again when one is sent or deleted, in this tab or elsewhere. */
export function useSmsHistory(userId: string, filters: HistoryQuery) {
  const queryClient = useQueryClient();
  const query = useInfiniteQuery(historyQuery(queryClient, userId, filters));
  const messageIds = useMemo(() => [...new Set(query.data?.pages.flatMap((page) => page.messageIds))], [query.data]);
  return { query, messageIds, total: useCurrentUser().data?.counts.sms };
}

/** One message of the list; it follows its counts while it is on screen and they may still change. */
export function useListedMessage(
  userId: string,
  messageId: string,
): { message: MessageAnswer | undefined; ref: RefObject<HTMLElement | null> } {
  const ref = useRef<HTMLElement>(null);
  const isOnScreen = useIsOnScreen(ref);
  const { data: message } = useQuery({
    ...messageQuery(userId, messageId),
    enabled: ({ state }) => isOnScreen && (state.data === undefined || !isSettled(state.data)),
  });
  return { message, ref };
}

/** Asks, deletes, and says how it went. @returns whether the message was deleted. */
export function useDeleteMessage(userId: string): (message: MessageAnswer) => Promise<boolean> {
  const queryClient = useQueryClient();
  return async ({ _id: messageId, counts }) => {
    const goesOn =
      counts.waiting > 0
        ? " What is still waiting goes on being sent; to stop it, open the message and cancel the rest."
        : "";
    const isConfirmed = await confirm({
      title: "Delete this message?",
      text: `This removes it from your history. Its units are not refunded.${goesOn}`,
    });
    if (!isConfirmed) return false;
    try {
      await call(messageCalls.deleteSmsMessage, { params: { userId, messageId } });
    } catch (error) {
      showNotice(explainFailure(error));
      return false;
    }
    showNotice({ title: fixedTexts.deleted });
    const queryKey = ["messages", userId];
    queryClient.setQueriesData<InfiniteData<HistoryPage>>({ queryKey }, (data) =>
      data === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              messageIds: page.messageIds.filter((id) => id !== messageId),
            })),
          },
    );
    await queryClient.invalidateQueries({ queryKey });
    return true;
  };
}
