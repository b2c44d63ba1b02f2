import {
  DEFAULT_RATES,
  rateRoutes as contract,
  siteRoutes,
  type MessageAnswer,
  type UnitDetails,
} from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { Db } from "../../db/pool.ts";
import type { Tx } from "../../db/transaction.ts";
import type { App } from "../../http/app-type.ts";
import { eachCase, expect, overlap, test as base } from "../../testing/app.ts";
import { buildCarrier } from "../../testing/delivery-factories.ts";
import { buildAdmin, buildUser, type BuiltAdmin } from "../../testing/factories.ts";
import { topUpUser } from "../../testing/ledger-factories.ts";
import { buildPhoneNos, buildSendBody, buildSender } from "../../testing/messages-factories.ts";
import { createRateReader, readRatesAt } from "./list-rates.ts";
import { changeRate } from "./edit-rate.ts";

type Answer = {
  status: number;
  body: { message: string; code?: string; fields?: Record<string, string>; data?: unknown };
};
type Edit = (body: unknown) => Promise<Answer>;

/** Less than an idle session lasts. */
const AHEAD_MS = 600_000;

const test = base.extend<{ admin: BuiltAdmin; headers: { authorization: string }; edit: Edit }>({
  admin: async ({ db }, use) => await use(await buildAdmin(db)),
  headers: async ({ admin, signInAs }, use) => await use(await signInAs(admin)),
  edit: async ({ app, admin, headers }, use) => {
    await use(async (payload) => {
      const response = await app.inject({
        method: "PATCH",
        url: `/api/${admin.adminId}/edit-rate`,
        headers,
        payload: payload as object,
      });
      return { status: response.statusCode, body: response.json<Answer["body"]>() };
    });
  },
});

async function publicRate(app: App, code: string): Promise<number | undefined> {
  const { data } = siteRoutes.rates.schema.response[200].parse((await app.inject("/api/rates")).json());
  return data.find((row) => row.code === code)?.rate;
}

async function countEdits(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>("select count(*) from rate_edit");
  return rows[0]?.count ?? -1;
}

