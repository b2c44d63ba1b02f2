/** Twilio's own client against a server that listens: what it sends, follows and hears, and what it is refused with. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import TwilioSdk, { type RestException } from "twilio";
import { describe } from "vitest";
import { readBalance } from "../../../ledger/index.ts";
import type { Queryable } from "../../../db/pool.ts";
import { expect, overlap, test as base } from "../../../testing/app.ts";
import type { BuiltUser } from "../../../testing/factories.ts";
import { buildSender, FACTORY_SENDER_NAME } from "../../../testing/messages-factories.ts";
import { createApiKey } from "../../accounts/index.ts";
import { WorkerSession } from "../../delivery/engine/worker-session.ts";
import { FakeCarrier } from "../../delivery/testing/fake-carrier.ts";
import { until } from "../../delivery/testing/worker-test.ts";
import { type DueCallback, leaseCallback, selectDueCallbacks } from "./callback-store.ts";
import { startTwilioCallbacks } from "./start-callbacks.ts";
import { SendMark } from "../../delivery/send-mark/send-mark.ts";

const TO = "+2348030000001";
const FROM = FACTORY_SENDER_NAME;

const { Twilio, RequestClient } = TwilioSdk;

type Account = { sid: string; token: string; client: TwilioSdk.Twilio };
type Raw = (path: string, options?: RequestInit & { auth?: string }) => Promise<{ status: number; body: Refusal }>;
type Refusal = { code: number; message: string; more_info: string; status: number };

/** A customer with a key of kind twilio, and Twilio's client of it; `origin` is where the server listens. */
const test = base.extend<{ sender: BuiltUser; origin: string; account: Account; raw: Raw; carrier: FakeCarrier }>({
  sender: async ({ db }, use) => await use(await buildSender(db)),
  origin: async ({ app }, use) => {
    await app.listen({ port: 0, host: "127.0.0.1" });
    await use(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  },
  account: async ({ deps, sender, origin }, use) => {
    const { key, publicName } = await createApiKey(deps, sender.userId, { name: "Twilio", kind: "twilio" });
    await use(accountOf(origin, { sid: publicName ?? "", token: key }));
  },
  raw: async ({ origin, account }, use) => {
    await use(async (path, { auth = `${account.sid}:${account.token}`, ...options } = {}) => {
      const answer = await fetch(`${origin}/2010-04-01${path}`, {
        ...options,
        headers: {
          authorization: `Basic ${Buffer.from(auth).toString("base64")}`,
          ...(options.headers as Record<string, string>),
        },
      });
      const text = await answer.text();
      return { status: answer.status, body: (text === "" ? {} : JSON.parse(text)) as Refusal };
    });
  },
  carrier: async ({ db, deps, account }, use) => {
    void account;
    const carrier = new FakeCarrier();
    await db.query("delete from carrier");
    const worker = new WorkerSession(db, deps.log, {
      mark: new SendMark(db, deps.log),
      readCarriers: async () => await Promise.resolve([carrier.definition]),
      isRefundingFailed: false,
      onChange: () => undefined,
    });
    await worker.start();
    await use(carrier);
    await worker.stop();
  },
});

/** Twilio's client with another host, which is all that a program changes. */
function accountOf(origin: string, { sid, token }: { sid: string; token: string }): Account {
  class OurHost extends RequestClient {
    override request = (async (options) => {
      const uri = options.uri.replace("https://api.twilio.com", origin);
      return await RequestClient.prototype.request.call(this, Object.assign(options, { uri }));
    }) as TwilioSdk.RequestClient["request"];
  }
  return { sid, token, client: new Twilio(sid, token, { httpClient: new OurHost() }) };
}

async function refusalOf(call: Promise<unknown>): Promise<{ status: number; code: number | undefined }> {
  return await call.then(
    () => ({ status: 200, code: undefined }),
    (error: RestException) => ({ status: error.status, code: error.code }),
  );
}

describe("refusals, each in Twilio's form", () => {
  test("by number, and nothing is sent or charged", async ({ db, sender, account }) => {
    const { client } = account;
    const wish = { to: TO, from: FROM, body: "Hello" };
    await db.query(
      "insert into opt_out (user_id, phone_no, source, created_at) values ($1, 2348030000009, 'api', now())",
      [sender.userId],
    );
    const inAnHour = new Date(Date.now() + 3_600_000);
    for (const [change, code, status = 400] of [
      [{ to: "08030000001" }, 21211],
      [{ to: "+12" }, 21211],
      [{ to: "+2348000000001" }, 21211],
      [{ to: "" }, 21604],
      [{ from: "Other" }, 21606],
      [{ from: "A very long sender name" }, 21606],
      [{ from: "" }, 21603],
      [{ body: "" }, 21602],
      [{ body: "x".repeat(1_601) }, 21617],
      [{ to: "+2348030000009" }, 21610],
      [{ sendAt: inAnHour }, 20001],
      [{ sendAt: new Date(Date.now() - 60_000), scheduleType: "fixed" as const }, 35114],
      [{ scheduleType: "fixed" as const }, 35111],
      [{ validityPeriod: 0 }, 20001],
      [{ validityPeriod: 36_001 }, 20001],
      [{ mediaUrl: ["https://example.com/a.png"] }, 20001],
      [{ statusCallback: "ftp://example.com/" }, 21609],
      [{ statusCallback: "http://127.1:1/" }, 21609],
    ] as const) {
      const refused = await refusalOf(client.messages.create({ ...wish, ...change } as never));
      expect(refused, JSON.stringify(change).slice(0, 80)).toEqual({ status, code });
    }
    expect((await db.query("select from message")).rowCount).toBe(0);
    expect((await readBalance(db, sender.userId)).freeMilli).toBe(100_000);
    const broke = await refusalOf(client.messages.create({ ...wish, body: "x".repeat(1_600), to: "+2348030000002" }));
    expect(broke).toEqual({ status: 200, code: undefined });
    for (let index = 3; index < 6; index += 1)
      await refusalOf(client.messages.create({ ...wish, body: "x".repeat(1_600), to: `+234803000000${index}` }));
    expect(await refusalOf(client.messages.create({ ...wish, body: "x".repeat(1_600) }))).toEqual({
      status: 400,
      code: 30002,
    });
  });

  test("accounts, addresses, scopes, paths, bodies and limits", async ({ deps, db, sender, origin, account, raw }) => {
    const path = `/Accounts/${account.sid}/Messages.json`;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const other = await createApiKey(deps, sender.userId, { name: "Other", kind: "twilio", scopes: ["messages:read"] });
    const elsewhere = await createApiKey(deps, sender.userId, {
      name: "Elsewhere",
      kind: "twilio",
      addresses: ["203.0.113.1"],
    });
    const named = (key: typeof other): string => `${key.publicName}:${key.key}`;
    for (const [asked, status, code] of [
      [raw(path, { auth: `${account.sid}:${other.key}` }), 401, 20003],
      [raw(path, { auth: "AC:" }), 401, 20003],
      [
        fetch(`${origin}/2010-04-01/nowhere`).then(async (a) => ({ status: a.status, body: await a.json() })),
        401,
        20003,
      ],
      [raw(`/Accounts/${other.publicName}/Messages.json`), 404, 20404],
      [raw(`/Accounts/${account.sid}/Calls.json`), 404, 20404],
      [raw(path, { method: "PUT" }), 404, 20404],
      [raw(`/Accounts/${account.sid}/Messages/SM${"0".repeat(32)}.json`), 404, 20404],
      [raw(`/Accounts/${account.sid}/Messages/SMx.json`), 404, 20404],
      [raw(`/Accounts/${other.publicName}/Messages.json`, { method: "POST", auth: named(other) }), 403, 20403],
      [raw(`/Accounts/${elsewhere.publicName}/Messages.json`, { auth: named(elsewhere) }), 403, 20403],
      [raw(path, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }), 415, 20415],
      [raw(path, { method: "POST", headers: form, body: `Body=${"x".repeat(70_000)}` }), 413, 20413],
      [raw(path, { method: "POST", headers: form, body: "To=%2B2348030000001&To=1" }), 400, 20001],
      [raw(path, { method: "POST", headers: form }), 400, 21604],
      [raw(`${path}?PageSize=x`), 400, 20006],
      [raw(`${path}?PageToken=x`), 400, 20006],
      [raw(`${path}?DateSent=yesterday`), 400, 20001],
    ] as const) {
      const answer = (await asked) as { status: number; body: Refusal };
      expect([answer.status, answer.body.code, answer.body.status], answer.body.message).toEqual([
        status,
        code,
        status,
      ]);
      expect(answer.body.more_info).toBe(`https://www.twilio.com/docs/errors/${code}`);
      expect(Object.keys(answer.body)).toEqual(["code", "message", "more_info", "status"]);
    }
    await db.query("update app_user set blocked_at = now()");
    expect(await raw(path)).toMatchObject({ status: 403, body: { code: 20005 } });
  });

  test.extend({ environment: { RATE_LIMITS: "on" } })("too many calls", async ({ db, account, raw }) => {
    await db.query("update app_user set calls_per_second = 2");
    const path = `/Accounts/${account.sid}/Messages.json`;
    for (let index = 0; index < 2; index += 1) expect((await raw(path)).status).toBe(200);
    expect(await raw(path)).toMatchObject({ status: 429, body: { code: 20429 } });
  });
});

