import type { ContactAnswer } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import { queryOptions, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { ApiError, call } from "../../../lib/api/api.ts";
import { fixedTexts, explainRefusal } from "../../../lib/texts/catalogue-texts.ts";
import type { CursorPage } from "../../../lib/api/use-cursor-list.ts";
import { useCursorPages, type CursorPages } from "../../../lib/api/use-cursor-pages.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice, type Notice } from "../../../ui/feedback/notices.tsx";
const CONTACTS_PER_PAGE = 100;

/** A contact as it was read: the ETag says which state of the list its index belongs to. */
export type ListedContact = {
  etag: string;
} & ContactAnswer;

/** Contacts by their place in the list on screen. */
export type ContactsView = {
  /** How many places there are. */
  count: number;
  /** @returns undefined while it is on its way. */
  at: (place: number) => ListedContact | undefined;
  /** Tells which places are on screen; what they need is read, and stays live. */
  onVisible: (firstPlace: number, lastPlace: number) => void;
  /** Why some of them could not be read. */
  error: Error | null;
  readAgain: () => void;
};

type CatalogKey = {
  userId: string;
  catalogId: string;
};

async function readContacts(
  { userId, catalogId }: CatalogKey,
  search: string,
  after: string | undefined,
  signal: AbortSignal,
): Promise<CursorPage<ListedContact>> {
  const query = { limit: String(CONTACTS_PER_PAGE), search, ...(after !== undefined && { after }) };
  const { data, next, etag } = await call(contactCalls.contacts, { params: { userId, catalogId }, query, signal });
  return { data: data.map((contact) => ({ ...contact, etag })), next };
}

/**
 * All contacts of a catalog. A page's cursor is the index before its first contact, so any place can be jumped to: of
 * 100,000 contacts those on screen are read, wherever that is. The topic `catalog:<id>` refreshes them.
 */
export function useAllContacts({ userId, catalogId }: CatalogKey, count: number): ContactsView {
  const [visible, setVisible] = useState({ first: 0, last: 0 });
  const queries = useQueries({
    queries: Array.from({ length: visible.last - visible.first + 1 }, (_, offset) => {
      const start = (visible.first + offset) * CONTACTS_PER_PAGE;
      return queryOptions({
        queryKey: ["catalog", catalogId, "contacts", "all", start],
        queryFn: async ({ signal }) =>
          await readContacts({ userId, catalogId }, "", start === 0 ? undefined : String(start - 1), signal),
        // Hints say when it is old.
        staleTime: Number.POSITIVE_INFINITY,
        enabled: start < count,
      });
    }),
  });
  return {
    count,
    at: (place) =>
      queries[Math.floor(place / CONTACTS_PER_PAGE) - visible.first]?.data?.data[place % CONTACTS_PER_PAGE],
    onVisible: (firstPlace, lastPlace) => {
      const first = Math.floor(firstPlace / CONTACTS_PER_PAGE);
      const last = Math.floor(lastPlace / CONTACTS_PER_PAGE);
      if (first !== visible.first || last !== visible.last) setVisible({ first, last });
    },
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    readAgain: () => {
      for (const { error, refetch } of queries) if (error !== null) void refetch();
    },
  };
}

/** The contacts that have some digits, as far as somebody scrolls: nobody has counted them. */
export function useFoundContacts({ userId, catalogId }: CatalogKey, search: string): CursorPages<ListedContact> {
  return useCursorPages({
    queryKey: ["catalog", catalogId, "contacts", "found", search],
    read: async (after, signal) => await readContacts({ userId, catalogId }, search, after, signal),
  });
}

/** Asks, deletes one contact, and says how it went. Sends the ETag of what was seen, so that nobody else's contact goes. */
export function useDeleteContact(catalogId: string): (contact: ListedContact) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async ({ index, phoneNo, etag }) => {
      if (
        !(await confirm({
          title: `Delete ${phoneNo}?`,
          text: "This removes it from this catalog. Messages sent to it stay in your history.",
        }))
      )
        return;
      try {
        await call(contactCalls.deleteContact, {
          params: { catalogId, index: String(index) },
          headers: { "if-match": etag },
        });
        showNotice({ title: fixedTexts.deleted });
      } catch (error) {
        showNotice(explainNotDeleted(error));
      }
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ["catalog", catalogId] }),
        queryClient.invalidateQueries({ queryKey: ["catalogs"] }),
      ]);
    },
    [catalogId, queryClient],
  );
}

/** Another window was quicker: the catalogue's words would send the person to the network, which is fine. */
function explainNotDeleted(error: unknown): Notice {
  const explanation = explainRefusal("contactDelete", error);
  if (!(error instanceof ApiError) || error.code !== "LIST_CHANGED") return explanation;
  return {
    tone: "warn",
    title: explanation.title,
    text: "The list changed, so nothing was deleted. Check the new list and try again.",
  };
}
