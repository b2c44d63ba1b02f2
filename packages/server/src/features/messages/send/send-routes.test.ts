import { type SendBody } from "@ewebal/contract";
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import { readBalance } from "../../../ledger/index.ts";
import { createApiKey } from "../../accounts/index.ts";
import { addDndNumbers } from "../../delivery/index.ts";
import { buildCarrier } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { topUpUser } from "../../../testing/ledger-factories.ts";
import { eachCase, expect, test } from "../../../testing/app.ts";
import {
  buildApprovedAddress,
  buildDailyLimit,
  buildPhoneNos,
  buildSendBody,
  buildSender,
  buildSenderName,
} from "../../../testing/messages-factories.ts";
import { countTraces, dndSchema, send, sentSchema, type Headers, type Refusal } from "../testing/ask-to-send.ts";

describe("POST send-bulk-sms: who may", () => {
  test("a visitor, another customer and an administrator are refused before the body is read", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const visitor = await send(app, user, {}, "{");
    expect([visitor.statusCode, visitor.json<Refusal>().code]).toEqual([401, "AUTH_REQUIRED"]);
    for (const other of [await buildUser(db), await buildAdmin(db)]) {
      const refused = await send(app, user, await signInAs(other), buildSendBody());
      expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([403, "FORBIDDEN"]);
    }
    expect(await countTraces(db)).toBe(0);
  });

  test("a body that is no send is refused, and nothing is held", async ({ app, db, signInAs }) => {
    await eachCase(
      [
        ["plain text", 415, "text/plain", "senderName=x"],
        ["a form", 415, "application/x-www-form-urlencoded", "senderName=x"],
        ["broken JSON", 400, "application/json", "{"],
        ["nothing", 400, "application/json", ""],
        ["a list", 400, "application/json", JSON.stringify([buildSendBody()])],
        ["a prototype", 400, "application/json", '{"__proto__":{"senderName":"Acme Ltd"}}'],
        ["more than 20 MB", 413, "application/json", " ".repeat(20 * 1024 * 1024 + 1)],
      ] as const,
      async ([_name, status, type, payload]) => {
        const user = await buildSender(db);
        const refused = await send(app, user, { ...(await signInAs(user)), "content-type": type }, payload);
        expect(refused.statusCode).toBe(status);
        expect(refused.json<Refusal>()).toMatchObject({ code: expect.any(String), message: expect.any(String) });
        expect(await countTraces(db)).toBe(0);
      },
    );
  });

  test("a key that is none is refused", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    for (const key of ["a b", "é", "x".repeat(201)]) {
      expect((await send(app, user, { ...headers, "idempotency-key": key }, buildSendBody())).statusCode).toBe(400);
    }
    expect(await countTraces(db)).toBe(0);
  });
});

test("a customer who was blocked while the send was on its way is refused, and nothing is sent or held", async ({
  app,
  db,
  signInAs,
}) => {
  const user = await buildSender(db);
  const session = await signInAs(user);
  await db.query("update app_user set blocked_at = now()");
  const refused = await send(app, user, session, buildSendBody());
  expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([403, "BLOCKED"]);
  expect(await countTraces(db)).toBe(0);
});

// Goal: the first check that fails answers. Method: a request that fails all of them, mended one by one from the front.
test("the checks answer in the specified order", async ({ app, db, signInAs }) => {
  const user = await buildUser(db, { isAddressRestricted: true });
  await buildApprovedAddress(db, { ...user, address: "203.0.113.7" });
  await buildDailyLimit(db, { ...user, recipientsMax: 0 });
  await withTransaction(db, (tx) => addDndNumbers(tx, { phoneNos: [2_348_030_000_002], source: "admin" }));
  const hopeless: SendBody = {
    senderName: "TwelveLetter",
    message: "😀".repeat(1_600),
    phoneNo: "2348030000001,447911123456",
    code: "234",
  };
  let body = hopeless;
  let headers: Headers = {};
  const answer = async () => {
    const response = await send(app, user, headers, body);
    return [response.statusCode, response.json<Refusal>().code];
  };

  expect(await answer()).toEqual([401, "AUTH_REQUIRED"]);
  headers = await signInAs(user);
  expect(await answer()).toEqual([400, "VALIDATION"]);
  body = { ...body, senderName: "Acme Ltd" };
  expect(await answer()).toEqual([403, "ADDRESS_NOT_APPROVED"]);
  await buildApprovedAddress(db, { ...user, address: "127.0.0.1" });
  expect(await answer()).toEqual([409, "SENDER_NOT_APPROVED"]);
  await buildSenderName(db, user);
  expect(await answer()).toEqual([400, "WRONG_COUNTRY_CODE"]);
  body = { ...body, phoneNo: "2348030000001,2348030000002" };
  expect(await answer()).toEqual([402, "LIMIT_REACHED"]);
  await buildDailyLimit(db, { ...user, recipientsMax: 10 });
  expect(await answer()).toEqual([401, "UNITS_REQUIRED"]);
  await topUpUser(db, user.userId, 100_000);
  expect(await answer()).toEqual([550, "NOT_SENDABLE"]);
  body = { ...body, message: "Good morning" };
  expect(await answer()).toEqual([550, "NO_ROUTE"]);
  await buildCarrier(db, { prefixes: ["44"] });
  expect(await answer()).toEqual([550, "NO_ROUTE"]);
  expect(await countTraces(db)).toBe(0);
  expect(await readBalance(db, user.userId)).toEqual({ balanceMilli: 100_000, heldMilli: 0, freeMilli: 100_000 });

  await buildCarrier(db, { prefixes: ["2348"] });
  const response = await send(app, user, headers, body);
  expect(response.statusCode).toBe(503);
  expect(dndSchema.parse(response.json())).toMatchObject({
    dnd: true,
    unitDetails: { recipients: 1, dnd: 1, charged: 3, available: 97 },
  });
});

