import type { ContactAnswer } from "@ewebal/contract";
import { useQueryClient } from "@tanstack/react-query";
import { ApiError, call } from "../../lib/api.ts";
import { fixedTexts } from "../../lib/catalogue-texts.ts";
import { useCursorPages, type CursorPages } from "../../lib/use-cursor-pages.ts";
import { confirm } from "../../ui/confirm.tsx";
import { showNotice, type Notice } from "../../ui/notices.tsx";
import { contactAddresses } from "./contact-addresses.ts";
import { explainRefusal } from "./explain-refusal.ts";

const contactsPerPage = 100;

/** A contact as it was read: the ETag says which state of the list its index belongs to. */
export interface ListedContact extends ContactAnswer {
  etag: string;
}

interface ContactsFilter {
  userId: string;
  catalogId: string;
  /** Digits; empty for all. */
  search: string;
}

/** The contacts of a catalog, or those with some digits, as far as somebody scrolls. The topic `catalog:<id>` refreshes what is on screen. */
export function useContacts({ userId, catalogId, search }: ContactsFilter): CursorPages<ListedContact> {
  return useCursorPages({
    queryKey: ["catalog", catalogId, "contacts", search],
    read: async (after, signal) => {
      const query = { limit: String(contactsPerPage), search, ...(after !== undefined && { after }) };
      const { data, next, etag } = await call(contactAddresses.contacts, { params: { userId, catalogId }, query, signal });
      return { data: data.map((contact) => ({ ...contact, etag })), next };
    },
  });
}

/** Asks, deletes one contact, and says how it went. Sends the ETag of what was seen, so that nobody else's contact goes. */
export function useDeleteContact(catalogId: string): (contact: ListedContact) => Promise<void> {
  const queryClient = useQueryClient();
  return async ({ index, phoneNo, etag }) => {
    if (!(await confirm({ title: `Delete ${phoneNo}?`, text: "It leaves this catalog. What was sent to it stays in your history." }))) return;
    try {
      await call(contactAddresses.deleteContact, { params: { catalogId, index: String(index) }, headers: { "if-match": etag } });
      showNotice({ title: fixedTexts.deleted });
    } catch (error) {
      showNotice(explainNotDeleted(error));
    }
    await Promise.all([queryClient.invalidateQueries({ queryKey: ["catalog", catalogId] }), queryClient.invalidateQueries({ queryKey: ["catalogs"] })]);
  };
}

/** Another window was quicker: the catalogue's words would send the person to the network, which is fine. */
function explainNotDeleted(error: unknown): Notice {
  const explanation = explainRefusal("contactDelete", error);
  if (!(error instanceof ApiError) || error.code !== "LIST_CHANGED") return explanation;
  return { tone: "warn", title: explanation.title, text: "The list has changed meanwhile, so nothing was deleted. Look at the new list and try again." };
}
