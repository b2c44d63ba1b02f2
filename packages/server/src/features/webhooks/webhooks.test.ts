// Endpoints from outside: the calls, and a receiver on this machine that hears what is posted to it, on a real database.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { webhookEventTypes, type WebhookEventType } from "@ewebal/contract";
import { Webhook } from "standardwebhooks";
import { describe, vi } from "vitest";
import type { Queryable } from "../../db/pool.ts";
import { withTransaction } from "../../db/transaction.ts";
import { expect, overlap, test as base } from "../../testing/app.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../testing/factories.ts";
import { buildFundedUser, buildMessage } from "../../testing/delivery-factories.ts";
import { recordEvents, type EventData } from "../../outbox/index.ts";
import { buildSender } from "../../testing/messages-factories.ts";
import { createApiKey } from "../accounts/index.ts";
import { WorkerSession } from "../delivery/engine/worker-session.ts";
import { writeFeed } from "../delivery/index.ts";
import { SendMark } from "../delivery/send-mark/send-mark.ts";
import { buildInbound } from "../delivery/testing/build-inbound.ts";
import { FakeCarrier } from "../delivery/testing/fake-carrier.ts";
import { tellLowBalances } from "../messages/results/low-balance.ts";
import { startWebhookWorker, type WebhookWorker } from "./index.ts";
import { collectReports, tellFinished } from "./deliver/collect-reports.ts";
import { leaseEndpoint } from "./deliver/deliver-store.ts";

type Heard = {
  id: string;
  headers: Record<string, string>;
  body: string;
  event: { type: WebhookEventType; data: never };
};
type Receiver = {
  url: string;
  heard: Heard[];
  /** How many are answered at the same time at most. */
  most: () => number;
  /** What is answered; never answers while undefined. */
  answer: { status: number | undefined; afterMs: number; text: string };
};
type Answer = { status: number; code?: string; fields?: Record<string, string>; data: never; next?: string };
type Call = (
  method: "GET" | "POST" | "PATCH" | "DELETE",
  url: string,
  payload?: object,
  as?: Record<string, string>,
) => Promise<Answer>;

const test = base.extend<{
  environment: Record<string, string>;
  user: BuiltUser;
  call: Call;
  openReceiver: () => Promise<Receiver>;
  startWorker: (facts?: { answerTimeoutMs?: number }) => Promise<WebhookWorker>;
  /** The engine with this carrier alone, and the carrier of tests. */
  startSession: (carrier: FakeCarrier) => Promise<void>;
}>({
  environment: { WEBHOOK_PRIVATE: "on" },
  user: async ({ db }, use) => await use(await buildUser(db)),
  call: async ({ app, user, signInAs }, use) => {
    const own = await signInAs(user);
    await use(async (method, url, payload, as = own) => {
      const answer = await app.inject({ method, url, headers: as, ...(payload && { payload }) });
      return { status: answer.statusCode, ...answer.json<Omit<Answer, "status">>() };
    });
  },
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  openReceiver: async ({}, use) => {
    const servers: ReturnType<typeof createServer>[] = [];
    await use(async () => {
      const answer: Receiver["answer"] = { status: 200, afterMs: 0, text: "ok" };
      const heard: Heard[] = [];
      let underWay = 0;
      let most = 0;
      const server = createServer((request, response) => {
        underWay += 1;
        most = Math.max(most, underWay);
        response.on("close", () => (underWay -= 1));
        const take = (body: string): void => {
          const headers = request.headers as Record<string, string>;
          heard.push({ id: headers["webhook-id"] ?? "", headers, body, event: JSON.parse(body) as never });
          const { status, afterMs, text } = answer;
          if (status === undefined) return;
          setTimeout(() => response.writeHead(status, { location: "http://127.0.0.1:1/" }).end(text), afterMs);
        };
        void readAll(request).then(take);
      });
      servers.push(server);
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      const { port } = server.address() as AddressInfo;
      return { url: `http://127.0.0.1:${port}/hook`, heard, answer, most: () => most };
    });
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  },
  startWorker: async ({ deps, databaseUrl }, use) => {
    const workers: WebhookWorker[] = [];
    await use(async (facts = {}) => {
      const worker = await startWebhookWorker(deps, { databaseUrl, ...facts });
      workers.push(worker);
      return worker;
    });
    await Promise.all(workers.map((worker) => worker.stop()));
  },
  startSession: async ({ db, deps }, use) => {
    const sessions: WorkerSession[] = [];
    await use(async (carrier) => {
      await db.query("delete from carrier");
      const settings = { mark: new SendMark(db, deps.log), isRefundingFailed: false, onChange: () => undefined };
      const session = new WorkerSession(db, deps.log, { ...settings, readCarriers: async () => [carrier.definition] });
      sessions.push(session);
      await session.start();
    });
    for (const session of sessions) await session.stop();
  },
});

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}

