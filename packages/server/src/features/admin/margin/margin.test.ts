import { MILLI_PER_UNIT, type MarginRowAnswer } from "@ewebal/contract";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { expect, test as base } from "../../../testing/app.ts";
import { buildCarrier, buildMessage } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser, type BuiltAdmin } from "../../../testing/factories.ts";
import { deliveryStates } from "../../delivery/states.ts";
import { refreshOverview } from "../overview/refresh-overview.ts";

type Answer = { status: number; body: { code?: string; fields?: Record<string, string>; data?: unknown } };

const test = base.extend<{
  admin: BuiltAdmin;
  headers: { authorization: string };
  setCost: (carrier: string, body: object) => Promise<Answer>;
  margin: (query: string) => Promise<MarginRowAnswer[]>;
}>({
  admin: async ({ db }, use) => await use(await buildAdmin(db)),
  headers: async ({ admin, signInAs }, use) => await use(await signInAs(admin)),
  setCost: async ({ app, admin, headers }, use) =>
    await use(async (carrier, payload) => {
      const url = `/api/${admin.adminId}/${carrier}/set-carrier-cost`;
      const response = await app.inject({ method: "PATCH", url, headers, payload });
      return { status: response.statusCode, body: response.json<Answer["body"]>() };
    }),
  margin: async ({ app, headers }, use) =>
    await use(async (query) => {
      const response = await app.inject({ url: `/api/view-margin?${query}`, headers });
      expect(response.statusCode, response.body).toBe(200);
      return response.json<{ data: MarginRowAnswer[] }>().data;
    }),
});

/** A row for a carrier that the configuration would name; costs are kept by name. */
async function keepCost(
  db: Db,
  facts: { carrier: string; prefix: string; costMilli: number; at: Date },
): Promise<void> {
  const { adminId } = await buildAdmin(db);
  await db.query(
    "insert into carrier_cost (carrier_name, prefix, effective_at, cost_milli, admin_id) values ($1, $2, $3, $4, $5)",
    [facts.carrier, facts.prefix, facts.at, facts.costMilli, adminId],
  );
}

type Handed = { state: keyof typeof deliveryStates; at: Date; carrierId: number | null; parts?: number };

/** Deliveries as a flush writes them: of one part with the carrier's id, of several with a row for each part. */
async function addDeliveries(
  db: Db,
  facts: { priceMilli: number; phoneNos: number[]; handed: Handed[] },
): Promise<{ userId: string }> {
  const { phoneNos, priceMilli, handed } = facts;
  const first = Math.min(...handed.map(({ at }) => at.getTime()));
  const message = await buildMessage(db, { phoneNos, priceMilli, createdAt: new Date(first) });
  for (const [position, { state, at, carrierId, parts = 1 }] of handed.entries()) {
    const isAccepted = parts === 1 && (state === "sent" || state === "delivered");
    const key = isAccepted ? `k${message.messageId}${position}` : null;
    await db.query(
      `insert into delivery (user_id, message_id, position, phone_no, state, carrier_id, carrier_key, submitted_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [message.userId, message.messageId, position, phoneNos[position], deliveryStates[state], carrierId, key, at],
    );
    const partRows = parts > 1 ? parts : 0;
    for (let part = 0; part < partRows; part += 1) {
      await db.query(
        `insert into delivery_part (user_id, message_id, position, part_index, part_count, carrier_id, carrier_key, submitted_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [message.userId, message.messageId, position, part, parts, carrierId, `p${position}-${part}`, at],
      );
    }
  }
  return { userId: message.userId };
}