// The call of the documents ignores fields that it does not know; a time is not one of those, because units would be spent now.
test.for(["sendAt", "send_at", "timeZone", "scheduledAt", "ScheduleTime", "repeat"])(
  "a send with %s is refused by that name, and nothing is held",
  async (name, { app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const body = { ...buildSendBody(), [name]: "2027-01-01T08:00:00+01:00" };
    const answer = await send(app, user, headers, body);
    expect([answer.statusCode, Object.keys(answer.json<{ fields: object }>().fields)]).toEqual([400, [name]]);
    expect(await countTraces(db)).toBe(0);
    expect((await send(app, user, headers, { ...buildSendBody(), bogus: 1 })).statusCode).toBe(200);
    const resend = {
      method: "POST",
      url: `/api/${user.userId}/01900000-0000-7000-8000-000000000001/resend-failed`,
      headers,
      payload: { [name]: "2027-01-01T08:00:00Z" },
    } as const;
    expect((await app.inject(resend)).json<Refusal>().fields).toHaveProperty(name);
  },
);

describe("POST send-bulk-sms: what is charged", () => {
  test("duplicates once, DND not at all, and what is free afterwards", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { balanceMilli: 100_500 });
    await withTransaction(db, (tx) =>
      addDndNumbers(tx, { phoneNos: [2_348_030_000_003, 2_348_030_000_009], source: "admin" }),
    );
    const phoneNo = "08030000001, 2348030000002;+234 803 000 0002\n2348030000003";
    const message = "x".repeat(161);
    const response = await send(app, user, await signInAs(user), buildSendBody({ phoneNo, message }));
    expect(response.statusCode).toBe(503);
    const answer = dndSchema.parse(response.json());
    expect(answer.unitDetails).toEqual({
      received: 4,
      recipients: 2,
      duplicates: 1,
      dnd: 1,
      pages: 2,
      rate: 3,
      charged: 12,
      available: 88.5,
      repaired: { blanks: 1 },
    });
    expect(await readBalance(db, user.userId)).toEqual({ balanceMilli: 100_500, heldMilli: 12_000, freeMilli: 88_500 });
  });

  test("ten digits without the 0 are sent to, on every way in, and counted as repaired", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 1_000_000 });
    await buildApprovedAddress(db, { userId: user.userId, address: "127.0.0.1" });
    const { key } = await createApiKey(deps, user.userId, { name: "Shop" });
    const [headers, body] = [await signInAs(user), buildSendBody({ phoneNo: "8030000001,08030000002" })];
    const post = async (url: string, payload: object, as: Record<string, string> = headers): Promise<unknown> =>
      (await app.inject({ method: "POST", url, headers: as, payload })).json<{ unitDetails?: object }>().unitDetails;
    const expected = { recipients: 2, repaired: { leadingZero: 1 } };
    expect(await post(`/api/${user.userId}/send-bulk-sms`, body)).toMatchObject(expected);
    expect(await post("/api/v1/messages", body, { "x-api-key": key })).toMatchObject(expected);
    const sendAt = new Date(deps.clock.now().getTime() + 3_600_000).toISOString();
    expect(await post(`/api/${user.userId}/schedule-sms`, { ...body, sendAt })).toMatchObject(expected);
    const draft = await app.inject({
      method: "POST",
      url: `/api/${user.userId}/draft-message`,
      headers,
      payload: body,
    });
    expect(
      await post(`/api/${user.userId}/${draft.json<{ data: { _id: string } }>().data._id}/send-draft-sms`, {}),
    ).toMatchObject(expected);
    const { senderName, message, phoneNo, code } = body as Record<string, string>;
    const form = [user.email, key, message, senderName, phoneNo, code]
      .map((part) => encodeURIComponent(part ?? ""))
      .join("/");
    expect(
      (await app.inject({ url: `/api/send-bulk-sms/${form}` })).json<{ unitDetails: object }>().unitDetails,
    ).toMatchObject(expected);
    const history = await app.inject({ url: `/api/${user.userId}/populate-sms-history`, headers });
    expect(new Set(history.json<{ data: { phoneNo: string }[] }>().data.map((listed) => listed.phoneNo))).toEqual(
      new Set(["2348030000001,2348030000002"]),
    );
  });

  test("a fractional rate stays exact", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { balanceMilli: 5_900 * 3 });
    const response = await send(
      app,
      user,
      await signInAs(user),
      buildSendBody({ code: "254", phoneNo: "254712345678,254712345679,254712345670" }),
    );
    expect(sentSchema.parse(response.json()).unitDetails).toMatchObject({ rate: 5.9, charged: 17.7, available: 0 });
  });

  test("a code that no list prices is refused until a cost is known, then costs 4; a longer listed code is another country's", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const toAruba = async () => await send(app, user, headers, buildSendBody({ code: "297", phoneNo: "2975600000" }));
    const refused = await toAruba();
    expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([400, "NO_PRICE"]);
    const { adminId } = await buildAdmin(db);
    const keepCost = async (prefix: string, costMilli: number | null) =>
      await db.query(
        "insert into carrier_cost (carrier_name, prefix, effective_at, cost_milli, admin_id) values ('one', $1, clock_timestamp() - interval '1 minute', $2, $3)",
        [prefix, costMilli, adminId],
      );
    await keepCost("2986", 1_000);
    expect((await toAruba()).json<Refusal>().code).toBe("NO_PRICE");
    await keepCost("29756", 1_000);
    expect(sentSchema.parse((await toAruba()).json()).unitDetails.rate).toBe(4);
    await db.query("update carrier_cost set effective_at = effective_at - interval '1 hour'");
    await keepCost("29756", null);
    expect((await toAruba()).json<Refusal>().code).toBe("NO_PRICE");
    const vatican = await send(app, user, headers, buildSendBody({ code: "39", phoneNo: "390669812345" }));
    expect([vatican.statusCode, vatican.json<Refusal>().code]).toEqual([400, "WRONG_COUNTRY_CODE"]);
  });

  test.for([
    ["870", "87012345678"],
    ["881", "88112345678"],
    ["979", "979123456789"],
    ["44", "447911123456,449098790000"],
  ] as const)(
    "satellite and premium numbers with %s are never sent to",
    async ([code, phoneNo], { app, db, signInAs }) => {
      const user = await buildSender(db);
      const response = await send(app, user, await signInAs(user), buildSendBody({ code, phoneNo }));
      expect([response.statusCode, response.json<Refusal>().code]).toEqual([550, "NOT_SENDABLE"]);
      expect(await countTraces(db)).toBe(0);
    },
  );

  test("a text that needs more than 31 parts with any carrier is not taken, one of 31 is", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    // 31 parts with references of 8 bits, 32 with those of 16.
    const refused = await send(app, user, headers, buildSendBody({ message: `Ж${"😀".repeat(33)}`.repeat(31) }));
    expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([550, "NOT_SENDABLE"]);
    expect(await countTraces(db)).toBe(0);
    expect((await send(app, user, headers, buildSendBody({ message: "😀".repeat(1_010) }))).statusCode).toBe(200);
  });

  test.for(["112", "199", "12345", "23412345"])(
    "the short or emergency number %s is no number",
    async (phoneNo, { app, db, signInAs }) => {
      const user = await buildSender(db);
      const response = await send(app, user, await signInAs(user), buildSendBody({ phoneNo }));
      expect([response.statusCode, response.json<Refusal>().code]).toEqual([400, "VALIDATION"]);
    },
  );

  test("when all numbers are on the do-not-disturb list nothing is held, and the history shows it", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 0 });
    await withTransaction(db, (tx) => addDndNumbers(tx, { phoneNos: [2_348_030_000_001], source: "admin" }));
    const headers = await signInAs(user);
    const response = await send(app, user, headers, buildSendBody());
    expect([response.statusCode, dndSchema.parse(response.json()).unitDetails.charged]).toEqual([503, 0]);
    expect(response.json<Refusal>().message).toBe(
      "Nothing was sent; 1 number on the do-not-disturb list was skipped and not charged",
    );
    const history = await app.inject({ url: `/api/${user.userId}/populate-sms-history`, headers });
    expect(history.json<{ data: object[] }>().data).toMatchObject([
      { recipients: 1, counts: { dnd: 1, waiting: 0 }, state: "done" },
    ]);
  });

  test("the last unit can be spent and not one more", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { balanceMilli: 5_999 });
    const headers = await signInAs(user);
    const tooMany = await send(app, user, headers, buildSendBody({ phoneNo: buildPhoneNos(2) }));
    expect(tooMany.json<Refusal & { available: number }>()).toMatchObject({ code: "UNITS_REQUIRED", available: 5.99 });
    expect((await send(app, user, headers, buildSendBody())).statusCode).toBe(200);
    expect((await send(app, user, headers, buildSendBody())).statusCode).toBe(401);
  });

  test("a customer who never had units is told to buy some", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { balanceMilli: 0 });
    const response = await send(app, user, await signInAs(user), buildSendBody());
    expect([response.statusCode, response.json<Refusal>().code]).toEqual([401, "UNITS_REQUIRED"]);
  });
});
