import { messageRoutes, type ErrorBody } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { App } from "../../../http/app-type.ts";
import type { BuiltUser } from "../../../testing/factories.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildCatalog, buildNumbers } from "../../../testing/contacts-factories.ts";
import { buildDraft, buildSendBody, buildSender } from "../../../testing/messages-factories.ts";

type Headers = Record<string, string>;
const sentSchema = messageRoutes.sendBulkSms.schema.response[200];

const fields = (catalogId: string, facts: Record<string, unknown> = {}) => {
  const { phoneNo: _phoneNo, ...rest } = buildSendBody();
  return { ...rest, catalogId, ...facts };
};
const send = (app: App, user: BuiltUser, headers: Headers, payload: object) =>
  app.inject({ method: "POST", url: `/api/${user.userId}/send-bulk-sms`, headers, payload });

describe("refusals", () => {
  test("another customer's catalog and one that is none are not found", async ({ app, db, signInAs }) => {
    const [user, other] = [await buildSender(db), await buildSender(db, { hasCarrier: false })];
    const headers = await signInAs(user);
    const theirs = await buildCatalog(db, { userId: other.userId, numbers: buildNumbers(3) });
    for (const catalogId of [theirs, uuidv7()]) {
      for (const call of ["send-bulk-sms", "draft-message"]) {
        const response = await app.inject({
          method: "POST",
          url: `/api/${user.userId}/${call}`,
          headers,
          payload: fields(catalogId),
        });
        expect([response.statusCode, response.json<ErrorBody>().code]).toEqual([404, "NOT_FOUND"]);
      }
    }
  });

  test.for<[Record<string, unknown>, string]>([
    [{ phoneNo: "2348030000001" }, "catalogId"],
    [{ catalogId: undefined }, "phoneNo"],
    [{ catalogId: "1" }, "catalogId"],
    [{ senderName: "Acme Limited" }, "senderName"],
    [{ senderName: "Acme Limited Company" }, "senderName"],
  ])("%j is refused at %s, and nothing is cut to fit", async ([change, field], { app, db, signInAs }) => {
    const user = await buildSender(db);
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(3) });
    const response = await send(app, user, await signInAs(user), fields(catalogId, change));
    expect([response.statusCode, Object.keys(response.json<ErrorBody>().fields ?? {})]).toEqual([400, [field]]);
    expect((await db.query("select from message")).rowCount).toBe(0);
  });

  test("an empty catalog has nobody to send to, and another country is the wrong one", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const empty = await send(app, user, headers, fields(await buildCatalog(db, { userId: user.userId })));
    expect([empty.statusCode, empty.json<ErrorBody>().fields]).toEqual([400, { catalogId: "has no contacts" }]);
    const catalogId = await buildCatalog(db, { userId: user.userId, name: "Others", numbers: buildNumbers(3) });
    const foreign = await send(app, user, headers, fields(catalogId, { code: "44" }));
    expect([foreign.statusCode, foreign.json<ErrorBody>().code]).toEqual([400, "WRONG_COUNTRY_CODE"]);
  });
});

test("all contacts are sent to, and a repeated request gets its first answer also when the catalog is gone", async ({
  app,
  db,
  signInAs,
}) => {
  const user = await buildSender(db, { balanceMilli: 100_000_000 });
  const headers = { ...(await signInAs(user)), "idempotency-key": "composed-1" };
  const catalogId = await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(20_000) });
  const first = await send(app, user, headers, fields(catalogId));
  expect(sentSchema.parse(first.json()).unitDetails).toMatchObject({
    received: 20_000,
    recipients: 20_000,
    charged: 60_000,
  });
  const gone = await app.inject({
    method: "DELETE",
    url: `/api/${user.userId}/${catalogId}/delete-catalog`,
    headers: await signInAs(user),
  });
  expect(gone.statusCode).toBe(200);
  const again = await send(app, user, headers, fields(catalogId));
  expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
  expect((await db.query("select from message")).rowCount).toBe(1);
});

test("a draft for a catalog holds the numbers it has now; a draft can be sent to a catalog instead", async ({
  app,
  db,
  signInAs,
}) => {
  const user = await buildSender(db);
  const headers = await signInAs(user);
  const catalogId = await buildCatalog(db, {
    userId: user.userId,
    numbers: Float64Array.of(2_348_030_000_007, 2_348_030_000_008),
  });
  const saved = await app.inject({
    method: "POST",
    url: `/api/${user.userId}/draft-message`,
    headers,
    payload: fields(catalogId),
  });
  expect(saved.statusCode).toBe(201);
  expect((await db.query("select phone_no from draft")).rows).toEqual([{ phone_no: "2348030000007,2348030000008" }]);
  const draftId = await buildDraft(db, { userId: user.userId });
  const sent = await app.inject({
    method: "POST",
    url: `/api/${user.userId}/${draftId}/send-draft-sms`,
    headers,
    payload: fields(catalogId),
  });
  expect(sentSchema.parse(sent.json()).unitDetails).toMatchObject({ recipients: 2 });
});
