/** All that a program can do beside sending at once: with the key's own objects, strict in what it takes. */
import { programListRoutes, programRoutes, programWebhookRoutes, verificationRoutes } from "@ewebal/contract";
import { describe } from "vitest";
import { expect, test as base } from "../../../testing/app.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { buildSendBody, buildSender } from "../../../testing/messages-factories.ts";
import { createApiKey } from "../../accounts/index.ts";
import { buildInbound } from "../../delivery/testing/build-inbound.ts";

const ADDRESS = "203.0.113.5";
const AN_ID = "01900000-0000-7000-8000-000000000001";
type Method = "DELETE" | "GET" | "PATCH" | "POST";
type Answer = {
  status: number;
  code: string | undefined;
  fields: string[];
  data: never;
  next: string | null;
  body: Record<string, unknown>;
};
type Ask = (method: Method, path: string, payload?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Two customers with a key each; `ask` calls as the first, `askAsOther` as the second. */
const test = base.extend<{ sender: BuiltUser; ask: Ask; askAsOther: Ask; askWithoutKey: Ask }>({
  sender: async ({ db }, use) => await use(await buildSender(db)),
  ask: async ({ app, deps, sender }, use) => {
    const { key } = await createApiKey(deps, sender.userId, { name: "Shop" });
    await use(askWith(app, key));
  },
  askAsOther: async ({ app, db, deps }, use) => {
    const other = await buildUser(db);
    await use(askWith(app, (await createApiKey(deps, other.userId, { name: "Theirs" })).key));
  },
  askWithoutKey: async ({ app }, use) => await use(askWith(app, "")),
});

function askWith(
  app: { inject: (request: object) => Promise<{ statusCode: number; body: string }> },
  key: string,
): Ask {
  return async (method, path, payload, headers = {}) => {
    const answer = await app.inject({
      method,
      url: `/api/v1/${path}`,
      remoteAddress: ADDRESS,
      headers: { ...(key !== "" && { authorization: `Bearer ${key}` }), ...headers },
      ...(payload !== undefined && { payload }),
    });
    const body = (answer.body.startsWith("{") ? JSON.parse(answer.body) : { text: answer.body }) as Record<
      string,
      unknown
    >;
    return {
      status: answer.statusCode,
      code: body["code"] as string | undefined,
      fields: Object.keys(body["fields"] ?? {}),
      data: body["data"] as never,
      next: body["next"] as string | null,
      body,
    };
  };
}

/** Method and path of every call, the addresses with an id that is nobody's. */
const calls = Object.values({
  ...programRoutes,
  ...programListRoutes,
  ...verificationRoutes,
  ...programWebhookRoutes,
}).map(
  ({ method, url, schema }) =>
    ({
      method,
      path: url.slice("/api/v1/".length).replaceAll(/:\w+/g, AN_ID),
      schema,
      hasId: url.includes(":"),
    }) as const,
);

type WayIn = {
  name: string;
  by: "key" | "session" | "twilio";
  header?: string;
  status: number;
  held: number;
  build: (sender: BuiltUser, sid: string) => { url: string; payload: object | string };
};

const one = { senderName: "Acme Ltd", message: "Once", phoneNo: "2348030000001" };
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
const ofTwilio = (header: string): WayIn => ({
  name: `Twilio, ${header}`,
  by: "twilio",
  header,
  status: 201,
  held: 3_000,
  build: (_sender, sid) => ({
    url: `/2010-04-01/Accounts/${sid}/Messages.json`,
    payload: new URLSearchParams({ To: `+${one.phoneNo}`, From: one.senderName, Body: one.message }).toString(),
  }),
});
const sendAt = inAnHour();
const waysIn: readonly WayIn[] = [
  { name: "v1", by: "key", status: 200, held: 3_000, build: () => ({ url: "/api/v1/messages", payload: one }) },
  {
    name: "v1 for later",
    by: "key",
    status: 201,
    held: 3_000,
    build: () => ({ url: "/api/v1/messages", payload: { ...one, sendAt } }),
  },
  {
    name: "codes",
    by: "key",
    status: 201,
    held: 3_000,
    build: () => ({ url: "/api/v1/verifications", payload: { to: one.phoneNo, senderName: one.senderName } }),
  },
  {
    name: "the dashboard",
    by: "session",
    status: 200,
    held: 3_000,
    build: ({ userId }) => ({ url: `/api/${userId}/send-bulk-sms`, payload: { ...one, code: "234" } }),
  },
  ofTwilio("idempotency-key"),
  ofTwilio("i-twilio-idempotency-token"),
];

type Given = {
  deps: Parameters<typeof createApiKey>[0];
  sender: BuiltUser;
  signInAs: (person: BuiltUser) => Promise<object>;
};
const headersOf: Record<WayIn["by"], (given: Given) => Promise<Record<string, string>>> = {
  key: async ({ deps, sender }) => ({
    authorization: `Bearer ${(await createApiKey(deps, sender.userId, { name: "Shop" })).key}`,
  }),
  session: async ({ sender, signInAs }) => ({ ...(await signInAs(sender)) }),
  twilio: async ({ deps, sender }) => {
    const { key, publicName } = await createApiKey(deps, sender.userId, { name: "Twilio", kind: "twilio" });
    return {
      authorization: `Basic ${Buffer.from(`${publicName}:${key}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
      sid: publicName ?? "",
    };
  },
};

describe("every call", () => {
  test("needs a living key", async ({ askWithoutKey }) => {
    for (const { method, path } of calls) {
      const answer = await askWithoutKey(method, path, method === "GET" ? undefined : {});
      expect([method, path, answer.status, answer.code]).toEqual([method, path, 401, "AUTH_REQUIRED"]);
    }
  });

  test("refuses parameters and fields that it does not know, by their names", async ({ ask }) => {
    for (const { method, path } of calls) {
      const query = await ask(method, `${path}?bogus=1`, method === "GET" ? undefined : {});
      expect([method, path, query.status, query.code]).toEqual([method, path, 400, "VALIDATION"]);
      // Where a body is wrong as well, that is told first.
      if (method === "GET" || path === "messages") expect(query.fields, path).toContain("bogus");
      if (method === "GET") continue;
      const body = await ask(method, path, { bogus: 1 });
      // Whether there is a catalog is known before what may be added to it.
      const isLate = method === "POST" && path.endsWith("/contacts");
      expect([method, path, body.status], path).toEqual([method, path, isLate ? 404 : 400]);
      if (!isLate) expect(body.fields, path).toContain("bogus");
    }
  });

  test("answers a list of 1 to 100 rows behind a cursor of its own, and 400 to anything else", async ({ ask }) => {
    const lists = calls.filter(({ method, schema, hasId }) => method === "GET" && !hasId && "limit" in shapeOf(schema));
    expect(lists.length).toBeGreaterThan(7);
    for (const { path } of lists) {
      for (const query of ["limit=0", "limit=101", "limit=x", "limit=", "after=nowhere"]) {
        const answer = await ask("GET", `${path}?${query}`);
        expect([path, query, answer.status, answer.fields]).toEqual([path, query, 400, [query.split("=")[0]]]);
      }
      const all = await ask("GET", path);
      expect([path, all.status, all.next, Array.isArray(all.data)]).toEqual([path, 200, all.next, true]);
    }
  });
});

function shapeOf(schema: object): object {
  const { querystring } = schema as { querystring?: { shape?: object } };
  return querystring?.shape ?? {};
}

describe("catalogs and contacts", () => {
  test("are made, changed, read and deleted with their fields, by their owner alone", async ({ ask, askAsOther }) => {
    const wrong = await ask("POST", "catalogs", {
      catalogName: "A",
      code: "234",
      columns: [{ label: "Name", bogus: 1 }],
    });
    expect([wrong.status, wrong.fields]).toEqual([400, ["columns.0.bogus"]]);
    const made = await ask(
      "POST",
      "catalogs",
      { catalogName: "Customers", code: "234", columns: [{ label: "Full Name" }] },
      { "idempotency-key": "c1" },
    );
    const again = await ask(
      "POST",
      "catalogs",
      { catalogName: "Customers", code: "234", columns: [{ label: "Full Name" }] },
      { "idempotency-key": "c1" },
    );
    expect([made.status, again.data]).toEqual([201, made.data]);
    const path = `catalogs/${(made.data as { _id: string })._id}`;
    for (const [method, of, payload] of [
      ["GET", path, undefined],
      ["PATCH", path, { catalogName: "Mine" }],
      ["GET", `${path}/contacts`, undefined],
      ["POST", `${path}/contacts`, { phoneNo: "08030000009" }],
      ["PATCH", `${path}/contacts`, { phoneNo: "08030000001", fields: {} }],
      ["DELETE", `${path}/contacts`, { phoneNo: "08030000001" }],
      ["DELETE", path, undefined],
    ] as const) {
      expect([method, of, (await askAsOther(method, of, payload)).code]).toEqual([method, of, "NOT_FOUND"]);
    }
    for (const [payload, field] of [
      [{ contacts: [{ phoneNo: "08030000001", bogus: 1 }] }, "contacts.0.bogus"],
      [{ contacts: [{ phoneNo: "08030000001", fields: { age: "7" } }] }, "contacts.0.fields.age"],
      [{ phoneNo: "08030000001", contacts: [] }, "contacts"],
      [{}, "phoneNo"],
      [{ phoneNo: "123" }, "phoneNo"],
    ] as const) {
      const refused = await ask("POST", `${path}/contacts`, payload);
      expect([refused.status, refused.fields]).toEqual([400, expect.arrayContaining([field]) as string[]]);
    }
    const added = await ask("POST", `${path}/contacts`, {
      contacts: [{ phoneNo: "08030000001", fields: { full_name: "Ada" } }, { phoneNo: "08030000002" }],
    });
    expect([added.status, added.data]).toMatchObject([201, { added: 2, existing: 0, wrong: 0 }]);
    const changed = await ask("PATCH", `${path}/contacts`, {
      phoneNo: "+2348030000002",
      fields: { full_name: "Bola" },
    });
    expect([changed.status, changed.data]).toEqual([
      200,
      { index: 1, phoneNo: "+2348030000002", fields: { full_name: "Bola" } },
    ]);
    const found = await ask("GET", `${path}/contacts?search=bola`);
    expect(found.data).toMatchObject([{ phoneNo: "+2348030000002" }]);
    expect((await ask("DELETE", `${path}/contacts`, { phoneNo: "08030000001" })).status).toBe(200);
    expect((await ask("DELETE", `${path}/contacts`, { phoneNo: "08030000001" })).code).toBe("NOT_FOUND");
    expect((await ask("PATCH", path, { catalogName: "Buyers" })).status).toBe(200);
    expect((await ask("GET", path)).data).toMatchObject({
      catalogName: "Buyers",
      count: 1,
      contacts: ["+2348030000002"],
    });
    expect((await ask("GET", "catalogs?search=buy")).data).toMatchObject([{ catalogName: "Buyers" }]);
    // Clients that name a type on every call send it with an empty body, too.
    expect((await ask("DELETE", path, "", { "content-type": "application/json" })).status).toBe(200);
    expect((await ask("GET", path)).code).toBe("NOT_FOUND");
  });
});

describe("templates, senders, rates and the statement", () => {
  test("a template is kept, read, changed, sent and deleted, by its owner alone", async ({ ask, askAsOther }) => {
    const made = await ask("POST", "templates", { name: "Hello", message: "Good morning" });
    expect(made).toMatchObject({ status: 201, data: { name: "Hello", message: "Good morning" } });
    const path = `templates/${(made.data as { _id: string })._id}`;
    for (const [method, payload] of [
      ["GET", undefined],
      ["PATCH", { name: "Mine" }],
      ["DELETE", undefined],
    ] as const)
      expect((await askAsOther(method, path, payload)).code).toBe("NOT_FOUND");
    expect((await ask("PATCH", path, { message: "Good evening" })).data).toMatchObject({
      name: "Hello",
      message: "Good evening",
    });
    const { message: _text, ...send } = buildSendBody();
    const sent = await ask("POST", "messages", { ...send, templateId: (made.data as { _id: string })._id });
    expect((await ask("GET", `messages/${(sent.data as { _id: string })._id}`)).data).toMatchObject({
      message: "Good evening",
    });
    expect([(await ask("DELETE", path)).status, (await ask("GET", path)).code]).toEqual([200, "NOT_FOUND"]);
  });

  test("names, prices and movements are read whole or page by page", async ({ ask }) => {
    expect((await ask("GET", "senders")).data).toEqual([{ senderName: "Acme Ltd", state: "approved" }]);
    const rates = (await ask("GET", "rates")).data as unknown as { code: string; rate: number }[];
    expect(rates.find(({ code }) => code === "234")).toMatchObject({ rate: 3 });
    const paged: unknown[] = [];
    for (let after = ""; ;) {
      const page = await ask("GET", `rates?limit=100${after}`);
      paged.push(...(page.data as unknown[]));
      if (page.next === null) break;
      after = `&after=${page.next}`;
    }
    expect(paged).toEqual(rates);
    expect((await ask("GET", "rates?code=234")).data).toMatchObject([{ country: "Nigeria" }]);
    await ask("POST", "messages", buildSendBody());
    expect((await ask("GET", "statement?kind=messages")).data).toMatchObject([{ cause: "message" }]);
    expect((await ask("GET", "statement?format=csv")).body["text"]).toContain("createdAt");
  });
});

describe("a message that waits for its time", () => {
  test("is listed, changed in text, name and time, and cancelled with its units", async ({
    ask,
    askAsOther,
    clock,
    sender,
    db,
  }) => {
    const at = (hours: number): string => new Date(clock.now().getTime() + hours * 3_600_000).toISOString();
    const before = (await ask("GET", "balance")).data as { units: number };
    const made = await ask("POST", "messages", { ...buildSendBody(), sendAt: at(2), reference: "order 7" });
    expect(made.status).toBe(201);
    const path = `messages/${(made.data as { _id: string })._id}`;
    await ask("POST", "messages", buildSendBody());
    expect((await ask("GET", "messages")).data).toMatchObject([
      { state: "sending" },
      { state: "scheduled", reference: "order 7" },
    ]);
    expect((await ask("GET", "messages?state=scheduled")).data).toHaveLength(1);
    const first = await ask("GET", "messages?limit=1");
    expect((await ask("GET", `messages?limit=1&after=${first.next}`)).data).toMatchObject([{ state: "scheduled" }]);
    for (const [payload, field] of [
      [{}, "body"],
      [{ phoneNo: "08030000001" }, "phoneNo"],
      [{ sendAt: "tomorrow" }, "sendAt"],
      [{ sendAt: at(-1) }, "sendAt"],
      [{ timeZone: "Lagos" }, "timeZone"],
    ] as const) {
      const refused = await ask("PATCH", path, payload);
      expect([payload, refused.status, refused.fields]).toEqual([
        payload,
        400,
        expect.arrayContaining([field]) as string[],
      ]);
    }
    expect((await ask("PATCH", path, { senderName: "Other" })).code).toBe("SENDER_NOT_APPROVED");
    expect((await askAsOther("PATCH", path, { message: "Mine" })).code).toBe("NOT_FOUND");
    const changed = await ask("PATCH", path, { message: "Changed", sendAt: at(3), timeZone: "Africa/Accra" });
    expect(changed.status).toBe(200);
    expect((await ask("GET", path)).data).toMatchObject({
      message: "Changed",
      sendAt: at(3),
      timeZone: "Africa/Accra",
      reference: "order 7",
    });
    for (const action of ["pause", "resume"])
      expect((await ask("POST", `${path}/${action}`)).code).toBe("STATE_CONFLICT");
    expect((await ask("POST", `${path}/cancel`)).status).toBe(200);
    expect((await ask("PATCH", path, { message: "Too late" })).code).toBe("STATE_CONFLICT");
    const { units } = (await ask("GET", "balance")).data as { units: number };
    const { rows } = await db.query<{ held: number }>(
      "select held_milli as held from ledger_account where user_id = $1",
      [sender.userId],
    );
    expect(before.units - units).toBe((rows[0]?.held ?? 0) / 1_000);
  });

  test("what is under way is paused, resumed and cancelled; each twice is once", async ({ ask, askAsOther }) => {
    const { data } = await ask("POST", "messages", buildSendBody());
    const path = `messages/${(data as { _id: string })._id}`;
    for (const action of ["pause", "resume", "cancel"]) {
      expect((await askAsOther("POST", `${path}/${action}`)).code).toBe("NOT_FOUND");
      for (let times = 0; times < 2; times += 1) expect((await ask("POST", `${path}/${action}`)).status).toBe(200);
      const state = { pause: "paused", resume: "sending", cancel: "cancelled" }[action];
      expect((await ask("GET", path)).data).toMatchObject({ state });
    }
    expect((await ask("POST", `${path}/resume`)).code).toBe("STATE_CONFLICT");
  });
});

describe("sending", () => {
  test("numbers are text or a list; a code that is left out is the first number's", async ({ ask }) => {
    const { code: _code, phoneNo: _phoneNo, ...send } = buildSendBody();
    const listed = await ask("POST", "messages", {
      ...send,
      phoneNo: ["2348030000001", "0803 000 0002", "+2348030000001"],
      code: "234",
    });
    expect(listed).toMatchObject({ status: 200, body: { unitDetails: { received: 3, recipients: 2, duplicates: 1 } } });
    expect(await ask("POST", "messages", { ...send, phoneNo: ["2348030000001"] })).toMatchObject({ status: 200 });
    expect(await ask("POST", "messages", { ...send, phoneNo: ["2348030000001", "447400123456"] })).toMatchObject({
      status: 400,
      code: "WRONG_COUNTRY_CODE",
    });
    for (const phoneNo of [[], [1], "", 2348030000001, { 0: "2348030000001" }])
      expect((await ask("POST", "messages", { ...send, phoneNo })).status, JSON.stringify(phoneNo)).toBe(400);
    const nested = await ask("POST", "messages", {
      ...send,
      recipients: [{ to: "2348030000001", bogus: 1 }],
      code: "234",
    });
    expect([nested.status, nested.fields]).toEqual([400, ["recipients.0.bogus"]]);
    expect(
      (await ask("POST", "messages", { ...send, phoneNo: "2348030000001", reference: "x".repeat(65) })).fields,
    ).toEqual(["reference"]);
  });

  // Goal: money moves once, whatever is retried. Method: each way in that has a key is called fifty times at once with one.
  test.for(waysIn)(
    "fifty retries at once are one message with one answer: $name",
    async (way, { app, db, deps, sender, signInAs }) => {
      const headers = await headersOf[way.by]({ deps, sender, signInAs });
      const request = way.build(sender, headers["sid"] ?? "");
      const answers = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const keyed = { ...headers, [way.header ?? "idempotency-key"]: "order-50" };
          return await app.inject({ method: "POST", remoteAddress: ADDRESS, headers: keyed, ...request });
        }),
      );
      const ids = answers.map((answer) => {
        const { data, sid } = answer.json<{ data?: { _id: string }; sid?: string }>();
        return data?._id ?? sid;
      });
      expect([new Set(answers.map(({ statusCode }) => statusCode)), new Set(ids).size]).toEqual([
        new Set([way.status]),
        1,
      ]);
      const { rows } = await db.query("select count(*)::int as messages from message");
      expect(rows).toEqual([{ messages: 1 }]);
      const { rows: account } = await db.query("select held_milli as held from ledger_account where user_id = $1", [
        sender.userId,
      ]);
      expect(account).toEqual([{ held: way.held }]);
    },
  );

  // Goal: sends that are written together are each what it would be alone. Method: more at once than there are units for (9 of 100 each), some
  // twice, one wrong.
  test("many at once are each sent or refused for itself, once for each key", async ({ ask, db, sender }) => {
    const send = async (index: number, senderName = "Acme Ltd"): Promise<Answer> => {
      const body = {
        senderName,
        message: `Code ${index} ${"x".repeat(400)}`,
        phoneNo: String(2_348_030_000_001 + index),
      };
      return await ask("POST", "messages", body, { "idempotency-key": `order-${index}` });
    };
    const orders = [...Array.from({ length: 20 }, (_, index) => index), 0, 1, 2];
    const [wrong, ...answers] = await Promise.all([
      send(99, "Nobody"),
      ...orders.map(async (index) => await send(index)),
    ]);
    expect(wrong?.code).toBe("SENDER_NOT_APPROVED");
    const sent = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ code }) => code === "UNITS_REQUIRED");
    const ids = new Set(sent.map(({ data }) => (data as { _id: string })._id));
    expect([ids.size, sent.length + refused.length]).toEqual([11, 23]);
    const { rows } = await db.query(
      `select count(*)::int as messages, count(distinct recipients[1])::int as numbers, min(turn)::int as first, max(turn)::int as last
       from message join message_batch using (user_id, message_id)`,
    );
    expect(rows).toEqual([
      { messages: 11, numbers: 11, first: rows[0]?.["first"], last: Number(rows[0]?.["first"]) + 30 },
    ]);
    const { rows: account } = await db.query("select held_milli as held from ledger_account where user_id = $1", [
      sender.userId,
    ]);
    expect(account).toEqual([{ held: 99_000 }]);
    const again = await Promise.all(orders.slice(0, 20).map(async (index) => await send(index)));
    for (const { data } of again.filter(({ status }) => status === 200))
      expect(ids).toContain((data as { _id: string })._id);
    expect((await db.query("select from message")).rowCount).toBe(11);
    const other = await ask("POST", "messages", buildSendBody(), { "idempotency-key": "order-0" });
    expect(other.status).toBe(422);
  });

  test("a phone is answered from the number that it wrote to, once for each key", async ({
    app,
    ask,
    askAsOther,
    db,
    sender,
    signInAs,
  }) => {
    const admin = await buildAdmin(db);
    const assigned = { number: "2347000000001", userID: sender.userId };
    await app.inject({
      method: "POST",
      url: `/api/${admin.adminId}/assign-number`,
      headers: await signInAs(admin),
      payload: assigned,
    });
    await buildInbound(db, [{ from: "2348030000001", to: "2347000000001", text: "Hello" }]);
    const [{ _id: inboxId }] = (await ask("GET", "inbox")).data as unknown as [{ _id: string }];
    const reply = async (as: Ask, message: string) =>
      await as("POST", `inbox/${inboxId}/reply`, { message }, { "idempotency-key": "r1" });
    expect((await reply(askAsOther, "Hi")).code).toBe("NOT_FOUND");
    const first = await reply(ask, "Hi");
    expect(first.status).toBe(200);
    expect((await reply(ask, "Hi")).data).toEqual(first.data);
    expect((await reply(ask, "Other")).status).toBe(422);
  });
});
