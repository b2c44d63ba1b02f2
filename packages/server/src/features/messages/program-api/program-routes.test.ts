import { type MessageAnswer, programKeyScopes, type SendAnswer } from "@ewebal/contract";
import { describe } from "vitest";
import type { App } from "../../../http/app-type.ts";
import { expect, test as base } from "../../../testing/app.ts";
import { buildAdmin, buildUser, FACTORY_PASSWORD, type BuiltUser } from "../../../testing/factories.ts";
import { buildApprovedAddress, buildSendBody, buildSender } from "../../../testing/messages-factories.ts";
import { createApiKey } from "../../accounts/index.ts";

const ADDRESS = "203.0.113.5";

type Answer = {
  status: number;
  code: string | undefined;
  data: { _id: string; units: number } & MessageAnswer[];
  body: SendAnswer;
};
type Ask = (
  method: "GET" | "POST" | "HEAD",
  url: string,
  options?: { key?: string | undefined; headers?: object; payload?: unknown; from?: string },
) => Promise<Answer>;

/** A customer who may send, with a key and an approved address. */
const test = base.extend<{ sender: BuiltUser; key: string; ask: Ask }>({
  sender: async ({ db }, use) => {
    const sender = await buildSender(db);
    await buildApprovedAddress(db, { userId: sender.userId, address: ADDRESS });
    await use(sender);
  },
  key: async ({ deps, sender }, use) => {
    await use((await createApiKey(deps, sender.userId, { name: "Shop" })).key);
  },
  ask: async ({ app }, use) => {
    await use(async (method, url, { key, headers = {}, payload, from = ADDRESS } = {}) => {
      const answer = await app.inject({
        method,
        url,
        remoteAddress: from,
        headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
        ...(payload !== undefined && { payload: payload as object }),
      });
      const body = answer.body === "" ? {} : answer.json<Record<string, unknown>>();
      return {
        status: answer.statusCode,
        code: body["code"] as string | undefined,
        data: body["data"] as Answer["data"],
        body: body as never,
      };
    });
  },
});

const calls = [
  ["POST", "/api/v1/messages", "messages:send"],
  ["GET", "/api/v1/messages", "messages:read"],
  ["GET", "/api/v1/messages/01900000-0000-7000-8000-000000000001", "messages:read"],
  ["GET", "/api/v1/messages/01900000-0000-7000-8000-000000000001/recipients", "messages:read"],
  ["POST", "/api/v1/messages/01900000-0000-7000-8000-000000000001/cancel", "messages:send"],
  ["GET", "/api/v1/inbox", "inbox"],
  ["GET", "/api/v1/opt-outs", "contacts"],
  ["GET", "/api/v1/balance", "billing:read"],
] as const;