test("a message is created once for its key, handed over, fetched and deleted", async ({
  db,
  sender,
  account,
  carrier,
}) => {
  const { client, sid } = account;
  const made = await client.messages.create({ to: TO, from: FROM, body: "Hello & welcome + 100%" });
  expect(made).toMatchObject({
    sid: expect.stringMatching(/^SM[0-9a-f]{32}$/) as string,
    accountSid: sid,
    to: TO,
    from: FROM,
    body: "Hello & welcome + 100%",
    numSegments: "1",
    direction: "outbound-api",
    errorCode: null,
    errorMessage: null,
    apiVersion: "2010-04-01",
    uri: `/2010-04-01/Accounts/${sid}/Messages/${made.sid}.json`,
  });
  expect(made.status).toBe("queued");
  expect(Math.abs(made.dateCreated.getTime() - Date.now())).toBeLessThan(60_000);
  await until("it was handed over", () => carrier.taken.length === 1);
  expect(carrier.taken[0]).toMatchObject({ phoneNo: TO.slice(1), senderName: FROM, text: "Hello & welcome + 100%" });
  await until("it is sent", async () => (await client.messages(made.sid).fetch()).status === "sent");
  expect(await refusalOf(client.messages(made.sid).update({ status: "canceled" }))).toEqual({
    status: 409,
    code: 20009,
  });
  expect(await refusalOf(client.messages(made.sid).remove())).toEqual({ status: 409, code: 20009 });
  carrier.report({ key: carrier.taken[0]?.key ?? "" });
  await until("it is delivered", async () => (await client.messages(made.sid).fetch()).status === "delivered");
  expect(await client.messages(made.sid).remove()).toBe(true);
  expect(await refusalOf(client.messages(made.sid).fetch())).toEqual({ status: 404, code: 20404 });
  expect((await readBalance(db, sender.userId)).freeMilli).toBe(97_000);
});

