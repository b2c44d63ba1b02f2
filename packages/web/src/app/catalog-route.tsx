import { CatalogPage } from "../features/contacts/catalog/catalog-page.tsx";
import { SendToCatalogDialog } from "../features/messages/send-to-catalog/send-to-catalog-dialog.tsx";

/** A catalog belongs to the contacts, sending to it to the messages: here the two come together. */
export function CatalogRoute() {
  return <CatalogPage renderSendDialog={(dialog) => <SendToCatalogDialog {...dialog} />} />;
}