describe("keys: refusals", () => {
  test.for(calls)("%s %s needs a living key", async ([method, url], { db, sender, key, ask, signInAs }) => {
    const payload = method === "POST" ? buildSendBody() : undefined;
    const session = await signInAs(sender);
    expect(await ask(method, url, { payload })).toMatchObject({ status: 401, code: "AUTH_REQUIRED" });
    expect(await ask(method, url, { payload, key: `${key}x` })).toMatchObject({ status: 401 });
    expect(await ask(method, url, { payload, headers: session })).toMatchObject({ status: 401 });
    expect(
      await ask(method, url, {
        payload,
        headers: { cookie: session.authorization.replace("Bearer ", "ewebal_session=") },
      }),
    ).toMatchObject({ status: 401 });
    await db.query("delete from api_key");
    expect(await ask(method, url, { payload, key })).toMatchObject({ status: 401 });
  });

  test.for(calls)(
    "%s %s looks at the key's addresses, then at its scope %s, then at the body",
    async ([method, url, scope], { deps, sender, ask }) => {
      const wrongBody = method === "POST" ? { bogus: 1 } : undefined;
      const others = programKeyScopes.filter((each) => each !== scope);
      const wish = { name: "Narrow", scopes: others, addresses: ["2001:db8::/32", "198.51.100.0/24"] };
      const { key: narrow } = await createApiKey(deps, sender.userId, wish);
      expect(await ask(method, url, { payload: wrongBody, key: narrow })).toMatchObject({
        status: 403,
        code: "ADDRESS_NOT_APPROVED",
      });
      const refused = await ask(method, url, { payload: wrongBody, key: narrow, from: "::ffff:198.51.100.77" });
      expect(refused).toMatchObject({ status: 403, code: "SCOPE_MISSING" });
      expect(refused.body.message).toContain(scope);
      const { key: wide } = await createApiKey(deps, sender.userId, { ...wish, scopes: [scope] });
      const passed = await ask(method, url, { payload: wrongBody, key: wide, from: "2001:db8:0:0:5::1" });
      expect(passed.status).not.toBe(403);
      if (wrongBody !== undefined) expect(passed).toMatchObject({ status: 400, code: "VALIDATION" });
    },
  );

  test("a key without addresses works from anywhere; the GET form keeps to approved ones and to what its key may", async ({
    deps,
    sender,
    key,
    ask,
  }) => {
    expect((await ask("GET", "/api/v1/balance", { key, from: "203.0.113.6" })).status).toBe(200);
    const formOf = (secret: string): string => `/api/send-bulk-sms/${sender.email}/${secret}/Hi/Acme/2348030000001/234`;
    expect(await ask("GET", formOf(key), { from: "203.0.113.6" })).toMatchObject({ code: "ADDRESS_NOT_APPROVED" });
    const elsewhere = await createApiKey(deps, sender.userId, { name: "Elsewhere", addresses: ["198.51.100.1"] });
    expect(await ask("GET", formOf(elsewhere.key))).toMatchObject({ status: 403, code: "ADDRESS_NOT_APPROVED" });
    const reader = await createApiKey(deps, sender.userId, { name: "Reader", scopes: ["messages:read"] });
    expect(await ask("GET", formOf(reader.key))).toMatchObject({ status: 403, code: "SCOPE_MISSING" });
  });

  test("a key opens nothing of the dashboard", async ({ sender, key, ask }) => {
    expect(await ask("GET", `/api/${sender.id}/api-keys`, { key })).toMatchObject({ status: 401 });
    expect(await ask("POST", `/api/${sender.id}/send-bulk-sms`, { key, payload: buildSendBody() })).toMatchObject({
      status: 401,
    });
  });

  test("a wrong form is told before a wrong name; nothing is charged", async ({ db, key, ask }) => {
    expect(await ask("POST", "/api/v1/messages", { key, payload: { senderName: "" } })).toMatchObject({ status: 400 });
    expect(
      await ask("POST", "/api/v1/messages", { key, payload: buildSendBody({ senderName: "Other" }) }),
    ).toMatchObject({ status: 409, code: "SENDER_NOT_APPROVED" });
    expect((await db.query("select from message")).rowCount).toBe(0);
  });

  test("another customer's message is not found", async ({ db, deps, key, ask }) => {
    const other = await buildUser(db);
    await buildApprovedAddress(db, { userId: other.userId, address: ADDRESS });
    const otherKey = (await createApiKey(deps, other.userId, { name: "Theirs" })).key;
    const { data } = await ask("POST", "/api/v1/messages", { key, payload: buildSendBody() });
    for (const part of ["", "/recipients"]) {
      expect(await ask("GET", `/api/v1/messages/${data._id}${part}`, { key: otherKey })).toMatchObject({
        status: 404,
        code: "NOT_FOUND",
      });
    }
    expect(await ask("POST", `/api/v1/messages/${data._id}/cancel`, { key: otherKey, payload: {} })).toMatchObject({
      status: 404,
    });
  });
});