const until = async (what: string, condition: () => unknown): Promise<void> =>
  await vi.waitFor(async () => expect(await condition(), what).toBeTruthy(), { timeout: 20_000, interval: 20 });

/** Something that happens to a customer, so many times. */
async function happen(deps: Parameters<typeof collectReports>[0], userId: string, count = 1, first = 0): Promise<void> {
  const data = Array.from({ length: count }, (_, index) => ({
    phoneNo: String(first + index),
    source: "sms" as const,
  }));
  await withTransaction(deps.db, (tx) => recordEvents(tx, { userId, type: "contact.opted_out", data }));
}

const SECRET = `whsec_${Buffer.from("a secret that is long enough").toString("base64")}`;
const NOBODY = "01900000-0000-7000-8000-000000000001";

describe("an endpoint", () => {
  test("is refused to strangers, and with anything wrong", async ({ db, deps, user, call, signInAs }) => {
    const url = `/api/${user.userId}/webhooks`;
    const body = { url: "https://example.com/hook", events: ["message.accepted"] };
    expect(await call("POST", url, body, {})).toMatchObject({ status: 401 });
    expect(await call("POST", url, body, await signInAs(await buildUser(db)))).toMatchObject({ status: 403 });
    for (const [field, wrong] of [
      ["url", { url: "ftp://example.com" }],
      ["url", { url: "https://me:secret@example.com/" }],
      ["url", { url: "example.com" }],
      ["events.0", { events: ["message.lost"] }],
      ["events", { events: [] }],
      ["events", { events: ["message.accepted", "message.accepted"] }],
      ["secret", { secret: "whsec_c2hvcnQ=" }],
      ["secret", { secret: Buffer.from("a secret that is long enough").toString("base64") }],
      ["bogus", { bogus: true }],
    ] as const)
      expect(await call("POST", url, { ...body, ...wrong }), field).toMatchObject({
        status: 400,
        code: "VALIDATION",
        fields: { [field]: expect.any(String) as string },
      });
    const other = await buildUser(db);
    const theirs = await call("POST", `/api/${other.userId}/webhooks`, body, await signInAs(other));
    const { _id } = theirs.data as { _id: string };
    for (const [method, path, payload] of [
      ["PATCH", "edit-webhook", { state: "off" }],
      ["DELETE", "delete-webhook"],
      ["POST", "rotate-webhook-secret"],
      ["GET", "attempts"],
      ["POST", "replay", { failed: true }],
    ] as const)
      expect(await call(method, `/api/${user.userId}/${_id}/${path}`, payload), path).toMatchObject({ status: 404 });
    const { key } = await createApiKey(deps, user.userId, { name: "Shop", scopes: ["inbox"] });
    expect(await call("GET", "/api/v1/webhooks", undefined, { authorization: `Bearer ${key}` })).toMatchObject({
      status: 403,
      code: "SCOPE_MISSING",
    });
  });

  test("is made, changed and deleted, from the page and with a key; its secret is shown once", async ({
    db,
    deps,
    user,
    call,
  }) => {
    const made = await call("POST", `/api/${user.userId}/webhooks`, {
      url: "https://example.com/",
      events: webhookEventTypes,
      secret: SECRET,
    });
    expect(made).toMatchObject({ status: 201, data: { secret: SECRET, state: "on", events: webhookEventTypes } });
    const { _id } = made.data as { _id: string };
    const { key } = await createApiKey(deps, user.userId, { name: "Shop" });
    const program = { authorization: `Bearer ${key}` };
    const second = await call(
      "POST",
      "/api/v1/webhooks",
      { url: "http://example.com/b", events: ["balance.low"] },
      program,
    );
    expect(second.status).toBe(201);
    const { _id: secondId, secret } = second.data as { _id: string; secret: string };
    expect(Buffer.from(secret.replace("whsec_", ""), "base64")).toHaveLength(32);
    const list = await call("GET", "/api/v1/webhooks", undefined, program);
    expect(list).toMatchObject({ status: 200, next: null, data: [{ _id: secondId }, { _id }] });
    expect(JSON.stringify(list.data)).not.toContain("secret");
    const stored = await db.query<{ secret: Buffer }>("select secret from webhook_endpoint");
    expect(stored.rows.some((row) => row.secret.includes(SECRET))).toBe(false);
    const readFollowed = async (): Promise<unknown> =>
      (await db.query("select followed_events as bits from app_user where user_id = $1", [user.userId])).rows[0];
    expect(await readFollowed()).toEqual({ bits: 255 });
    expect(
      await call("PATCH", `/api/${user.userId}/${_id}/edit-webhook`, { events: ["inbox.received"], state: "off" }),
    ).toMatchObject({ status: 200, data: { state: "off", events: ["inbox.received"] } });
    expect(await readFollowed()).toEqual({ bits: 8 + 32 });
    expect(await call("POST", `/api/v1/webhooks/${_id}/replay`, { failed: true }, program)).toMatchObject({
      status: 409,
    });
    expect(await call("PATCH", `/api/v1/webhooks/${_id}`, {}, program)).toMatchObject({ status: 400 });
    expect(await call("DELETE", `/api/v1/webhooks/${_id}`, undefined, program)).toMatchObject({ status: 200 });
    expect(await call("DELETE", `/api/${user.userId}/${secondId}/delete-webhook`)).toMatchObject({ status: 200 });
    expect(await readFollowed()).toEqual({ bits: 0 });
    for (let count = 0; count < 10; count += 1)
      expect(
        (await call("POST", `/api/${user.userId}/webhooks`, { url: "https://example.com/", events: ["balance.low"] }))
          .status,
      ).toBe(201);
    expect(
      await call("POST", `/api/${user.userId}/webhooks`, { url: "https://example.com/", events: ["balance.low"] }),
    ).toMatchObject({ status: 400 });
  });
});