test("a repeat with its token sends nothing; another request with it is refused", async ({ db, account, raw }) => {
  const path = `/Accounts/${account.sid}/Messages.json`;
  const post = async (name: string, fields: Record<string, string>) =>
    (await raw(path, { method: "POST", headers: { [name]: "t-1" }, body: new URLSearchParams(fields) })) as unknown as {
      status: number;
      body: { sid: string; code: number };
    };
  const wish = { To: TO, From: FROM, Body: "Once" };
  const [first, ...others] = await Promise.all(
    ["I-Twilio-Idempotency-Token", "Idempotency-Key", "Idempotency-Key"].map((name) => post(name, wish)),
  );
  expect(others.map(({ status, body }) => [status, body.sid])).toEqual([
    [201, first?.body.sid],
    [201, first?.body.sid],
  ]);
  expect((await db.query("select from message")).rowCount).toBe(1);
  expect(await post("Idempotency-Key", { ...wish, Body: "Twice" })).toMatchObject({ status: 422 });
});

test("with a test key numbers force outcomes, in Twilio's words", async ({ db, deps, sender, account, raw }) => {
  const made = await createApiKey(deps, sender.userId, { name: "Test", kind: "twilio", mode: "test" });
  const auth = `${made.publicName}:${made.key}`;
  for (const [last, status, code] of [
    ...["01", "02", "03", "05", "06", "07"].map((good) => [good, 201, undefined] as const),
    ["04", 400, 21612],
    ["08", 400, 21610],
    ["09", 429, 63038],
    ["10", 429, 20429],
    ["11", 400, 30007],
  ] as const) {
    const fields = { To: `+23480000000${last}`, From: "Nobody", Body: "Hello" };
    const body = new URLSearchParams(fields);
    const answer = await raw(`/Accounts/${made.publicName}/Messages.json`, { method: "POST", auth, body });
    expect([last, answer.status, answer.body.code]).toEqual([last, status, code]);
  }
  // What its client made, its client lists; a live one sees nothing of it.
  const list = await raw(`/Accounts/${made.publicName}/Messages.json`, { auth });
  expect((list.body as unknown as { messages: object[] }).messages).toHaveLength(6);
  expect((await raw(`/Accounts/${account.sid}/Messages.json`)).body).toMatchObject({ messages: [] });
  expect((await db.query("select from message where is_test")).rowCount).toBe(6);
  expect((await db.query("select from message")).rowCount).toBe(6);
  expect((await readBalance(db, sender.userId)).freeMilli).toBe(100_000);
});

