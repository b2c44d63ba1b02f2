import type { CatalogAnswer } from "@ewebal/contract";
import { userId } from "../../../testing/fake-server.ts";

export const catalogId = "01900000-0000-7000-8000-0000000000c1";

/** A catalog as the server answers it; `over` changes what the test is about. */
export function catalogAnswer(over: Partial<CatalogAnswer> = {}): CatalogAnswer {
  return {
    _id: catalogId,
    userID: userId,
    catalogName: "Ikeja customers",
    code: "234",
    columns: [],
    contacts: [],
    count: 3,
    etag: '"1"',
    createdAt: "2026-03-05T10:00:00.000Z",
    ...over,
  };
}

/** Distinct contacts as they are listed. */
export function phoneNumber(index: number): string {
  return `+2348030${String(index).padStart(6, "0")}`;
}
