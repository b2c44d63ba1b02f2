import * as contract from "@ewebal/contract";
import { expect, test } from "vitest";
import { z } from "zod";

type Route = { method: string; url: string; schema: { body?: z.ZodType; querystring?: z.ZodType } };
type Shape = {
  type?: string;
  properties?: Record<string, Shape>;
  additionalProperties?: boolean | Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  items?: Shape;
  prefixItems?: Shape[];
};

/** Calls of the documents, and of what was offered before unknown fields were refused: they go on ignoring them beside the fields they know. */
const LENIENT = new Set([
  "DELETE /api/:adminId/remove-dnd-numbers",
  "PATCH /api/:adminId/:carrierId/edit-carrier",
  "PATCH /api/:adminId/:carrierId/switch-carrier",
  "PATCH /api/:adminId/credit-a-user",
  "PATCH /api/:adminId/edit-rate",
  "PATCH /api/:adminId/set-daily-limit",
  "PATCH /api/:adminId/update-admin-profile",
  "PATCH /api/:adminId/whitelist-user-senderID",
  "PATCH /api/:id/change-user-password",
  "PATCH /api/:requestId/decline-whitelist-request",
  "PATCH /api/:userId/:catalogId/edit-catalog",
  "PATCH /api/:userId/:draftId/edit-draft",
  "PATCH /api/:userId/:messageId/edit-scheduled-sms",
  "PATCH /api/:userId/:transferId/:adminId/credit-user",
  "PATCH /api/:userId/:transferId/:adminId/declined-transaction",
  "PATCH /api/:userId/restrict-dashboard",
  "PATCH /api/:userId/update-personal-info",
  "PATCH /api/:userId/update-user",
  "PATCH /api/reset-user-password",
  "POST /api/:adminId/add-carrier",
  "POST /api/:adminId/add-dnd-numbers",
  "POST /api/:adminId/make-general-announcement",
  "POST /api/:adminId/switch-to-user",
  "POST /api/:adminId/test-carrier",
  "POST /api/:token/verify-otp",
  "POST /api/:userId/:catalogId/add-contacts",
  "POST /api/:userId/:catalogId/insert-to-existing-tel",
  "POST /api/:userId/:draftId/send-draft-sms",
  "POST /api/:userId/:messageId/resend-failed",
  "POST /api/:userId/create-catalog",
  "POST /api/:userId/draft-message",
  "POST /api/:userId/insert-to-new-tel",
  "POST /api/:userId/schedule-sms",
  "POST /api/:userId/send-bulk-sms",
  "POST /api/:userId/source-whitelist",
  "POST /api/:userId/switch-to-admin",
  "POST /api/create-admin",
  "POST /api/create-user",
  "POST /api/need-help",
  "POST /api/paystack-payment",
  "POST /api/resend-verification",
  "POST /api/sign-in-admin",
  "POST /api/sign-in-user",
  "POST /api/transaction/verify/:reference/:userId",
]);

/** The same of what stands behind the question mark; of administrators' lists (`view-*`) as well. */
const LENIENT_QUERIES = new Set([
  "DELETE /api/:catalogId/:index/delete-contact",
  "GET /api/:userId/:messageId/recipients",
  "GET /api/:userId/find-one-catalog",
  "GET /api/:userId/payments",
  "GET /api/:userId/populate-catalogs",
  "GET /api/:userId/populate-drafts",
  "GET /api/:userId/populate-scheduled-sms",
  "GET /api/:userId/populate-sms-history",
  "GET /api/:userId/statement",
  "GET /api/:userId/user-transfer-details",
  "GET /api/send-bulk-sms/:email/:password/:message/:senderName/:phoneNo/:code",
  "GET /api/virtual-phones",
  "POST /api/:userId/:catalogId/add-contacts",
  "POST /api/:userId/:catalogId/insert-to-existing-tel",
  "POST /api/:userId/:catalogId/upload-to-existing-tel",
  "POST /api/:userId/insert-to-new-tel",
  "POST /api/:userId/upload-to-new-tel",
]);

/** What a browser makes of a passkey has what its maker adds. */
const OF_BROWSERS = /^credential\b/;

/** @returns where a schema ignores unknown fields: "" is its own level, `columns.0` that of each member of a list. */
function findLenientPlaces(schema: z.ZodType): string[] {
  const places: string[] = [];
  const walk = (shape: Shape, place: string): void => {
    if (shape.type === "object" && shape.properties !== undefined && shape.additionalProperties !== false)
      places.push(place);
    const at = (name: string): string => (place === "" ? name : `${place}.${name}`);
    for (const [name, inner] of Object.entries(shape.properties ?? {})) walk(inner, at(name));
    if (typeof shape.additionalProperties === "object") walk(shape.additionalProperties, at("*"));
    for (const inner of [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])]) walk(inner, place);
    for (const inner of [...(shape.items === undefined ? [] : [shape.items]), ...(shape.prefixItems ?? [])])
      walk(inner, at("0"));
  };
  walk(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }) as Shape, "");
  return places;
}

const routes = Object.entries(contract)
  .filter(([name]) => name.endsWith("Routes"))
  .flatMap(([, table]) => Object.values(table as object) as unknown[])
  .filter(
    (value): value is Route => typeof value === "object" && value !== null && "url" in value && "method" in value,
  );

test("the walk finds what ignores unknown fields, however deep it lies", () => {
  const inner = z.object({ one: z.string() });
  const shape = z.strictObject({
    list: z.array(z.strictObject({ deep: inner.nullish() })),
    map: z.record(z.string(), inner),
  });
  expect(findLenientPlaces(shape)).toEqual(["list.0.deep", "map.*"]);
  expect(findLenientPlaces(z.union([z.strictObject({}), inner]))).toEqual([""]);
});

test.each(routes.map((route) => ({ ...route, name: `${route.method} ${route.url}` })))(
  "$name refuses fields that it does not know, at every level",
  ({ name, schema: { body, querystring } }) => {
    const places = (body === undefined ? [] : findLenientPlaces(body)).filter((place) => !OF_BROWSERS.test(place));
    // What lies inside a field is of our making, also where the call is not.
    expect(places.filter((place) => place !== "" || !LENIENT.has(name))).toEqual([]);
    if (querystring !== undefined && !LENIENT_QUERIES.has(name) && !name.startsWith("GET /api/view-"))
      expect(findLenientPlaces(querystring)).toEqual([]);
  },
);