test("a program sends, a repeat with its key sends nothing, and it reads what became of it", async ({
  db,
  key,
  ask,
}) => {
  const headers = { "idempotency-key": "order-7" };
  const first = await ask("POST", "/api/v1/messages", { key, headers, payload: buildSendBody() });
  expect(first).toMatchObject({ status: 200, body: { unitDetails: { recipients: expect.any(Number) as number } } });
  expect((await ask("POST", "/api/v1/messages", { key, headers, payload: buildSendBody() })).data._id).toBe(
    first.data._id,
  );
  expect((await db.query("select from message")).rowCount).toBe(1);

  expect((await ask("GET", "/api/v1/messages", { headers: { "x-api-key": key } })).data).toHaveLength(1);
  expect((await ask("GET", `/api/v1/messages/${first.data._id}`, { key })).data._id).toBe(first.data._id);
  expect((await ask("GET", `/api/v1/messages/${first.data._id}/recipients`, { key })).data.length).toBeGreaterThan(0);
  const before = (await ask("GET", "/api/v1/balance", { key })).data.units;
  expect((await ask("POST", `/api/v1/messages/${first.data._id}/cancel`, { key, payload: {} })).status).toBe(200);
  expect((await ask("GET", "/api/v1/balance", { key })).data.units).toBeGreaterThan(before);
});