describe("who may", () => {
  test("visitors, customers and other administrators' ids are refused, and nothing changes", async ({
    app,
    db,
    admin,
    headers,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const other = await buildAdmin(db);
    const payload = { code: "234", rate: 4 };
    const customer = await signInAs(user);
    const tries = [
      { url: `/api/${admin.adminId}/edit-rate`, method: "PATCH", payload, headers: {}, status: 401 },
      { url: `/api/${admin.adminId}/edit-rate`, method: "PATCH", payload, headers: customer, status: 403 },
      { url: `/api/${user.userId}/edit-rate`, method: "PATCH", payload, headers: customer, status: 403 },
      { url: `/api/${other.adminId}/edit-rate`, method: "PATCH", payload, headers, status: 403 },
      { url: `/api/${admin.adminId}/${uuidv7()}/withdraw-rate`, method: "DELETE", headers: customer, status: 403 },
      { url: "/api/view-rates", method: "GET", headers: {}, status: 401 },
      { url: "/api/view-rates", method: "GET", headers: customer, status: 403 },
      { url: "/api/view-rate-edits", method: "GET", headers: customer, status: 403 },
    ] as const;
    for (const { status, ...request } of tries)
      expect((await app.inject(request)).statusCode, request.url).toBe(status);
    expect(await countEdits(db)).toBe(0);
    expect(await publicRate(app, "234")).toBe(3);
  });
});

describe("changing a rate", () => {
  test("a wrong field is named, and nothing changes", async ({ edit, db }) => {
    await eachCase(
      [
        ["code", { code: "870" }],
        ["code", { code: "210" }],
        ["code", { code: 234 }],
        ["code", { code: "1234567" }],
        ["rate", { rate: 0 }],
        ["rate", { rate: -3 }],
        ["rate", { rate: 3.0001 }],
        ["rate", { rate: 1_000.5 }],
        ["rate", { rate: "3" }],
        ["from", { from: "tomorrow" }],
        ["from", { from: "2026-12-01T00:00:00" }],
        ["from", { from: "2020-01-01T00:00:00Z" }],
        ["from", { from: "2100-01-01T00:00:00Z" }],
      ] as const,
      async ([field, wrong]) => {
        const { status, body } = await edit({ code: "234", rate: 4, ...wrong });
        expect(status).toBe(400);
        expect(body).toMatchObject({ code: "VALIDATION", fields: { [field]: expect.stringMatching(/\S/) as string } });
        expect(await countEdits(db)).toBe(0);
      },
    );
  });

  test("it holds at once, everywhere, and leaves an audit row with before and after", async ({
    app,
    db,
    edit,
    admin,
  }) => {
    expect(await edit({ code: "234", rate: 3.125 })).toMatchObject({
      status: 200,
      body: { message: "The rate is changed" },
    });
    expect(await publicRate(app, "234")).toBe(3.125);
    const { rows } = await db.query("select action, admin_id, before, after from audit_entry");
    expect(rows).toEqual([
      {
        action: "edit-rate",
        admin_id: admin.adminId,
        before: { code: "234", rate: 3 },
        after: { code: "234", rate: 3.125, from: expect.any(String) as string },
      },
    ]);
  });

  test("the same rate again changes nothing; of two administrators who press at once one is refused", async ({
    db,
    deps,
    edit,
    admin,
  }) => {
    expect(await edit({ code: "234", rate: 3 })).toMatchObject({ status: 409, body: { code: "STATE_CONFLICT" } });
    const press = async (tx: Tx) =>
      await changeRate(deps, tx, { code: "234", rate: 4 }, { adminId: admin.adminId, clientAddress: "192.0.2.1" });
    const [first, second] = await overlap(db, press, press);
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(second).toMatchObject({ reason: { code: "STATE_CONFLICT" } });
    expect(await countEdits(db)).toBe(1);
  });

  test("a country outside the table gets a price and a line; null takes both away", async ({ app, edit }) => {
    expect(await publicRate(app, "380")).toBeUndefined();
    await edit({ code: "380", rate: 45 });
    expect(await publicRate(app, "380")).toBe(45);
    await edit({ code: "380", rate: null });
    expect(await publicRate(app, "380")).toBeUndefined();
  });

  test("of three decimals is charged and told whole", async ({ app, db, edit, signInAs }) => {
    await edit({ code: "234", rate: 5.925 });
    const user = await buildSender(db);
    const headers = { ...(await signInAs(user)), "idempotency-key": "three-decimals" };
    const payload = buildSendBody({ phoneNo: buildPhoneNos(2) });
    const sent = (
      await app.inject({ method: "POST", url: `/api/${user.userId}/send-bulk-sms`, headers, payload })
    ).json<{ data: { _id: string }; unitDetails: UnitDetails }>();
    expect(sent.unitDetails).toMatchObject({ rate: 5.925, charged: 11.85 });
    const message = (await app.inject({ url: `/api/${user.userId}/${sent.data._id}/view-one-sms`, headers })).json<{
      data: MessageAnswer;
    }>();
    expect(message.data.price).toBe(5.925);
  });

  test("of a longer code makes a country of its own: for sends, and in the phonebook", async ({
    app,
    db,
    edit,
    signInAs,
    clock,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const phoneNo = "18765550123";
    const send = async (code: string, key: string) =>
      await app.inject({
        method: "POST",
        url: `/api/${user.userId}/send-bulk-sms`,
        headers: { ...headers, "idempotency-key": key },
        payload: buildSendBody({ code, phoneNo }),
      });
    const keep = async (code: string) =>
      await app.inject({
        method: "POST",
        url: `/api/${user.userId}/insert-to-new-tel`,
        headers,
        payload: { catalogName: "Kingston", code, phoneNo },
      });
    const make = async (code: string) =>
      await app.inject({
        method: "POST",
        url: `/api/${user.userId}/create-catalog`,
        headers,
        payload: { catalogName: "Kingston", code },
      });
    const asked = [send("1876", "before"), keep("1876"), make("1876"), keep("1")];
    expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 201]);

    await edit({ code: "1876", rate: 9 });
    clock.advance(1_000);
    await expect.poll(async () => (await make("1876")).statusCode).toBe(201);
    const now = [send("1876", "after"), keep("1876"), keep("1")];
    expect((await Promise.all(now)).map(({ statusCode }) => statusCode)).toEqual([200, 201, 400]);
  });

  test("null gives the specified rate back", async ({ app, edit }) => {
    await edit({ code: "254", rate: 8 });
    expect(await edit({ code: "254", rate: null })).toMatchObject({ status: 200 });
    expect(await publicRate(app, "254")).toBe(5.9);
    expect(await edit({ code: "254", rate: null })).toMatchObject({ status: 409 });
  });
});

