import { contactRoutes, type CatalogAnswer, type ContactAnswer } from "@ewebal/contract";
import type { App } from "../../../http/app-type.ts";
import { expect } from "../../../testing/app.ts";
import { type BuiltUser } from "../../../testing/factories.ts";

export type Headers = Record<string, string>;
export type Refusal = { code: string; fields?: Record<string, string> };
type Page = { data: ContactAnswer[]; next: string | null; etag: string };

export const view = async (app: App, user: BuiltUser, catalogId: string, headers: Headers): Promise<CatalogAnswer> => {
  const answer = await app.inject({ url: `/api/${user.userId}/find-one-catalog?catalogId=${catalogId}`, headers });
  expect(answer.headers["etag"]).toBe(answer.json<{ data: CatalogAnswer }>().data.etag);
  return contactRoutes.findOneCatalog.schema.response[200].parse(answer.json()).data;
};
export const list = async (
  app: App,
  user: BuiltUser,
  catalogId: string,
  headers: Headers,
  query = "",
): Promise<Page> => {
  const answer = await app.inject({ url: `/api/${user.userId}/${catalogId}/contacts?${query}`, headers });
  expect([answer.statusCode, answer.headers["etag"]]).toEqual([200, answer.json<Page>().etag]);
  return contactRoutes.contacts.schema.response[200].parse(answer.json());
};