describe("an event", () => {
  test("arrives signed, once, and is verified by standardwebhooks; for a day with the old secret as well", async ({
    deps,
    user,
    call,
    openReceiver,
    startWorker,
  }) => {
    const receiver = await openReceiver();
    const made = await call("POST", `/api/${user.userId}/webhooks`, {
      url: receiver.url,
      events: ["contact.opted_out"],
      secret: SECRET,
    });
    const { _id } = made.data as { _id: string };
    await startWorker();
    await happen(deps, user.userId);
    await until("it arrives", () => receiver.heard.length === 1);
    const verify = (secret: string, { body, headers }: Heard): unknown => new Webhook(secret).verify(body, headers);
    const [first] = receiver.heard as [Heard];
    expect(verify(SECRET, first)).toMatchObject({
      type: "contact.opted_out",
      mode: "live",
      data: { phoneNo: "0", source: "sms" },
    });
    expect(() => verify(`whsec_${Buffer.from("another secret, as long as it").toString("base64")}`, first)).toThrow();

    const rotated = await call("POST", `/api/${user.userId}/${_id}/rotate-webhook-secret`);
    const { secret } = rotated.data as { secret: string };
    await happen(deps, user.userId);
    await until("the second arrives", () => receiver.heard.length === 2);
    const second = receiver.heard[1] as Heard;
    expect(second.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const either of [SECRET, secret]) verify(either, second);
    // A day later the old one is no good any more.
    await deps.db.query("update webhook_endpoint set old_secret_until = now()");
    await happen(deps, user.userId);
    await until("the third arrives", () => receiver.heard.length === 3);
    expect(() => verify(SECRET, receiver.heard[2] as Heard)).toThrow();
    verify(secret, receiver.heard[2] as Heard);
    await until("all are recorded", async () => (await countAttempts(deps)) === 3);
    const attempts = await call("GET", `/api/${user.userId}/${_id}/attempts?limit=2`);
    expect(attempts.data).toMatchObject([
      { status: 200, answer: "ok", state: "delivered" },
      { type: "contact.opted_out" },
    ]);
    expect(attempts.next).not.toBeNull();
  });

  test("that fails comes again 5 s, 30 s, 2 min, ... later, under its id; after 72 h the endpoint is off, with a mail", async ({
    deps,
    clock,
    user,
    call,
    openReceiver,
    startWorker,
    mailsTo,
  }) => {
    const receiver = await openReceiver();
    Object.assign(receiver.answer, { status: 302, text: "x".repeat(5_000) });
    const made = await call("POST", `/api/${user.userId}/webhooks`, {
      url: receiver.url,
      events: ["contact.opted_out"],
    });
    const { _id } = made.data as { _id: string };
    // A session would not outlive the days to come.
    const program = { authorization: `Bearer ${(await createApiKey(deps, user.userId, { name: "Shop" })).key}` };
    await startWorker();
    await happen(deps, user.userId);
    await until("it is tried", () => receiver.heard.length === 1);
    const readWait = async (): Promise<number> => {
      const { rows } = await deps.db.query<{ seconds: number }>(
        "select extract(epoch from next_try_at - (select max(attempted_at) from webhook_attempt))::integer as seconds from webhook_delivery",
      );
      return rows[0]?.seconds ?? 0;
    };
    for (const [index, seconds] of [5, 30, 120, 600, 3_600].entries()) {
      await until("the failure is recorded", async () => (await countAttempts(deps)) === index + 1);
      expect(Math.abs((await readWait()) - seconds)).toBeLessThanOrEqual(1);
      clock.advance((seconds + 2) * 1_000);
      await until(`try ${index + 2}`, () => receiver.heard.length === index + 2);
    }
    expect(new Set(receiver.heard.map(({ id }) => id)).size).toBe(1);
    const { data } = await call("GET", `/api/v1/webhooks/${_id}/attempts?state=failed`, undefined, program);
    expect((data as unknown[]).slice(0, 1)).toMatchObject([
      { status: 302, state: "failed", answer: "x".repeat(1_024) },
    ]);
    clock.advance(73 * 3_600_000);
    await until("it is off", async () => {
      const list = await call("GET", "/api/v1/webhooks", undefined, program);
      return (list.data as { state: string }[])[0]?.state === "off";
    });
    await until("the mail is written", async () =>
      (await mailsTo(user.email)).some(({ subject }) => subject === "A webhook was switched off"),
    );
    const { length } = receiver.heard;
    clock.advance(48 * 3_600_000);
    // Switched on again, what was given up waits for a replay.
    receiver.answer.status = 204;
    await call("PATCH", `/api/v1/webhooks/${_id}`, { state: "on" }, program);
    expect(await call("POST", `/api/v1/webhooks/${_id}/replay`, { failed: true }, program)).toMatchObject({
      status: 202,
      data: { queued: 1 },
    });
    await until("the replay arrives", () => receiver.heard.length === length + 1);
    const eventId = receiver.heard[0]?.id ?? "";
    for (const wish of [{ eventId }, { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" }])
      expect(await call("POST", `/api/v1/webhooks/${_id}/replay`, wish, program)).toMatchObject({
        status: 202,
        data: { queued: 1 },
      });
    expect(await call("POST", `/api/v1/webhooks/${_id}/replay`, { eventId: NOBODY }, program)).toMatchObject({
      status: 404,
    });
    await until("both arrive", () => receiver.heard.length >= length + 2);
    expect(receiver.heard.at(-1)?.id).toBe(eventId);
  });
});

describe("many events", () => {
  test("wait for a receiver that is down for an hour and reach it once each, ten at a time", async ({
    deps,
    clock,
    user,
    call,
    openReceiver,
    startWorker,
  }) => {
    const receiver = await openReceiver();
    receiver.answer.status = 503;
    await call("POST", `/api/${user.userId}/webhooks`, { url: receiver.url, events: ["contact.opted_out"] });
    const worker = await startWorker();
    await happen(deps, user.userId, 120);
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, worker.stats().underWay)), 5);
    await until("all were tried", async () => (await countAttempts(deps)) >= 120);
    for (let minute = 0; minute < 60; minute += 20) clock.advance(20 * 60_000);
    await until("all were tried again", async () => (await countAttempts(deps)) >= 240);
    Object.assign(receiver.answer, { status: 200, afterMs: 30 });
    receiver.heard.length = 0;
    clock.advance(3_600_000);
    await until("all have arrived", async () => await isAllDelivered(deps));
    clearInterval(watch);
    const arrived = receiver.heard.map(({ id }) => id);
    expect(new Set(arrived).size).toBe(120);
    expect(arrived).toHaveLength(120);
    expect(receiver.most()).toBeGreaterThan(1);
    expect(receiver.most()).toBeLessThanOrEqual(10);
    // Beside the deliveries a look ahead may be counted.
    expect(most).toBeLessThanOrEqual(12);
  });

  test("of one customer who never answers delay nobody else's, and a worker that is killed loses none", async ({
    db,
    deps,
    user,
    call,
    openReceiver,
    startWorker,
    signInAs,
  }) => {
    const silent = await openReceiver();
    silent.answer.status = undefined;
    await call("POST", `/api/${user.userId}/webhooks`, { url: silent.url, events: ["contact.opted_out"] });
    const other = await buildUser(db);
    const receiver = await openReceiver();
    const events = { url: receiver.url, events: ["contact.opted_out"] };
    await call("POST", `/api/${other.userId}/webhooks`, events, await signInAs(other));
    // What kill -9 leaves: a lease that nobody renews.
    await db.query(
      "update webhook_endpoint set lease_owner = $2, lease_until = now() + interval '1 second' where user_id = $1",
      [other.userId, NOBODY],
    );
    await startWorker({ answerTimeoutMs: 3_000 });
    await happen(deps, user.userId, 100);
    await until("the silent one holds its places", () => silent.heard.length === 10);
    await happen(deps, other.userId, 50);
    const startedAtMs = performance.now();
    await until("the other's have arrived", () => receiver.heard.length === 50);
    expect(performance.now() - startedAtMs).toBeLessThan(8_000);
    // From its first silence on one at a time.
    expect(silent.heard.length).toBeLessThanOrEqual(13);
  });
});