describe("a planned rate", () => {
  const from = (ms: number): string => new Date(ms).toISOString();

  test("holds from its time on and is announced before", async ({ app, clock, edit }) => {
    const at = from(clock.now().getTime() + AHEAD_MS);
    expect(await edit({ code: "234", rate: 4, from: at })).toMatchObject({
      status: 200,
      body: { message: "The rate is planned", data: { state: "planned", from: at } },
    });
    expect((await app.inject("/api/rates")).json()).toMatchObject({ nextChangeAt: at });
    clock.advance(AHEAD_MS - 1);
    expect(await publicRate(app, "234")).toBe(3);
    clock.advance(1);
    expect(await publicRate(app, "234")).toBe(4);
    expect((await app.inject("/api/rates")).json()).toMatchObject({ nextChangeAt: null });
  });

  test("can be withdrawn before, once, and not after", async ({ app, clock, edit, admin, headers, db }) => {
    const planned = await edit({ code: "234", rate: 4, from: from(clock.now().getTime() + AHEAD_MS) });
    const later = await edit({ code: "254", rate: 9, from: from(clock.now().getTime() + AHEAD_MS) });
    const withdraw = async (edited: Answer) => {
      const { _id } = edited.body.data as { _id: string };
      return (await app.inject({ method: "DELETE", url: `/api/${admin.adminId}/${_id}/withdraw-rate`, headers }))
        .statusCode;
    };
    expect([await withdraw(planned), await withdraw(planned)]).toEqual([200, 409]);
    clock.advance(AHEAD_MS);
    expect(await publicRate(app, "234")).toBe(3);
    expect(await withdraw(later)).toBe(409);
    expect(await publicRate(app, "254")).toBe(9);
    const { rows } = await db.query("select before from audit_entry where action = 'withdraw-rate'");
    expect(rows).toMatchObject([{ before: { code: "234", rate: 4 } }]);
  });
});

test("administrators see every code, what is planned, and the history with its states", async ({
  app,
  clock,
  edit,
  headers,
}) => {
  await edit({ code: "234", rate: 4 });
  await edit({ code: "234", rate: 5 });
  await edit({ code: "234", rate: 6, from: new Date(clock.now().getTime() + AHEAD_MS).toISOString() });
  const rates = contract.viewRates.schema.response[200].parse(
    (await app.inject({ url: "/api/view-rates", headers })).json(),
  ).data;
  expect(rates.find(({ code }) => code === "234")).toMatchObject({
    country: "Nigeria",
    rate: 5,
    specifiedRate: 3,
    isListed: true,
    planned: [{ rate: 6 }],
  });
  expect(rates.find(({ code }) => code === "380")).toMatchObject({
    country: "Ukraine",
    rate: 4,
    specifiedRate: 4,
    isListed: false,
  });
  expect(rates.find(({ code }) => code === "1876")).toMatchObject({ country: "Jamaica", rate: 18, isListed: false });
  const history = async (query: string) =>
    contract.viewRateEdits.schema.response[200].parse(
      (await app.inject({ url: `/api/view-rate-edits?${query}`, headers })).json(),
    );
  const first = await history("code=234&limit=2");
  expect(first.data.map(({ rate, state }) => [rate, state])).toEqual([
    [6, "planned"],
    [5, "current"],
  ]);
  expect((await history(`code=234&limit=2&after=${first.next}`)).data.map(({ rate, state }) => [rate, state])).toEqual([
    [4, "past"],
  ]);
  expect((await history("code=254")).data).toEqual([]);
  expect((await app.inject({ url: "/api/view-rate-edits?after=x", headers })).statusCode).toBe(400);
});