describe("what a carrier bills", () => {
  test("only administrators of money set it, for a carrier that exists, exact to the thousandth", async ({
    app,
    db,
    admin,
    headers,
    setCost,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const url = `/api/${admin.adminId}/simulator/set-carrier-cost`;
    const payload = { prefix: "234", cost: 1.5 };
    const customer = await signInAs(user);
    expect((await app.inject({ method: "PATCH", url, payload })).statusCode).toBe(401);
    expect((await app.inject({ method: "PATCH", url, payload, headers: customer })).statusCode).toBe(403);
    expect((await app.inject({ url: "/api/view-margin?by=day", headers: customer })).statusCode).toBe(403);
    for (const wrong of [
      { prefix: "+234" },
      { prefix: 234 },
      { cost: -1 },
      { cost: 1.0005 },
      { cost: "1" },
      { more: 1 },
    ])
      expect(await setCost("simulator", { ...payload, ...wrong })).toMatchObject({
        status: 400,
        body: { code: "VALIDATION" },
      });
    expect(await setCost("nobody", payload)).toMatchObject({ status: 404 });
    await db.query("update admin set role = 'support' where admin_id = $1", [admin.adminId]);
    expect((await app.inject({ method: "PATCH", url, payload, headers })).statusCode).toBe(403);
  });
});

test("a cost that is set holds from that moment, is audited, and ends with null", async ({
  app,
  db,
  admin,
  headers,
  setCost,
  clock,
}) => {
  const carrier = {
    name: "Acme",
    host: "127.0.0.1",
    port: 2775,
    systemId: "acme",
    password: "s3cret-Pa55",
    systemType: "",
    tls: false,
    binds: 2,
    window: 10,
    messagesPerSecond: 50,
    prefixes: ["234"],
    weight: 1,
    priority: 0,
    receiptIds: "asIs",
    longMessages: "udh8",
    dndErrorCodes: [],
  };
  const added = await app.inject({
    method: "POST",
    url: `/api/${admin.adminId}/add-carrier`,
    headers,
    payload: carrier,
  });
  expect(added.statusCode, added.body).toBe(201);
  const { _id } = added.json<{ data: { _id: string } }>().data;
  const costs = async (): Promise<unknown> =>
    (await app.inject({ url: "/api/view-carrier-costs", headers })).json<{ data: unknown }>().data;
  const all = { carrier: "Acme", prefix: "", cost: 2.5 };
  expect(await setCost(_id, { prefix: "", cost: 2.5 })).toMatchObject({ status: 200, body: { data: [all] } });
  clock.advance(1_000);
  await setCost(_id, { prefix: "234", cost: 1.125 });
  expect(await costs()).toEqual([all, { carrier: "Acme", prefix: "234", cost: 1.125 }]);
  clock.advance(1_000);
  await setCost(_id, { prefix: "234", cost: null });
  expect(await costs()).toEqual([all]);
  const { rows } = await db.query(
    "select before, after from audit_entry where action = 'set-carrier-cost' order by audit_id",
  );
  expect(rows[2]).toEqual({
    before: { name: "Acme", prefix: "234", cost: 1.125 },
    after: { name: "Acme", prefix: "234", cost: null },
  });
});

describe("the margin", () => {
  test.for([
    "by=week",
    "",
    "by=day&from=2026-02-30",
    "by=day&from=2026-02-02&to=2026-02-01",
    "by=day&from=2020-01-01&to=2026-01-01",
    "by=day&more=1",
  ])("%j is refused", async (query, { app, headers }) => {
    expect((await app.inject({ url: `/api/view-margin?${query}`, headers })).json()).toMatchObject({
      code: "VALIDATION",
    });
  });

  test("is what was accepted: parts times the cost of the longest prefix at that moment, from what each recipient pays", async ({
    app,
    db,
    deps,
    clock,
    margin,
    headers,
  }) => {
    const { carrierId } = await buildCarrier(db, { name: "dear" });
    const other = await buildCarrier(db, { name: "free of cost" });
    const now = clock.now();
    const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
    const at = (minutes: number): Date => new Date(hour.getTime() - 3_600_000 + minutes * 60_000);
    await keepCost(db, { carrier: "dear", prefix: "", costMilli: 9_000, at: at(-600) });
    await keepCost(db, { carrier: "dear", prefix: "234", costMilli: 1_250, at: at(-600) });
    await keepCost(db, { carrier: "dear", prefix: "234803", costMilli: 2_000, at: at(-600) });
    // In the middle of the hour it becomes dearer than what customers pay.
    await keepCost(db, { carrier: "dear", prefix: "234805", costMilli: 4_000, at: at(30) });
    const { userId } = await addDeliveries(db, {
      priceMilli: 3_000,
      phoneNos: [
        2_348_030_000_001, 2_348_050_000_001, 2_348_050_000_002, 2_348_050_000_003, 2_348_050_000_004,
        2_348_050_000_005,
      ],
      handed: [
        { state: "delivered", at: at(10), carrierId },
        { state: "sent", at: at(20), carrierId },
        { state: "sent", at: at(40), carrierId, parts: 3 },
        // The carrier refused it, nobody had it, its answer was lost: none of them is paid or billed.
        { state: "failed", at: at(10), carrierId },
        { state: "optedOut", at: at(10), carrierId: null },
        { state: "unknown", at: at(10), carrierId },
      ],
    });
    await addDeliveries(db, {
      priceMilli: 3_000,
      phoneNos: [2_348_030_000_009],
      handed: [{ state: "sent", at: at(50), carrierId: other.carrierId }],
    });
    // A job that runs twice leaves no trace.
    await refreshOverview(deps);
    await refreshOverview(deps);
    // 2 + 1.25 + 3 x 4 naira of cost against 3 x 3 of revenue.
    const dear = { messages: 3, parts: 5, revenue: 9, cost: 15.25, margin: -6.25, uncosted: 0, flag: "negative" };
    const unknown = { messages: 1, parts: 1, revenue: 3, cost: 0, margin: 3, uncosted: 1, flag: "no-cost" };
    expect(await margin("by=carrier")).toEqual([
      { key: String(carrierId), name: "dear", ...dear },
      { key: String(other.carrierId), name: "free of cost", ...unknown },
    ]);
    const customers = await margin("by=customer");
    expect(customers[0]).toEqual({ key: userId, name: expect.stringMatching(/\S/) as string, ...dear });
    const whole = { messages: 4, parts: 6, revenue: 12, cost: 15.25, margin: -3.25, uncosted: 1, flag: "negative" };
    expect(await margin("by=country")).toEqual([{ key: "234", name: "Nigeria", ...whole }]);
    const days = await margin("by=day");
    expect(days.reduce((sum, { revenue }) => sum + revenue, 0)).toBe(12);
    expect(await margin("by=day&from=2020-01-01&to=2020-01-31")).toEqual([]);
    const csv = await app.inject({ url: "/api/view-margin?by=country&format=csv", headers });
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(csv.body).toContain('"234","Nigeria","4","6","12","15.25","-3.25","1","negative"');
    const { rows } = await db.query<{ sum: number }>("select sum(revenue_milli)::bigint as sum from margin_hour");
    expect(rows[0]?.sum).toBe(12 * MILLI_PER_UNIT);
  });
});
