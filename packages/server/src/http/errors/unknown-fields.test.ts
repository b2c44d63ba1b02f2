import * as contract from "@ewebal/contract";
import { expect, test } from "vitest";
import { z } from "zod";

type Route = { method: string; url: string; schema: { body?: z.ZodType } };
type Shape = { type?: string; additionalProperties?: unknown; anyOf?: Shape[]; items?: Shape };

/** Calls of the documents, and of what was offered before unknown fields were refused: they go on ignoring them. */
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

function refusesUnknownFields(body: z.ZodType): boolean {
  const shape = z.toJSONSchema(body, { unrepresentable: "any", io: "input" }) as Shape;
  const object = shape.anyOf?.find(({ type }) => type === "object") ?? shape.items ?? shape;
  return object.additionalProperties === false;
}

test("every other call refuses fields that it does not know, all of /api/v1 among them", () => {
  const isRoute = (value: unknown): value is Route =>
    typeof value === "object" && value !== null && "url" in value && "method" in value;
  const tables = Object.entries(contract).filter(([name]) => name.endsWith("Routes"));
  const lenient = tables
    .flatMap(([, table]) => Object.values(table as object))
    .filter(isRoute)
    .flatMap(({ method, url, schema }) =>
      schema.body === undefined || refusesUnknownFields(schema.body) ? [] : [`${method} ${url}`],
    );
  expect(lenient.filter((call) => !LENIENT.has(call))).toEqual([]);
});