describe("what a send costs", () => {
  test("the rate of its moment; a message that was accepted keeps its price, a scheduled one too", async ({
    app,
    db,
    clock,
    edit,
    signInAs,
  }) => {
    const user = await buildSender(db);
    await topUpUser(db, user.userId, 1_000_000);
    await buildCarrier(db);
    const customer = await signInAs(user);
    const send = async (path: string, more: object = {}): Promise<unknown> => {
      const response = await app.inject({
        method: "POST",
        url: `/api/${user.userId}/${path}`,
        headers: customer,
        payload: { ...buildSendBody(), ...more },
      });
      return response.json<{ unitDetails: unknown }>().unitDetails;
    };
    const scheduled = {
      sendAt: new Date(clock.now().getTime() + 2 * AHEAD_MS).toISOString(),
      timeZone: "Africa/Lagos",
    };
    expect(await send("send-bulk-sms")).toMatchObject({ rate: 3, charged: 3 });
    expect(await send("schedule-sms", scheduled)).toMatchObject({ rate: 3, charged: 3 });
    await edit({ code: "234", rate: 4.5 });
    expect(await send("send-bulk-sms")).toMatchObject({ rate: 4.5, charged: 4.5 });
    await edit({ code: "234", rate: 10, from: new Date(clock.now().getTime() + AHEAD_MS).toISOString() });
    expect(await send("send-bulk-sms")).toMatchObject({ rate: 4.5 });
    clock.advance(AHEAD_MS);
    expect(await send("send-bulk-sms")).toMatchObject({ rate: 10 });
    const { rows } = await db.query<{ price_milli: number }>("select price_milli from message order by message_id");
    expect(rows.map((row) => row.price_milli).toSorted((one, other) => one - other)).toEqual([
      3_000, 3_000, 4_500, 4_500, 10_000,
    ]);
  });

  test("numbers that are priced apart are another code's from then on", async ({ app, db, edit, signInAs }) => {
    const user = await buildSender(db);
    await topUpUser(db, user.userId, 1_000_000);
    await buildCarrier(db);
    const customer = await signInAs(user);
    await edit({ code: "1876", rate: 60 });
    const send = async (code: string) => {
      const response = await app.inject({
        method: "POST",
        url: `/api/${user.userId}/send-bulk-sms`,
        headers: customer,
        payload: buildSendBody({ code, phoneNo: "18762001234" }),
      });
      return response.json<{ code?: string; unitDetails?: unknown }>();
    };
    expect(await send("1")).toMatchObject({ code: "WRONG_COUNTRY_CODE" });
    expect(await send("1876")).toMatchObject({ unitDetails: { rate: 60, charged: 60 } });
  });
});

describe("the kept rates", () => {
  test("are the same table until one changes, and a change is there within a second", async ({ deps, edit, db }) => {
    const readRates = createRateReader(deps);
    const first = await readRates();
    expect(first).toEqual(DEFAULT_RATES);
    await edit({ code: "234", rate: 4 });
    await expect.poll(async () => (await readRates()).get("234"), { timeout: 1_000, interval: 20 }).toBe(4_000);
    const second = await readRates();
    expect(second).not.toBe(first);
    expect(await readRates()).toBe(second);
    expect(await readRatesAt(db, new Date())).toEqual(second);
  });

  test("stay while the database is away", async ({ deps, db }) => {
    let isAway = false;
    const query = async (...parts: [string]) =>
      isAway ? await Promise.reject(new Error("away")) : await db.query(...parts);
    const readRates = createRateReader({ ...deps, db: { query } as unknown as Db });
    const first = await readRates();
    isAway = true;
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await readRates()).toBe(first);
  });
});