describe("fields that a call does not know", () => {
  test("are refused by their names, and nothing is sent", async ({ db, key, ask }) => {
    const sent = await ask("POST", "/api/v1/messages", {
      key,
      payload: { ...buildSendBody(), bogus: 1, priority: "high" },
    });
    expect(sent).toMatchObject({
      status: 400,
      code: "VALIDATION",
      body: { fields: { bogus: "is not a field of this call", priority: "is not a field of this call" } },
    });
    const cancelled = await ask("POST", "/api/v1/messages/01900000-0000-7000-8000-000000000001/cancel", {
      key,
      payload: { bogus: 1 },
    });
    expect(cancelled).toMatchObject({ status: 400, body: { fields: { bogus: "is not a field of this call" } } });
    expect((await db.query("select from message")).rowCount).toBe(0);
  });

  test("hundreds of them do not make the refusal long", async ({ key, ask }) => {
    const payload = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x${index}${"y".repeat(200)}`, 1]));
    expect(JSON.stringify((await ask("POST", "/api/v1/messages", { key, payload })).body).length).toBeLessThan(3_000);
  });
});

describe("sending later", () => {
  const sendAt = "2027-03-01T09:30:00+01:00";

  test("answers 201, holds the units, and is listed as scheduled; the repeat gets the same answer", async ({
    app,
    sender,
    key,
    ask,
    clock,
    signInAs,
  }) => {
    const time = new Date(clock.now().getTime() + 3_600_000).toISOString();
    const headers = { "idempotency-key": "order-8" };
    const payload = { ...buildSendBody(), sendAt: time, timeZone: "Africa/Accra" };
    const first = await ask("POST", "/api/v1/messages", { key, headers, payload });
    expect(first).toMatchObject({
      status: 201,
      body: { message: "Scheduled", unitDetails: { recipients: expect.any(Number) as number } },
    });
    expect(await ask("POST", "/api/v1/messages", { key, headers, payload })).toMatchObject({
      status: 201,
      data: { _id: first.data._id },
    });
    expect(await ask("POST", "/api/v1/messages", { key, headers, payload: buildSendBody() })).toMatchObject({
      status: 422,
    });
    const list = await app.inject({
      url: `/api/${sender.userId}/populate-scheduled-sms`,
      headers: await signInAs(sender),
    });
    expect(list.json<{ data: object[] }>().data).toMatchObject([{ sendAt: time, timeZone: "Africa/Accra" }]);
    expect((await ask("GET", "/api/v1/balance", { key })).data.units).toBeLessThan(100_000);
  });

  test("a time that has passed, a time without offset, a zone alone or an unknown one is refused", async ({
    db,
    key,
    ask,
    clock,
  }) => {
    const past = new Date(clock.now().getTime() - 1_000).toISOString();
    for (const [field, fault] of [
      ["sendAt", { sendAt: past }],
      ["sendAt", { sendAt: sendAt.slice(0, 19) }],
      ["timeZone", { timeZone: "Africa/Lagos" }],
      ["timeZone", { sendAt, timeZone: "Lagos" }],
    ] as const) {
      const answer = await ask("POST", "/api/v1/messages", { key, payload: { ...buildSendBody(), ...fault } });
      expect(
        [answer.status, Object.keys((answer.body as unknown as { fields: object }).fields)],
        JSON.stringify(fault),
      ).toEqual([400, [field]]);
    }
    expect((await db.query("select from message")).rowCount).toBe(0);
  });
});

describe("the GET form", () => {
  const formUrl = (
    sender: BuiltUser,
    password: string,
    changes: Partial<ReturnType<typeof buildSendBody>> = {},
  ): string => {
    const { message, senderName, phoneNo, code } = { ...buildSendBody(), ...changes } as Record<string, string>;
    return `/api/send-bulk-sms/${[sender.email, password, message, senderName, phoneNo, code].map((part) => encodeURIComponent(part ?? "")).join("/")}`;
  };

  test("wrong secrets, unknown people and other people's keys are one refusal", async ({ db, deps, sender, ask }) => {
    const other = await buildUser(db);
    const otherKey = (await createApiKey(deps, other.userId, { name: "Theirs" })).key;
    for (const url of [
      formUrl(sender, "wrong"),
      formUrl(sender, otherKey),
      formUrl({ ...sender, email: "nobody@gmail.com" }, FACTORY_PASSWORD),
      formUrl({ ...sender, email: "nobody" }, "x"),
    ]) {
      expect(await ask("GET", url)).toMatchObject({ status: 401, code: "AUTH_REQUIRED" });
    }
    expect((await db.query("select from message")).rowCount).toBe(0);
  });

  test("who is blocked or not verified; another address; HEAD", async ({ db, sender, ask }) => {
    expect(await ask("GET", formUrl(sender, FACTORY_PASSWORD), { from: "203.0.113.6" })).toMatchObject({
      status: 403,
      code: "ADDRESS_NOT_APPROVED",
    });
    expect((await ask("HEAD", formUrl(sender, FACTORY_PASSWORD))).status).toBe(404);
    await db.query("update app_user set verified_at = null");
    expect(await ask("GET", formUrl(sender, FACTORY_PASSWORD))).toMatchObject({ status: 401, code: "NOT_VERIFIED" });
    await db.query("update app_user set blocked_at = now()");
    expect(await ask("GET", formUrl(sender, FACTORY_PASSWORD))).toMatchObject({ status: 403, code: "BLOCKED" });
    expect((await db.query("select from message")).rowCount).toBe(0);
  });

  test("a key or the password sends; the same address within 60 s answers the first result, later it sends again", async ({
    db,
    sender,
    key,
    ask,
  }) => {
    const first = await ask("GET", formUrl(sender, key, { message: "Sale: 50% off / today?" }));
    expect(first.status).toBe(200);
    const again = await ask("GET", formUrl(sender, FACTORY_PASSWORD, { message: "Sale: 50% off / today?" }));
    expect(again.data._id).toBe(first.data._id);
    expect((await db.query<{ body: string }>("select body from message")).rows).toEqual([
      { body: "Sale: 50% off / today?" },
    ]);
    await db.query("update idempotent_answer set created_at = now() - interval '61 seconds'");
    expect((await ask("GET", formUrl(sender, key, { message: "Sale: 50% off / today?" }))).data._id).not.toBe(
      first.data._id,
    );
    expect((await ask("GET", formUrl(sender, key, { message: "Another" }))).status).toBe(200);
    expect((await db.query("select from message")).rowCount).toBe(3);
  });

  test("a time behind the address is refused, and nothing is sent", async ({ db, sender, key, ask }) => {
    expect(await ask("GET", `${formUrl(sender, key)}?send_at=2027-01-01T08:00:00Z`)).toMatchObject({
      status: 400,
      code: "VALIDATION",
    });
    expect((await db.query("select from message")).rowCount).toBe(0);
  });

  test("its answer is kept by nobody", async ({ app, sender }) => {
    const answer = await app.inject({ method: "GET", url: formUrl(sender, "wrong"), remoteAddress: ADDRESS });
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
});

const limited = test.extend({ environment: { RATE_LIMITS: "on" } });

limited("the eleventh wrong password from one address is told to wait", async ({ sender, ask }) => {
  const url = `/api/send-bulk-sms/${sender.email}/wrong/Hi/Acme/2348030000001/234`;
  for (let tries = 0; tries < 10; tries += 1) expect((await ask("GET", url)).status).toBe(401);
  expect(await ask("GET", url)).toMatchObject({ status: 429, code: "RATE_LIMITED" });
});

describe("calls a second", () => {
  const headersOf = async (app: App, key: string) => {
    const { statusCode, headers } = await app.inject({
      url: "/api/v1/balance",
      remoteAddress: ADDRESS,
      headers: { "x-api-key": key },
    });
    return [statusCode, headers["ratelimit-policy"], headers["ratelimit"], headers["retry-after"]];
  };

  limited(
    "100 for each key, said on every answer; the next is told when to come back",
    async ({ app, deps, sender, key }) => {
      expect(await headersOf(app, key)).toEqual([200, '"key";q=100;w=1', '"key";r=99;t=1', undefined]);
      for (let call = 2; call <= 100; call += 1) await headersOf(app, key);
      expect(await headersOf(app, key)).toEqual([429, '"key";q=100;w=1', '"key";r=0;t=1', "1"]);
      const other = await createApiKey(deps, sender.userId, { name: "Second shop" });
      expect((await headersOf(app, other.key))[0]).toBe(200);
    },
  );

  limited("who has no living key is counted by the address", async ({ app, key }) => {
    expect(await headersOf(app, `${key}x`)).toEqual([401, '"key";q=100;w=1', '"key";r=99;t=1', undefined]);
    for (let call = 2; call <= 100; call += 1) await headersOf(app, `ewb_test_${call}`);
    expect((await headersOf(app, "")).slice(0, 1)).toEqual([429]);
    expect((await headersOf(app, key))[0]).toBe(200);
  });

  limited("a refusal counts and says it, too: a large body no more than a small one", async ({ app, key }) => {
    const answer = await app.inject({
      method: "POST",
      url: "/api/v1/messages",
      remoteAddress: ADDRESS,
      headers: { "x-api-key": key },
      payload: { bogus: "x".repeat(100_000) },
    });
    expect([answer.statusCode, answer.headers["ratelimit"]]).toEqual([400, '"key";r=99;t=1']);
  });

  limited(
    "administrators give a customer another number, and everybody's back",
    async ({ app, db, sender, key, signInAs }) => {
      const admin = await buildAdmin(db);
      const set = async (headers: Record<string, string>, payload: object): Promise<number> =>
        (await app.inject({ method: "PATCH", url: `/api/${admin.adminId}/set-call-limit`, headers, payload }))
          .statusCode;
      const headers = await signInAs(admin);
      expect(await set({}, { userId: sender.userId, perSecond: 2 })).toBe(401);
      expect(await set(await signInAs(sender), { userId: sender.userId, perSecond: 2 })).toBe(403);
      expect(await set(headers, { userId: "01900000-0000-7000-8000-000000000001", perSecond: 2 })).toBe(404);
      for (const perSecond of [0, -1, 1.5, "2", 10_001])
        expect(await set(headers, { userId: sender.userId, perSecond })).toBe(400);
      expect(await set(headers, { userId: sender.userId, perSecond: 2, bogus: 1 })).toBe(400);
      expect(await set(headers, { userId: sender.userId, perSecond: 2 })).toBe(200);
      expect(await headersOf(app, key)).toEqual([200, '"key";q=2;w=1', '"key";r=1;t=1', undefined]);
      expect(await set(headers, { userId: sender.userId, perSecond: null })).toBe(200);
      expect((await headersOf(app, key))[1]).toBe('"key";q=100;w=1');
      const { rows } = await db.query(
        "select before, after from audit_entry where action = 'set-call-limit' order by created_at, audit_id",
      );
      expect(rows).toEqual([
        { before: { perSecond: null }, after: { perSecond: 2 } },
        { before: { perSecond: 2 }, after: { perSecond: null } },
      ]);
    },
  );

  test("nothing is said while limits are off", async ({ app, key }) => {
    expect(await headersOf(app, key)).toEqual([200, undefined, undefined, undefined]);
  });
});
