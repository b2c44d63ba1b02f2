import type { CatalogAnswer, ContactAnswer } from "@ewebal/contract";
import { etagOf, type CatalogWithContacts } from "./catalogs.ts";
import type { Contact } from "../numbers/list-contacts.ts";

export function presentCatalog(catalog: CatalogWithContacts): CatalogAnswer {
  return {
    _id: catalog.catalogId,
    userID: catalog.userId,
    catalogName: catalog.name,
    code: catalog.code,
    columns: catalog.columns,
    contacts: catalog.firstPhoneNos.map((number) => `+${number}`),
    count: catalog.contactCount,
    etag: etagOf(catalog),
    createdAt: catalog.createdAt.toISOString(),
  };
}

export function presentContact({ index, phoneNo, fields }: Contact): ContactAnswer {
  return { index, phoneNo: `+${phoneNo}`, ...(fields && { fields }) };
}