test("of two workers that want an endpoint at the same moment one gets it, and the other only what the first lost", async ({
  db,
  user,
  call,
}) => {
  const body = { url: "http://127.0.0.1:9/", events: ["contact.opted_out"] };
  const { data } = await call("POST", `/api/${user.userId}/webhooks`, body);
  const key = { userId: user.userId, endpointId: (data as { _id: string })._id };
  const lease = (workerId: string) => (tx: Queryable) => leaseEndpoint(tx, key, { workerId, seconds: 15 });
  expect(await overlap(db, lease(NOBODY), lease(user.userId))).toMatchObject([{ value: true }, { value: false }]);
  await db.query("update webhook_endpoint set lease_until = now() - interval '1 second'");
  expect(await overlap(db, lease(user.userId), lease(NOBODY))).toMatchObject([{ value: true }, { value: false }]);
});

test("10,000 reports leave as 20 calls: 500 in each, of several messages, in order", async ({
  db,
  deps,
  user,
  call,
}) => {
  await call("POST", `/api/${user.userId}/webhooks`, {
    url: "http://127.0.0.1:9/",
    events: ["recipients.updated", "message.finished"],
  });
  const messages = await Promise.all(
    [1, 2].map(async () => await buildMessage(db, { recipientCount: 2, followers: ["webhooks"] })),
  );
  const SIZES = [130, 499, 1, 70, 300];
  let count = 0;
  for (let round = 0; round < 10; round += 1) {
    for (const [index, size] of SIZES.entries()) {
      const { userId, messageId } = { ...messages[index % 2], userId: user.userId } as {
        userId: string;
        messageId: string;
      };
      const positions = Array.from({ length: size }, (_, place) => count + place);
      count += size;
      await withTransaction(db, (tx) =>
        writeFeed(tx, [
          {
            userId,
            messageId,
            followers: 1,
            state: 2,
            positions,
            phoneNos: positions.map((place) => 2_348_030_000_000 + place),
          },
        ]),
      );
    }
    await collectReports(deps);
  }
  await db.query("update report_feed set happened_at = now() - interval '1 second'");
  await collectReports(deps);
  expect((await db.query("select from report_feed")).rowCount).toBe(0);
  const { rows } = await db.query<{ body: string }>("select body from webhook_event order by event_id");
  const told = rows.map(({ body }) => (JSON.parse(body) as { data: EventData["recipients.updated"] }).data.recipients);
  expect(told.map((recipients) => recipients.length)).toEqual(Array<number>(count / 500).fill(500));
  expect(told.flat().map(({ phoneNo }) => Number(phoneNo) - 2_348_030_000_000)).toEqual(
    Array.from({ length: count }, (_, place) => place),
  );
  expect(told[0]?.[0]).toMatchObject({
    state: "delivered",
    network: "MTN",
    reason: "",
    updatedAt: expect.any(String) as string,
  });
  expect(new Set(told[0]?.map(({ messageId }) => messageId)).size).toBe(2);
});