test("a message for later is listed, cancelled, and its units come back; one that is too late expires", async ({
  db,
  sender,
  account: { client },
}) => {
  const sendAt = new Date(Date.now() + 3_600_000);
  const made = await client.messages.create({
    to: TO,
    from: FROM,
    body: "Later",
    validityPeriod: 60,
    sendAt,
    scheduleType: "fixed",
  });
  expect(made.status).toBe("scheduled");
  expect((await readBalance(db, sender.userId)).freeMilli).toBe(97_000);
  const { rows } = await db.query<{ validUntil: Date; sendAt: Date }>(
    `select valid_until as "validUntil", send_at as "sendAt" from message`,
  );
  expect(Number(rows[0]?.validUntil) - Number(rows[0]?.sendAt)).toBe(60_000);
  expect((await client.messages(made.sid).update({ status: "canceled" })).status).toBe("canceled");
  expect((await readBalance(db, sender.userId)).freeMilli).toBe(100_000);
  expect((await client.messages.list({ limit: 5 })).map(({ status }) => status)).toEqual(["canceled"]);
});

test("the client pages by itself through what its mode has sent, and filters", async ({
  deps,
  sender,
  origin,
  account,
}) => {
  const { client } = account;
  const sids: string[] = [];
  for (let index = 1; index <= 5; index += 1)
    sids.unshift((await client.messages.create({ to: `+234803000000${index}`, from: FROM, body: `No ${index}` })).sid);
  expect((await client.messages.list({ pageSize: 2 })).map(({ sid }) => sid)).toEqual(sids);
  expect((await client.messages.list({ pageSize: 2, limit: 3 })).map(({ sid }) => sid)).toEqual(sids.slice(0, 3));
  expect((await client.messages.list({ to: "+2348030000002" })).map(({ body }) => body)).toEqual(["No 2"]);
  expect(await client.messages.list({ from: "Nobody" })).toEqual([]);
  expect(await client.messages.list({ dateSent: new Date() })).toHaveLength(5);
  expect(await client.messages.list({ dateSentBefore: new Date(Date.now() - 172_800_000) })).toEqual([]);
  const second = await client.messages.page({ pageSize: 2, pageNumber: 1 });
  expect(second.instances.map(({ sid }) => sid)).toEqual(sids.slice(2, 4));
  const { key, publicName } = await createApiKey(deps, sender.userId, { name: "T", kind: "twilio", mode: "test" });
  const ofTests = accountOf(origin, { sid: publicName ?? "", token: key });
  expect(await ofTests.client.messages.list()).toEqual([]);
  expect(await refusalOf(ofTests.client.messages(sids[0] ?? "").fetch())).toEqual({ status: 404, code: 20404 });
});

