import { programListRoutes, rateRowSchema, type TierAnswer, type UnitDetails } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { z } from "zod";
import type { Tx } from "../../db/transaction.ts";
import { eachCase, expect, overlap, test as base } from "../../testing/app.ts";
import { buildAdmin, buildUser, type BuiltAdmin, type BuiltUser } from "../../testing/factories.ts";
import { buildPhoneNos, buildSendBody, buildSender } from "../../testing/messages-factories.ts";
import { readPriceAt } from "./price-of.ts";
import { changeCustomerPrice } from "./set-prices.ts";

type Answer = { status: number; body: { code?: string; fields?: Record<string, string>; data?: unknown } };
type Headers = { authorization: string };

const test = base.extend<{
  admin: BuiltAdmin;
  headers: Headers;
  patch: (path: string, body: unknown) => Promise<Answer>;
  user: BuiltUser;
  customer: Headers;
  tryOut: (more?: object) => Promise<UnitDetails | undefined>;
}>({
  admin: async ({ db }, use) => await use(await buildAdmin(db)),
  headers: async ({ admin, signInAs }, use) => await use(await signInAs(admin)),
  patch: async ({ app, admin, headers }, use) =>
    await use(async (path, payload) => {
      const url = `/api/${admin.adminId}/${path}`;
      const response = await app.inject({ method: "PATCH", url, headers, payload: payload as object });
      return { status: response.statusCode, body: response.json<Answer["body"]>() };
    }),
  user: async ({ db }, use) => await use(await buildSender(db, { balanceMilli: 1_000_000 })),
  customer: async ({ user, signInAs }, use) => await use(await signInAs(user)),
  tryOut: async ({ app, user, customer }, use) =>
    await use(async (more = {}) => {
      const payload = { ...buildSendBody({ phoneNo: buildPhoneNos(3) }), dryRun: true, ...more };
      const url = `/api/${user.userId}/send-bulk-sms`;
      const response = await app.inject({ method: "POST", url, headers: customer, payload });
      expect(response.statusCode, response.body).toBe(200);
      return response.json<{ unitDetails?: UnitDetails }>().unitDetails;
    }),
});

const ownAnswer = z.object({
  data: z.array(rateRowSchema),
  nextChangeAt: z.string().nullable(),
  discountPercent: z.number(),
});

describe("who may", () => {
  test("visitors, customers, and administrators by another's id change nothing", async ({
    app,
    db,
    admin,
    user,
    customer,
    headers,
  }) => {
    const other = await buildAdmin(db);
    const price = { userId: user.userId, code: "234", rate: 2 };
    const tries = [
      { method: "PATCH", url: `/api/${admin.adminId}/set-customer-price`, payload: price, headers: {}, status: 401 },
      {
        method: "PATCH",
        url: `/api/${admin.adminId}/set-customer-price`,
        payload: price,
        headers: customer,
        status: 403,
      },
      { method: "PATCH", url: `/api/${other.adminId}/set-customer-price`, payload: price, headers, status: 403 },
      { method: "PATCH", url: `/api/${admin.adminId}/set-tiers`, payload: [], headers: customer, status: 403 },
      { method: "GET", url: "/api/view-tiers", headers: customer, status: 403 },
      { method: "GET", url: `/api/${user.userId}/view-customer-prices`, headers: customer, status: 403 },
      { method: "GET", url: `/api/${user.userId}/rates`, headers: {}, status: 401 },
      { method: "GET", url: `/api/${uuidv7()}/rates`, headers: customer, status: 403 },
    ] as const;
    for (const { status, ...request } of tries)
      expect((await app.inject(request)).statusCode, request.url).toBe(status);
    expect((await db.query("select from customer_price")).rowCount).toBe(0);
  });
});

