import { instantPurchaseKobo, limits, paymentSchema } from "@ewebal/contract";
import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { readConfig } from "../../../base/config.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { findCardProvider } from "./card-provider.ts";
import { takeProviderEvent } from "./paystack-webhook.ts";
import { startPayment } from "./start-payment.ts";
import { expect, test } from "./testing/payment-test.ts";

const start = { method: "POST", url: "/api/paystack-payment" } as const;

describe("beginning is refused", () => {
  test("to visitors and administrators", async ({ app, db, signInAs, paystack }) => {
    const payload = { email: "ada@gmail.com", amount: 657.5, proposedUnits: 500 };
    expect((await app.inject({ ...start, payload })).json()).toMatchObject({ code: "AUTH_REQUIRED" });
    const asAdmin = await app.inject({ ...start, payload, headers: await signInAs(await buildAdmin(db)) });
    expect([asAdmin.statusCode, asAdmin.json()]).toMatchObject([403, { code: "FORBIDDEN" }]);
    expect(paystack.calls).toEqual([]);
  });

  test("with anything but whole units within the limits, and the provider hears nothing", async ({
    app,
    db,
    user,
    signInAs,
    paystack,
  }) => {
    const wrong = [
      undefined,
      null,
      0,
      99,
      -100,
      100.5,
      "99",
      "1e3",
      "1,000",
      "",
      " 100",
      "١٠٠",
      [100],
      true,
      limits.instantUnitsMax + 1,
      1e21,
    ];
    const headers = await signInAs(user);
    for (const proposedUnits of wrong) {
      const answer = await app.inject({ ...start, payload: { email: user.email, amount: 1, proposedUnits }, headers });
      const { code, fields = {} } = answer.json<{ code: string; fields?: Record<string, string> }>();
      expect([answer.statusCode, code, Object.keys(fields)], JSON.stringify(proposedUnits)).toEqual([
        400,
        "VALIDATION",
        ["proposedUnits"],
      ]);
    }
    expect(paystack.calls).toEqual([]);
    expect((await db.query("select from card_payment")).rowCount).toBe(0);
  });

  test("from another site", async ({ app, user, signInAs }) => {
    const headers = { ...(await signInAs(user)), origin: "https://evil.example" };
    const answer = await app.inject({
      ...start,
      payload: { email: user.email, amount: 1, proposedUnits: 500 },
      headers,
    });
    expect(answer.json()).toMatchObject({ code: "ORIGIN_REFUSED" });
  });

  test("where there is neither a provider nor the sandbox, and an event is believed by nobody", async ({
    deps,
    user,
    db,
  }) => {
    const off = { ...deps, config: readConfig({ TRIAL_PARTS: "none" }) };
    await expect(startPayment(off, { userId: user.userId, units: 100 })).rejects.toMatchObject({
      code: "CARDS_OFF",
      status: 503,
    });
    expect((await db.query("select from card_payment")).rowCount).toBe(0);
    const sandbox = await findCardProvider({ ...deps, config: readConfig({}) });
    const event = Buffer.from(JSON.stringify({ event: "charge.success", data: { reference: "EWB-1" } }));
    await expect(takeProviderEvent(off, event, sandbox?.sign(event))).rejects.toMatchObject({
      code: "SIGNATURE_WRONG",
    });
  });

  test("after 20 in an hour", async ({ deps, user }) => {
    const limited = { ...deps, config: { ...deps.config, isRateLimited: true } };
    for (let count = 0; count < 20; count += 1) await startPayment(limited, { userId: user.userId, units: 100 });
    await expect(startPayment(limited, { userId: user.userId, units: 100 })).rejects.toMatchObject({
      code: "RATE_LIMITED",
    });
  });
});

test("a payment is stored with the server's own price, whatever amount and email say, before the provider is asked", async ({
  app,
  db,
  user,
  signInAs,
  paystack,
}) => {
  let storedWhenAsked: unknown;
  const look = async (): Promise<void> => {
    storedWhenAsked = (await db.query("select units, total_kobo, state from card_payment")).rows;
  };
  paystack.misbehave((_, response) => {
    void look().finally(() => response.writeHead(500).end());
  });
  const payload = { email: "somebody@else.example", amount: 1, proposedUnits: "500" };
  const failed = await app.inject({ ...start, payload, headers: await signInAs(user) });
  expect([failed.statusCode, failed.json()]).toMatchObject([
    503,
    { code: "UNAVAILABLE", message: expect.stringContaining("card provider") as string },
  ]);
  expect(storedWhenAsked).toEqual([{ units: 500, total_kobo: 65_750, state: "open" }]);

  paystack.misbehave(undefined);
  const answer = await app.inject({ ...start, payload, headers: await signInAs(user) });
  const { data } = answer.json<{ data: { authorization_url: string; reference: string } }>();
  expect(answer.statusCode).toBe(201);
  expect(data.reference).toMatch(/^EWB-[0-9a-f-]{36}$/);
  expect(data.authorization_url).toBe(`${paystack.url}/checkout/${data.reference}`);
  expect(paystack.transactions.get(data.reference)).toMatchObject({
    amount: instantPurchaseKobo(500),
    customer: { email: "ada@gmail.com" },
    callback_url: "http://shop.example/user-dashboard/buy-sms",
  });
});