test("a stream of reports lets few reports pass, and lies in the feed while it is held", async ({
  db,
  deps,
  call,
  signInAs,
}) => {
  const customers = await Promise.all([1, 2].map(async () => await buildFundedUser(db)));
  const [sender, other] = customers.map(({ userId }) => userId).toSorted() as [string, string];
  for (const user of customers)
    await call(
      "POST",
      `/api/${user.userId}/webhooks`,
      { url: "http://127.0.0.1:9/", events: ["recipients.updated"] },
      await signInAs(user),
    );
  const { messageId } = await buildMessage(db, { userId: sender, recipientCount: 2, followers: ["webhooks"] });
  const tell = async (userId: string, count: number): Promise<void> =>
    await withTransaction(deps.db, async (tx) =>
      writeFeed(
        tx,
        Array.from({ length: count }, (_, position) => ({
          userId,
          messageId,
          followers: 1,
          state: 2,
          positions: [position],
          phoneNos: [2_348_030_000_000 + position],
        })),
      ),
    );
  // Longer than a look: who came later would wait for the stream.
  await tell(sender, 250);
  await tell(other, 1);
  await db.query("update report_feed set happened_at = now() - interval '1 second'");
  const countWaiting = async (userId: string): Promise<number | null> =>
    (await db.query("select from report_feed where user_id = $1", [userId])).rowCount;

  const told = await collectReports(deps, ({ userId }) => userId === sender);
  expect(told).toMatchObject([{ userId: other, reportCount: 1, mayHaveMore: false }]);
  expect([await countWaiting(sender), await countWaiting(other)]).toEqual([250, 0]);

  await tell(other, 1);
  await db.query("update report_feed set happened_at = now() - interval '1 second'");
  expect(await collectReports(deps)).toMatchObject([
    { userId: other, reportCount: 1, mayHaveMore: false },
    { userId: sender, reportCount: 99, mayHaveMore: true },
  ]);
  while ((await collectReports(deps)).some(({ mayHaveMore }) => mayHaveMore));
  expect(await countWaiting(sender)).toBe(0);
});