describe("a customer's own price", () => {
  test("what is wrong is refused at its field", async ({ patch, user }) => {
    await eachCase(
      [
        ["code", { code: "870" }, 400],
        ["code", { code: "1876" }, 400],
        ["rate", { rate: 0 }, 400],
        ["rate", { rate: 2.0001 }, 400],
        ["class", { class: "urgent" }, 400],
        ["from", { from: "2020-01-01T00:00:00Z" }, 400],
        ["more", { more: 1 }, 400],
        ["userId", { userId: "nobody" }, 400],
        [undefined, { userId: uuidv7() }, 404],
      ] as const,
      async ([field, wrong, status]) => {
        const answer = await patch("set-customer-price", { userId: user.userId, code: "234", rate: 2, ...wrong });
        expect(answer.status).toBe(status);
        if (field !== undefined) expect(Object.keys(answer.body.fields ?? {})).toEqual([field]);
      },
    );
  });

  test("it is what every way in charges, for its class and from its time on, and nobody else's", async ({
    app,
    db,
    patch,
    user,
    customer,
    tryOut,
    clock,
  }) => {
    await db.query("update app_user set may_send_transactional = true where user_id = $1", [user.userId]);
    const set = async (more: object) =>
      await patch("set-customer-price", { userId: user.userId, code: "234", ...more });
    expect(await set({ rate: 2.125, class: "promotional" })).toMatchObject({
      status: 200,
      body: { data: { userID: user.userId, code: "234", country: "Nigeria", rate: 2.125, state: "current" } },
    });
    expect(await tryOut()).toMatchObject({ rate: 2.125, charged: 6.37 });
    expect(await tryOut({ class: "transactional" })).toMatchObject({ rate: 3, charged: 9 });
    // Each pays its own pages: 1 + 2 + 1 of them.
    const recipients = buildPhoneNos(3)
      .split(",")
      .map((to, index) => ({ to, text: "x".repeat(index === 1 ? 200 : 10) }));
    expect(await tryOut({ phoneNo: undefined, recipients })).toMatchObject({ charged: 8.5 });

    const sent = await app.inject({
      method: "POST",
      url: `/api/${user.userId}/send-bulk-sms`,
      headers: customer,
      payload: buildSendBody({ phoneNo: buildPhoneNos(4) }),
    });
    expect(sent.json()).toMatchObject({ unitDetails: { rate: 2.125, charged: 8.5, available: 991.5 } });
    const { rows: holds } = await db.query("select amount_milli::integer as amount from hold");
    expect(holds).toEqual([{ amount: 8_500 }]);

    const from = new Date(clock.now().getTime() + 60_000).toISOString();
    expect(await set({ rate: 1.5, from })).toMatchObject({ status: 200, body: { data: { state: "planned" } } });
    expect(await tryOut()).toMatchObject({ rate: 2.125 });
    const own = ownAnswer.parse((await app.inject({ url: `/api/${user.userId}/rates`, headers: customer })).json());
    expect(own.nextChangeAt).toBe(from);
    expect(own.data.find(({ code }) => code === "234")).toMatchObject({ rate: 2.125, transactionalRate: 3 });
    clock.advance(60_000);
    expect(await tryOut()).toMatchObject({ rate: 1.5 });
    expect(await tryOut({ class: "transactional" })).toMatchObject({ rate: 1.5 });
    expect(await set({ rate: null })).toMatchObject({ status: 200 });
    expect(await tryOut()).toMatchObject({ rate: 3 });
    const other = await buildUser(db);
    const asked = {
      userId: other.userId,
      hasOwnPrices: true,
      code: "234",
      class: "promotional",
      at: clock.now(),
    } as const;
    expect(await readPriceAt(db, asked)).toBe(3_000);
    const { rows: audit } = await db.query(
      "select before, after from audit_entry where action = 'set-customer-price' order by audit_id",
    );
    expect(audit[0]).toEqual({
      before: { code: "234", rate: null },
      after: { code: "234", rate: 2.125, class: "promotional", from: expect.any(String) as string },
    });
    expect(audit).toHaveLength(3);
  });

  test("of two administrators who set the same price at once one is refused", async ({
    db,
    deps,
    admin,
    user,
    patch,
  }) => {
    const press = async (tx: Tx) =>
      await changeCustomerPrice(
        deps,
        tx,
        { userId: user.userId, code: "234", rate: 2 },
        { adminId: admin.adminId, clientAddress: "192.0.2.1" },
      );
    const [first, second] = await overlap(db, press, press);
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(second).toMatchObject({ reason: { code: "STATE_CONFLICT" } });
    expect(await patch("set-customer-price", { userId: user.userId, code: "44", rate: null })).toMatchObject({
      status: 409,
    });
  });
});