test("what the provider refuses is ended at once", async ({ deps, db, user }) => {
  const config = readConfig({ PAYSTACK_SECRET_KEY: "sk_test_other", PAYSTACK_BASE_URL: deps.config.paystackBaseUrl });
  await expect(startPayment({ ...deps, config }, { userId: user.userId, units: 100 })).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
  expect((await db.query("select state, next_check_at from card_payment")).rows).toEqual([
    { state: "ended", next_check_at: null },
  ]);
});

describe("verifying is refused", () => {
  test("to visitors, administrators, other customers, and for other customers' payments", async ({
    app,
    db,
    user,
    signInAs,
    begin,
    paystack,
  }) => {
    const reference = await begin();
    paystack.pay(reference);
    const other = await buildUser(db);
    const url = (userId: string) => `/api/transaction/verify/${reference}/${userId}`;
    const ask = async (userId: string, headers = {}) =>
      (await app.inject({ method: "POST", url: url(userId), payload: { units: 500 }, headers })).json<unknown>();
    expect(await ask(user.userId)).toMatchObject({ code: "AUTH_REQUIRED" });
    expect(await ask(user.userId, await signInAs(await buildAdmin(db)))).toMatchObject({ code: "FORBIDDEN" });
    expect(await ask(user.userId, await signInAs(other))).toMatchObject({ code: "FORBIDDEN" });
    expect(await ask(other.userId, await signInAs(other))).toMatchObject({ code: "NOT_FOUND" });
    expect((await db.query("select from journal")).rowCount).toBe(0);
  });

  test.for([`EWB-${uuidv7()}`, "..", "%2e%2e%2f", "a b", "x".repeat(101), "a%00b"])(
    "for %s, without a call",
    async (reference, { app, user, signInAs, paystack }) => {
      const url = `/api/transaction/verify/${encodeURIComponent(decodeURIComponent(reference))}/${user.userId}`;
      const answer = await app.inject({ method: "POST", url, payload: {}, headers: await signInAs(user) });
      expect([400, 404]).toContain(answer.statusCode);
      expect(paystack.calls).toEqual([]);
    },
  );

  test("while it is not paid, again and again, and nothing is credited", async ({
    begin,
    verify,
    paystack,
    freeMilli,
  }) => {
    const reference = await begin();
    for (const status of ["abandoned", "ongoing", "failed", "failed"]) {
      paystack.pay(reference, { status });
      expect(await verify(reference)).toMatchObject({ status: 402, body: { code: "NOT_PAID" } });
    }
    expect(await freeMilli()).toBe(0);
    paystack.pay(reference);
    expect(await verify(reference)).toMatchObject({ status: 200 });
  });

  test("when the success is not what was asked for: people are told, once", async ({
    begin,
    verify,
    paystack,
    freeMilli,
    mailsTo,
  }) => {
    const reference = await begin();
    paystack.pay(reference, { amount: "65749" });
    for (let times = 0; times < 2; times += 1)
      expect(await verify(reference)).toMatchObject({ status: 402, body: { code: "NOT_PAID" } });
    expect(await freeMilli()).toBe(0);
    const mails = await mailsTo("management@ewebal.com");
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("65749 kobo paid of 65750 requested");
  });

  test("while the provider fails", async ({ begin, verify, paystack, freeMilli }) => {
    const reference = await begin();
    paystack.pay(reference);
    paystack.misbehave((_, response) => response.writeHead(500).end());
    expect(await verify(reference)).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
    expect(await freeMilli()).toBe(0);
  });
});