test("reports that wait to be collected keep nobody's ready ones waiting, however many customers have some", async ({
  db,
  deps,
}) => {
  // 600 customers with a row each that is young however long this takes; their ids come before every other one.
  await db.query(`insert into report_feed (user_id, follower, message_id, state, positions, phone_nos, happened_at)
    select lpad(to_hex(place), 32, '0')::uuid, 1, gen_random_uuid(), 2, '{0}', '{2348030000000}', now() + interval '1 minute'
    from generate_series(1, 600) as place`);
  const { userId, messageId } = await buildMessage(db, { followers: ["webhooks"] });
  await db.query(
    `insert into report_feed (user_id, follower, message_id, state, positions, phone_nos, happened_at)
     values ($1, 1, $2, 2, '{0}', '{2348030000000}', now() - interval '1 second')`,
    [userId, messageId],
  );
  expect(await collectReports(deps)).toMatchObject([{ userId, reportCount: 1 }]);
});

test("reports and ends of a test key's messages say so, and no event mixes them with live ones", async ({
  db,
  deps,
  call,
  signInAs,
}) => {
  const user = await buildFundedUser(db);
  const { userId } = user;
  const events = ["recipients.updated", "message.finished"];
  const owner = await signInAs(user);
  await call("POST", `/api/${userId}/webhooks`, { url: "http://127.0.0.1:9/", events }, owner);
  const live = await buildMessage(db, { userId, followers: ["webhooks"] });
  const tried = await buildMessage(db, { userId, followers: ["webhooks"], isTest: true });
  for (const place of [0, 1, 2])
    for (const { messageId, phoneNos } of [live, tried])
      await withTransaction(db, (tx) =>
        writeFeed(tx, [
          { userId, messageId, followers: 1, state: 2, positions: [place], phoneNos: phoneNos.slice(place, place + 1) },
        ]),
      );
  await db.query("update report_feed set happened_at = now() - interval '1 second'");
  await collectReports(deps);
  await db.query(
    "insert into webhook_finish (user_id, message_id, due_at) select $1, unnest($2::uuid[]), now() - interval '1 second'",
    [userId, [live.messageId, tried.messageId]],
  );
  await tellFinished(deps);
  const { rows } = await db.query<{ body: string }>("select body from webhook_event where user_id = $1", [userId]);
  const told = rows.map(({ body }) => {
    const { type, mode, data } = JSON.parse(body) as {
      type: string;
      mode: string;
      data: { messageId?: string; recipients?: { messageId: string }[] };
    };
    const ids = data.recipients?.map(({ messageId }) => messageId) ?? [data.messageId];
    return `${type} ${mode}: ${ids.map((id) => (id === live.messageId ? "live" : "test")).join(" ")}`;
  });
  expect(told.toSorted()).toEqual([
    "message.finished live: live",
    "message.finished test: test",
    "recipients.updated live: live live live",
    "recipients.updated test: test test test",
  ]);
});

