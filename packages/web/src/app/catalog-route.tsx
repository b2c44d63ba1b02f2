import { CatalogPage } from "../features/contacts/catalog-page.tsx";

/** A catalog belongs to the contacts, sending to it to the messages: here the two come together. */
export function CatalogRoute() {
  return <CatalogPage />;
}