test("a paid payment is credited with the stored units, and the customer gets a receipt by mail", async ({
  begin,
  verify,
  paystack,
  freeMilli,
  user,
  mailsTo,
}) => {
  const reference = await begin(500);
  paystack.pay(reference, { amount: "65750" });
  const answer = await verify(reference, { units: 1_000_000 });
  expect(answer).toMatchObject({
    status: 200,
    body: { data: { reference, units: 500, totalKobo: 65_750, state: "paid" } },
  });
  expect(paymentSchema.safeParse(answer.body.data).success).toBe(true);
  expect(await freeMilli()).toBe(500_000);
  const lines = (await mailsTo(user.email))[0]?.text.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "Hello Ada,",
      "Units added: 500.00",
      "Transaction cost: NGN 157.50",
      "Total paid: NGN 657.50",
      `Reference: ${reference}`,
      "Available now: 500.00",
    ]),
  );
});

describe("lists", () => {
  test("a customer sees their own, newest first, page by page; an administrator sees them too", async ({
    app,
    db,
    user,
    begin,
    signInAs,
  }) => {
    const references = [await begin(100), await begin(200), await begin(300)];
    const other = await buildUser(db);
    const url = `/api/${user.userId}/payments`;
    expect((await app.inject({ url })).statusCode).toBe(401);
    expect((await app.inject({ url, headers: await signInAs(other) })).statusCode).toBe(403);
    const headers = await signInAs(user);
    expect((await app.inject({ url: `${url}?after=a%20b`, headers })).json()).toMatchObject({
      code: "VALIDATION",
      fields: { after: expect.any(String) as string },
    });
    const first = (await app.inject({ url: `${url}?limit=2`, headers })).json<{
      data: { reference: string }[];
      next: string;
    }>();
    const second = (await app.inject({ url: `${url}?limit=2&after=${first.next}`, headers })).json<{
      data: { reference: string }[];
      next: null;
    }>();
    expect([...first.data, ...second.data].map(({ reference }) => reference)).toEqual(references.toReversed());
    expect(second.next).toBeNull();
    expect((await app.inject({ url, headers: await signInAs(await buildAdmin(db)) })).statusCode).toBe(200);
  });

  test("one payment, for its owner and administrators alone", async ({ app, db, user, begin, signInAs }) => {
    const reference = await begin(100);
    const other = await buildUser(db);
    const url = (userId: string) => `/api/${userId}/${reference}/view-one-payment`;
    expect((await app.inject({ url: url(other.userId), headers: await signInAs(other) })).statusCode).toBe(404);
    expect((await app.inject({ url: url(user.userId), headers: await signInAs(user) })).json()).toMatchObject({
      data: { reference, state: "open" },
    });
  });

  test("everybody's, by state, for administrators alone", async ({
    app,
    db,
    user,
    begin,
    verify,
    paystack,
    signInAs,
  }) => {
    const [open, paid] = [await begin(100), await begin(200)];
    paystack.pay(paid);
    await verify(paid);
    expect((await app.inject({ url: "/api/view-all-payments", headers: await signInAs(user) })).statusCode).toBe(403);
    const headers = await signInAs(await buildAdmin(db));
    const list = async (query: string) =>
      (await app.inject({ url: `/api/view-all-payments${query}`, headers })).json<{ data: unknown[] }>().data;
    expect(await list("")).toMatchObject([{ reference: paid }, { reference: open }]);
    expect(await list("?state=paid")).toMatchObject([
      { reference: paid, email: user.email, userID: user.userId, problem: null, claims: [] },
    ]);
  });
});

describe("the receipt", () => {
  test("is refused for what is not paid, and to everybody else", async ({
    app,
    db,
    user,
    begin,
    verify,
    paystack,
    signInAs,
  }) => {
    const reference = await begin();
    const other = await buildUser(db);
    const get = async (userId: string, headers = {}) =>
      (await app.inject({ url: `/api/${userId}/${reference}/payment-receipt`, headers })).statusCode;
    expect(await get(user.userId, await signInAs(user))).toBe(404);
    paystack.pay(reference);
    await verify(reference);
    expect(await get(user.userId)).toBe(401);
    expect(await get(user.userId, await signInAs(other))).toBe(403);
    expect(await get(other.userId, await signInAs(other))).toBe(404);
    expect(await get(user.userId, await signInAs(await buildAdmin(db)))).toBe(200);
  });

  test("is a PDF that is kept by nobody on the way", async ({ app, user, begin, verify, paystack, signInAs }) => {
    const reference = await begin();
    paystack.pay(reference);
    await verify(reference);
    const answer = await app.inject({
      url: `/api/${user.userId}/${reference}/payment-receipt`,
      headers: await signInAs(user),
    });
    expect(answer.headers).toMatchObject({
      "content-type": "application/pdf",
      "cache-control": "private, no-store",
      "content-disposition": `attachment; filename="receipt-${reference}.pdf"`,
    });
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
    expect(answer.rawPayload.byteLength).toBeLessThan(60_000);
  });
});