// Goal: each event reaches a receiver from what really happens. Method: the calls and the worker of the product, both modes, and the receiver's verifier.
test("what happens to a customer arrives signed, of each kind, and a test key's messages as the live ones do", async ({
  db,
  deps,
  app,
  call,
  openReceiver,
  startWorker,
  startSession,
  signInAs,
}) => {
  const user = await buildSender(db);
  const own = await signInAs(user);
  const admin = await buildAdmin(db);
  const decider = await signInAs(admin);
  const receiver = await openReceiver();
  const { userId } = user;
  const body = { url: receiver.url, events: webhookEventTypes, secret: SECRET };
  expect((await call("POST", `/api/${userId}/webhooks`, body, own)).status).toBe(201);
  await startWorker();
  const carrier = new FakeCarrier();
  await startSession(carrier);
  type Told = { type: string; mode: string; data: Record<string, unknown> };
  const told = (): Told[] =>
    receiver.heard.map(({ body: text, headers }) => new Webhook(SECRET).verify(text, headers) as Told);
  const hear = async (type: WebhookEventType, mode = "live"): Promise<Told["data"]> => {
    const find = (): Told | undefined => told().find((event) => event.type === type && event.mode === mode);
    await until(`${type} ${mode}`, find);
    return find()?.data ?? {};
  };
  const status = async (...facts: Parameters<Call>): Promise<number> => (await call(...facts)).status;

  expect(await status("POST", `/api/${userId}/source-whitelist`, { senderName: "Acme Shop" }, own)).toBe(201);
  const { data: asked } = await call("GET", "/api/view-whitelist-requests", undefined, decider);
  const [request] = asked as { _id: string }[];
  expect(await status("PATCH", `/api/${request?._id}/approve-whitelist-request`, {}, decider)).toBe(200);
  expect(await hear("sender.decided")).toEqual({ senderName: "Acme Shop", decision: "approved" });

  expect(await status("PATCH", `/api/${admin.adminId}/credit-a-user`, { email: user.email, units: 5 }, decider)).toBe(
    200,
  );
  expect(await hear("payment.credited")).toEqual({ units: 5, cause: "manual" });

  const NUMBER = "2347000000001";
  expect(await status("POST", `/api/${admin.adminId}/assign-number`, { number: NUMBER, userID: userId }, decider)).toBe(
    201,
  );
  await buildInbound(db, [{ from: "2348030000009", to: NUMBER, text: "STOP" }]);
  expect(await hear("inbox.received")).toMatchObject({ from: "2348030000009", to: NUMBER, text: "STOP" });
  expect(await hear("contact.opted_out")).toEqual({ phoneNo: "2348030000009", source: "sms" });

  expect(await status("PATCH", `/api/${userId}/notifications`, { balanceBelow: 1_000 }, own)).toBe(200);
  await tellLowBalances(deps);
  expect(await hear("balance.low")).toMatchObject({ below: 1_000 });

  for (const [mode, good, bad] of [
    ["live", "2348030000001", "2348030000009"],
    ["test", "2348000000001", "2348000000004"],
  ] as const) {
    const { key } = await createApiKey(deps, userId, { name: mode, mode });
    const payload = {
      senderName: "Acme Shop",
      message: "Good morning",
      phoneNo: `${good},${bad}`,
      code: "234",
      reference: "order-1",
    };
    const headers = { authorization: `Bearer ${key}` };
    const sent = await app.inject({ method: "POST", url: "/api/v1/messages", headers, payload });
    const { data } = sent.json<{ data: { _id: string } }>();
    if (mode === "live") {
      const taken = (): typeof carrier.taken => carrier.taken.filter(({ phoneNo }) => phoneNo === good);
      await until("it is handed over", () => taken().length === 1);
      carrier.report({ key: taken()[0]?.key ?? "" });
    }
    const messageId = data._id;
    expect(await hear("message.accepted", mode)).toMatchObject({
      messageId,
      reference: "order-1",
      unitDetails: { recipients: 1 },
    });
    const counts = { delivered: 1, waiting: 0 };
    expect(await hear("message.finished", mode)).toMatchObject({ messageId, reference: "order-1", counts });
    const reports = told()
      .filter(({ type, mode: own_ }) => type === "recipients.updated" && own_ === mode)
      .flatMap(({ data: { recipients } }) => recipients as { phoneNo: string; state: string; messageId: string }[]);
    expect(reports.every((report) => report.messageId === messageId)).toBe(true);
    expect(reports.map(({ phoneNo, state }) => [phoneNo, state]).toSorted(byText)).toEqual(
      [
        [good, "delivered"],
        [bad, mode === "live" ? "optedOut" : "dnd"],
      ].toSorted(byText),
    );
  }
  // What is no message's has no mode but live, and each happened once.
  const once = told().map(({ type, mode, data }) => `${type} ${mode} ${JSON.stringify(data)}`);
  expect(new Set(once).size).toBe(once.length);
});

function byText(one: unknown, other: unknown): number {
  return String(one).localeCompare(String(other));
}

async function countAttempts({ db }: Pick<Parameters<typeof collectReports>[0], "db">): Promise<number> {
  const { rows } = await db.query<{ count: number }>("select count(*) from webhook_attempt");
  return rows[0]?.count ?? 0;
}

async function isAllDelivered({ db }: Pick<Parameters<typeof collectReports>[0], "db">): Promise<boolean> {
  return (await db.query("select from webhook_delivery where state <> 1")).rowCount === 0;
}
