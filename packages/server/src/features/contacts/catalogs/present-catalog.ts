import type { AddedAnswer, CatalogAnswer, ContactAnswer } from "@ewebal/contract";
import { etagOf, type CatalogWithContacts } from "./catalogs.ts";
import type { Contact } from "../numbers/list-contacts.ts";
import type { Addition } from "../numbers/take-numbers.ts";

export function presentCatalog(catalog: CatalogWithContacts): CatalogAnswer {
  return {
    _id: catalog.catalogId,
    userID: catalog.userId,
    catalogName: catalog.name,
    code: catalog.code,
    contacts: catalog.firstPhoneNos.map((number) => `+${number}`),
    count: catalog.contactCount,
    etag: etagOf(catalog),
    createdAt: catalog.createdAt.toISOString(),
  };
}

export function presentContact({ index, phoneNo }: Contact): ContactAnswer {
  return { index, phoneNo: `+${phoneNo}` };
}

export function presentMade({ catalogId }: { catalogId: string }): { message: string; data: { _id: string } } {
  return { message: "Catalog created", data: { _id: catalogId } };
}

export function presentAddition(addition: Addition): { message: string; data: AddedAnswer } {
  const { catalogId, ...counts } = addition;
  return { message: describeAddition(addition), data: { _id: catalogId, ...counts } };
}

function describeAddition({ added, existing, wrong, repaired }: Addition): string {
  const parts = [`${added.toLocaleString("en")} ${added === 1 ? "contact" : "contacts"} added`];
  if (existing > 0) parts.push(`${existing.toLocaleString("en")} already there`);
  if (wrong > 0) parts.push(`${wrong.toLocaleString("en")} wrong left out`);
  const sentence = parts.join(", ");
  const lostZeros = repaired?.leadingZero ?? 0;
  if (lostZeros === 0) return sentence;
  return `${sentence}. ${lostZeros === 1 ? "1 number" : `${lostZeros.toLocaleString("en")} numbers`} got back the 0 that a spreadsheet had dropped`;
}