describe("tiers", () => {
  test("wrong ones are refused, and nothing is kept", async ({ patch, db }) => {
    await eachCase(
      [
        [[{ unitsPerMonth: -1, discountPercent: 5 }]],
        [[{ unitsPerMonth: 1.5, discountPercent: 5 }]],
        [[{ unitsPerMonth: 1, discountPercent: 0 }]],
        [[{ unitsPerMonth: 1, discountPercent: 90.5 }]],
        [[{ unitsPerMonth: 1, discountPercent: 1.005 }]],
        [[{ unitsPerMonth: 1, discountPercent: 5, more: 1 }]],
        [
          [
            { unitsPerMonth: 1, discountPercent: 5 },
            { unitsPerMonth: 1, discountPercent: 6 },
          ],
        ],
        [{ unitsPerMonth: 1, discountPercent: 5 }],
      ],
      async ([tiers]) => {
        expect(await patch("set-tiers", tiers)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
        expect((await db.query("select from price_tier")).rowCount).toBe(0);
      },
    );
  });

  test("the month that was used more decides, a price of one's own has no discount, and an empty list ends it", async ({
    app,
    db,
    patch,
    user,
    customer,
    headers,
    tryOut,
    clock,
  }) => {
    const tiers: TierAnswer[] = [
      { unitsPerMonth: 1_000, discountPercent: 2.25 },
      { unitsPerMonth: 50_000, discountPercent: 10 },
    ];
    expect(await patch("set-tiers", tiers.toReversed())).toMatchObject({ status: 200, body: { data: tiers } });
    expect(await tryOut()).toMatchObject({ rate: 3 });
    const use = async (day: string, usedMilli: number) =>
      await db.query(`insert into customer_day (user_id, day, sold_milli, used_milli) values ($1, $2::date, 0, $3)`, [
        user.userId,
        day,
        usedMilli,
      ]);
    const today = new Date(clock.now().getTime() + 3_600_000);
    const dayOf = (months: number, day: number): string =>
      new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, day)).toISOString().slice(0, 10);
    // The month before the last says nothing any more.
    await use(dayOf(-2, 28), 90_000_000);
    await use(dayOf(-1, 1), 600_000);
    await use(dayOf(0, 1), 999_999);
    expect(await tryOut()).toMatchObject({ rate: 3 });
    await use(dayOf(-1, 2), 400_000);
    // 3 less 2.25 % is 2.9325.
    expect(await tryOut()).toMatchObject({ rate: 2.933, charged: 8.79 });
    const own = ownAnswer.parse((await app.inject({ url: `/api/${user.userId}/rates`, headers: customer })).json());
    expect(own).toMatchObject({ discountPercent: 2.25 });
    expect(own.data.find(({ code }) => code === "234")?.rate).toBe(2.933);
    const seen = await app.inject({ url: `/api/${user.userId}/view-customer-prices`, headers });
    expect(seen.json()).toMatchObject({ data: { prices: [], discountPercent: 2.25, unitsPerMonth: 1_000 } });
    await patch("set-customer-price", { userId: user.userId, code: "234", rate: 2.9 });
    expect(await tryOut()).toMatchObject({ rate: 2.9 });
    const listed = await app.inject({ url: "/api/rates" });
    expect(
      ownAnswer.shape.data.parse(listed.json<{ data: unknown }>().data).find(({ code }) => code === "44")?.rate,
    ).toBe(18);
    expect(await patch("set-tiers", [])).toMatchObject({ status: 200, body: { data: [] } });
    expect((await app.inject({ url: "/api/view-tiers", headers })).json()).toMatchObject({ data: [] });
    const { rows } = await db.query(
      "select before, after from audit_entry where action = 'set-tiers' order by audit_id",
    );
    expect(rows[1]).toEqual({ before: { tiers: ["1000: 2.25 %", "50000: 10 %"] }, after: { tiers: [] } });
  });
});

test("a program reads what its customer pays", async ({ app, db, patch, user, customer }) => {
  await patch("set-customer-price", { userId: user.userId, code: "234", rate: 2.5 });
  const made = await app.inject({
    method: "POST",
    url: `/api/${user.userId}/api-keys`,
    headers: customer,
    payload: { name: "shop" },
  });
  const { key } = made.json<{ data: { key: string } }>().data;
  const answer = await app.inject({ url: "/api/v1/rates?code=234", headers: { authorization: `Bearer ${key}` } });
  expect(programListRoutes.listRates.schema.response[200].parse(answer.json()).data).toMatchObject([{ rate: 2.5 }]);
  expect((await db.query("select from customer_price")).rowCount).toBe(1);
});
