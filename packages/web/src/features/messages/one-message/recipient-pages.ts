import type { RecipientAnswer, RecipientState } from "@ewebal/contract";
import { messageCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { createRefresher } from "../../../lib/session/events.ts";
import { useCursorPages, type CursorPages } from "../../../lib/api/use-cursor-pages.ts";

const ROWS_PER_PAGE = 100;

export type RecipientFilter = {
  userId: string;
  messageId: string;
  state: RecipientState | undefined;
};

export type RecipientPages = CursorPages<RecipientAnswer>;

/**
 * The recipients of one message, page by page as far as somebody has scrolled.
 *
 * @param version changes with the message's counts.
 */
export function useRecipientPages({ userId, messageId, state }: RecipientFilter, version: string): RecipientPages {
  useFreshPages(messageId, version);
  return useCursorPages({
    queryKey: ["recipients", messageId, state ?? "all"],
    read: async (after, signal) => {
      const query = {
        limit: String(ROWS_PER_PAGE),
        ...(state !== undefined && { state }),
        ...(after !== undefined && { after }),
      };
      return await call(messageCalls.recipients, { params: { userId, messageId }, query, signal });
    },
  });
}

/** Reads the pages on screen again when the counts have moved, one reading at a time. */
function useFreshPages(messageId: string, version: string): void {
  const queryClient = useQueryClient();
  const [refresh] = useState(() => createRefresher(queryClient));
  const [seen, setSeen] = useState(version);
  const onChange = useCallback(() => refresh(`recipients:${messageId}`), [refresh, messageId]);
  useEffect(() => {
    if (seen === version) return;
    setSeen(version);
    onChange();
  }, [seen, version, onChange]);
}