test("of two processes that want a callback at the same moment one tells it; who dies with it leaves it to the others", async ({
  db,
  sender,
}) => {
  const now = new Date();
  await db.query(
    "insert into twilio_callback (user_id, message_id, status, next_try_at) values ($1, $1, 'sent', $2), ($1, $1, 'delivered', $2)",
    [sender.userId, now],
  );
  const readDue = async (at: Date): Promise<DueCallback[]> =>
    await selectDueCallbacks(db, { now: at, busyUsers: [], perUserMax: 10, limit: 10 });
  const due = await readDue(now);
  expect(due.map(({ status }) => status)).toEqual(["sent"]);
  const [first] = due as [DueCallback];
  const until30 = new Date(now.getTime() + 30_000);
  const lease = async (tx: Queryable): Promise<boolean> => await leaseCallback(tx, first, until30);
  expect(await overlap(db, lease, lease)).toMatchObject([{ value: true }, { value: false }]);
  // Neither it nor what follows it is told by anybody until the lease is over.
  expect(await readDue(now)).toEqual([]);
  expect(await readDue(until30)).toMatchObject([{ status: "sent", tries: 1 }]);
});

test.extend({ environment: { WEBHOOK_PRIVATE: "on" } })(
  "the callback hears each state in order, signed with the token, again after a failure; no address inside is called",
  async ({ deps, db, account, carrier, clock }) => {
    const heard: { fields: Record<string, string>; isSigned: boolean }[] = [];
    let url = "";
    let failures = 1;
    const hear = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
      const fields = Object.fromEntries(new URLSearchParams(await readText(request)));
      const signature = String(request.headers["x-twilio-signature"]);
      failures -= 1;
      if (failures < 0)
        heard.push({ fields, isSigned: TwilioSdk.validateRequest(account.token, signature, url, fields) });
      reply.writeHead(failures < 0 ? 204 : 500).end();
    };
    const server = createServer((request, reply) => void hear(request, reply));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/status?shop=1`;
    const callbacks = startTwilioCallbacks(deps);
    const statuses = (sid: string): string[] =>
      heard.flatMap(({ fields }) =>
        fields["MessageSid"] === sid ? [[fields["MessageStatus"], fields["ErrorCode"]].filter(Boolean).join(" ")] : [],
      );
    try {
      const wish = { from: FROM, body: "Hello", statusCallback: url };
      const one = await account.client.messages.create({ ...wish, to: TO });
      await until("the first try has failed", () => failures === 0);
      await until(
        "it waits for its next try",
        async () => (await db.query("select from twilio_callback where tries = 1")).rowCount === 1,
      );
      clock.advance(31_000);
      await until("sent is told", () => heard.length === 1);
      carrier.report({ key: carrier.taken[0]?.key ?? "" });
      await until("delivered is told", () => heard.length === 2);
      const two = await account.client.messages.create({ ...wish, to: "+2348030000002" });
      await until("it was handed over", () => carrier.taken.length === 2);
      carrier.report({ key: carrier.taken[1]?.key ?? "", state: "failed", errorCode: "report:expired" });
      await until("undelivered is told", () => heard.length === 4);
      carrier.facts.behaviour = () => ({ kind: "refused", reason: "status:11" });
      const three = await account.client.messages.create({ ...wish, to: "+2348030000003" });
      await until("failed is told", () => heard.length === 5);
      expect(statuses(one.sid)).toEqual(["sent", "delivered"]);
      expect(statuses(two.sid)).toEqual(["sent", "undelivered 30003"]);
      expect(statuses(three.sid)).toEqual(["failed 30005"]);
      expect(heard[0]?.fields).toEqual({
        MessageSid: one.sid,
        SmsSid: one.sid,
        AccountSid: account.sid,
        MessageStatus: "sent",
        SmsStatus: "sent",
        To: TO,
        From: FROM,
        ApiVersion: "2010-04-01",
      });
      expect(heard.every(({ isSigned }) => isSigned)).toBe(true);
      await until("nothing is left", async () => (await db.query("select from twilio_callback")).rowCount === 0);
      expect((await db.query("select from report_feed")).rowCount).toBe(0);
    } finally {
      await callbacks.stop();
      server.close();
    }
  },
);
