/** Codes: what is refused, what a carrier gets and nobody else sees, and who may check how often. */
import { randomBytes } from "node:crypto";
import { HIDDEN_CODE } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { expect, overlap, test as base } from "../../../testing/app.ts";
import { buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { buildSender, FACTORY_SENDER_NAME } from "../../../testing/messages-factories.ts";
import { readBalance } from "../../../ledger/index.ts";
import { expireMessages } from "../../delivery/queue/expire-messages.ts";
import { createApiKey } from "../../accounts/index.ts";
import { WorkerSession } from "../../delivery/engine/worker-session.ts";
import { openBodies } from "../../delivery/queue/sealed-body.ts";
import { SendMark } from "../../delivery/send-mark/send-mark.ts";
import { FakeCarrier } from "../../delivery/testing/fake-carrier.ts";
import { until } from "../../delivery/testing/worker-test.ts";
import { checkVerification } from "./check-verification.ts";
import { lockVerification } from "./verification-store.ts";

const TO = "2348030000001";
const NONE = "01900000-0000-7000-8000-000000000001";

type Answer = {
  status: number;
  code?: string;
  message?: string;
  fields?: Record<string, string>;
  triesLeft?: number;
  data: { _id: string; state: string; to: string; expiresAt: string; triesLeft: number };
  unitDetails: { charged: number; optedOut?: number };
  retryAfter: string | undefined;
};
type Ask = (method: "GET" | "POST", path: string, payload?: object, headers?: object) => Promise<Answer>;

/** A customer without permission for transactional messages, and a carrier that remembers what it took. */
const test = base.extend<{ sender: BuiltUser; key: string; ask: Ask; carrier: FakeCarrier }>({
  sender: async ({ db }, use) => await use(await buildSender(db)),
  key: async ({ deps, sender }, use) => await use((await createApiKey(deps, sender.userId, { name: "Shop" })).key),
  ask: async ({ app, key }, use) => {
    await use(async (method, path, payload, headers = {}) => {
      const answer = await app.inject({
        method,
        url: `/api/v1/verifications${path}`,
        headers: { authorization: `Bearer ${key}`, ...headers },
        ...(payload && { payload }),
      });
      return {
        ...answer.json<Answer>(),
        status: answer.statusCode,
        retryAfter: answer.headers["retry-after"] as string,
      };
    });
  },
  carrier: async ({ db, deps, ask }, use) => {
    void ask;
    const carrier = new FakeCarrier();
    await db.query("delete from carrier");
    const worker = new WorkerSession(db, deps.log, {
      mark: new SendMark(db, deps.log),
      readCarriers: () => Promise.resolve([carrier.definition]),
      isRefundingFailed: false,
      onChange: () => undefined,
      openBodies: async (rows) => await openBodies(deps.config, rows),
    });
    await worker.start();
    await use(carrier);
    await worker.stop();
  },
});

const wish = (more: object = {}): object => ({ to: TO, senderName: FACTORY_SENDER_NAME, ...more });

/** The code that the phone shows. */
async function codeOf(carrier: FakeCarrier, count = 1): Promise<string> {
  await until(`${count} codes are handed over`, () => carrier.taken.length >= count);
  return /\d{4,8}/.exec(carrier.taken[count - 1]?.text ?? "")?.[0] ?? "";
}
const otherThan = (code: string): string => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, "0");

const countStatuses = (answers: readonly Answer[]): Record<number, number> =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, same]) => [status, same.length]));

describe("sending a code: refusals", () => {
  test("a living key with the scope; reading needs the other", async ({ app, deps, sender, ask }) => {
    expect((await app.inject({ method: "POST", url: "/api/v1/verifications", payload: wish() })).statusCode).toBe(401);
    const { key } = await createApiKey(deps, sender.userId, { name: "Reader", scopes: ["messages:read"] });
    const headers = { authorization: `Bearer ${key}` };
    expect(await ask("POST", "", wish(), headers)).toMatchObject({ status: 403, code: "SCOPE_MISSING" });
    expect(await ask("POST", `/${NONE}/check`, { code: "123456" }, headers)).toMatchObject({ code: "SCOPE_MISSING" });
    expect(await ask("GET", "", undefined, headers)).toMatchObject({ status: 200, data: [] });
  });

  test("each wrong field is named, and nothing is sent", async ({ db, ask }) => {
    for (const [more, field] of [
      [{ to: undefined }, "to"],
      [{ to: "12" }, "to"],
      [{ to: `${TO},2348030000002` }, "to"],
      [{ senderName: "" }, "senderName"],
      [{ length: 3 }, "length"],
      [{ length: 9 }, "length"],
      [{ length: 4.5 }, "length"],
      [{ expiresIn: 9 }, "expiresIn"],
      [{ expiresIn: 3601 }, "expiresIn"],
      [{ template: "Your code" }, "template"],
      [{ template: "{{code}} {{ code }}" }, "template"],
      [{ template: "{{code}} for {{name}}" }, "template"],
      [{ bogus: 1 }, "bogus"],
    ] as const) {
      const answer = await ask("POST", "", wish(more));
      expect([answer.status, answer.code, Object.keys(answer.fields ?? {})], JSON.stringify(more)).toEqual([
        400,
        "VALIDATION",
        [field],
      ]);
    }
    expect(await ask("POST", "", wish({ senderName: "Other" }))).toMatchObject({ code: "SENDER_NOT_APPROVED" });
    expect((await db.query("select from message")).rowCount).toBe(0);
    expect((await db.query("select from verification")).rowCount).toBe(0);
  });
});

test("the phone gets the code; lists, rows, answers and the log show bullets", async ({
  app,
  db,
  deps,
  sender,
  ask,
  carrier,
  signInAs,
}) => {
  const template = "{{ code }} is for you";
  const sent = await ask("POST", "", wish({ template, length: 8 }), { "idempotency-key": "c-1" });
  expect(sent).toMatchObject({ status: 201, data: { to: TO, state: "pending", triesLeft: 5 } });
  expect(sent.unitDetails).toMatchObject({ recipients: 1, pages: 1, charged: 3 });
  const again = await ask("POST", "", wish({ template, length: 8 }), { "idempotency-key": "c-1" });
  expect(again.data).toEqual(sent.data);
  expect(await ask("POST", "", wish({ template }), { "idempotency-key": "c-1" })).toMatchObject({ status: 422 });
  const code = await codeOf(carrier);
  expect(code).toHaveLength(8);
  expect(carrier.taken.map(({ text }) => text)).toEqual([`${code} is for you`]);

  const headers = await signInAs(sender);
  const history = await app.inject({ url: `/api/${sender.userId}/populate-sms-history`, headers });
  const [row] = history.json<{ data: { _id: string; message: string; class: string }[] }>().data;
  expect(row).toMatchObject({ message: `${HIDDEN_CODE} is for you`, class: "transactional" });
  const recipients = await app.inject({ url: `/api/${sender.userId}/${row?._id}/recipients`, headers });
  expect(recipients.json<{ data: object[] }>().data).toMatchObject([{ text: `${HIDDEN_CODE} is for you` }]);
  const resent = await app.inject({ method: "POST", url: `/api/${sender.userId}/${row?._id}/resend-failed`, headers });
  expect(resent.statusCode).toBe(409);

  const tables = await db.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
  );
  for (const { name } of tables.rows)
    expect(
      (await db.query(`select from ${name} as whole where whole::text like $1`, [`%${code}%`])).rowCount,
      name,
    ).toBe(0);
  expect(JSON.stringify(deps.logLines)).not.toContain(code);
});

test("of several checks at once with the right code one succeeds", async ({ db, deps, sender, ask, carrier }) => {
  const { data } = await ask("POST", "", wish());
  const code = await codeOf(carrier);
  const key = { userId: sender.userId, verificationId: data._id, mode: "live" } as const;
  const [first, second] = await overlap(
    db,
    async (tx) => {
      await lockVerification(tx, key);
      await tx.query("update verification set state = 'verified'");
    },
    async () => await checkVerification(deps, key, code),
  );
  expect(first.status).toBe("fulfilled");
  expect(second).toMatchObject({ status: "rejected", reason: { code: "ALREADY_DECIDED" } });
  await db.query("update verification set state = 'pending'");
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask("POST", `/${data._id}/check`, { code })));
  expect(countStatuses(answers)).toEqual({ 200: 1, 409: 7 });
  expect(await ask("GET", `/${data._id}`)).toMatchObject({ data: { state: "verified", to: TO } });
});

test("five wrong codes end it, time ends it, a newer one ends it, and others do not find it", async ({
  db,
  deps,
  clock,
  ask,
  carrier,
}) => {
  const check = async (id: string, code: string) => await ask("POST", `/${id}/check`, { code });
  const one = (await ask("POST", "", wish())).data._id;
  const code = await codeOf(carrier);
  expect(await check(NONE, code)).toMatchObject({ status: 404 });
  const other = await createApiKey(deps, (await buildUser(db)).userId, { name: "Theirs" });
  const ofTests = await createApiKey(
    deps,
    (await db.query("select user_id from verification")).rows[0].user_id as string,
    {
      name: "Test",
      mode: "test",
    },
  );
  for (const { key } of [other, ofTests])
    expect(await ask("POST", `/${one}/check`, { code }, { authorization: `Bearer ${key}` })).toMatchObject({
      status: 404,
    });
  expect(await check(one, "12")).toMatchObject({ status: 400, code: "VALIDATION" });
  const wrong = await Promise.all(Array.from({ length: 5 }, () => check(one, otherThan(code))));
  expect(wrong.map(({ status, code: name }) => `${status} ${name}`)).toEqual(Array(5).fill("400 CODE_WRONG"));
  expect(new Set(wrong.map(({ triesLeft }) => triesLeft))).toEqual(new Set([0, 1, 2, 3, 4]));
  expect(await check(one, code)).toMatchObject({ status: 410, code: "CODE_EXPIRED" });

  const two = (await ask("POST", "", wish())).data._id;
  const three = (await ask("POST", "", wish({ expiresIn: 60 }))).data._id;
  expect(await check(two, await codeOf(carrier, 2))).toMatchObject({ status: 410 });
  clock.advance(60_000);
  expect(await check(three, await codeOf(carrier, 3))).toMatchObject({ status: 410 });
  const four = (await ask("POST", "", wish())).data._id;
  expect(await check(four, await codeOf(carrier, 4))).toMatchObject({ status: 200, data: { state: "verified" } });
  expect(await check(four, await codeOf(carrier, 4))).toMatchObject({ status: 409, code: "ALREADY_DECIDED" });
  expect((await ask("GET", "")).data).toMatchObject(
    ["verified", "expired", "expired", "expired"].map((state) => ({ state })),
  );
});

test("the sixth code to a number within an hour is refused, also at once, and the hour slides", async ({
  db,
  clock,
  ask,
}) => {
  const five = await Promise.all(Array.from({ length: 7 }, () => ask("POST", "", wish())));
  expect(countStatuses(five)).toEqual({ 201: 5, 429: 2 });
  const refused = await ask("POST", "", wish());
  expect(refused).toMatchObject({ status: 429, code: "RATE_LIMITED" });
  expect(Number(refused.retryAfter)).toBeGreaterThan(3_500);
  expect((await ask("POST", "", wish({ to: "2348030000002" }))).status).toBe(201);
  clock.advance(3_601_000);
  expect((await ask("POST", "", wish())).status).toBe(201);
  expect((await db.query("select from message")).rowCount).toBe(7);
});

test("a series to neighbouring numbers is stopped, and administrators hear of it once", async ({
  deps,
  ask,
  mailsTo,
  clock,
}) => {
  const to = (index: number): string => `23480300001${String(index).padStart(2, "0")}`;
  for (let index = 0; index < 20; index += 1) expect((await ask("POST", "", wish({ to: to(index) }))).status).toBe(201);
  for (const index of [20, 21]) expect((await ask("POST", "", wish({ to: to(index) }))).status).toBe(429);
  expect((await ask("POST", "", wish({ to: "2348030000200" }))).status).toBe(201);
  const mails = await mailsTo(deps.config.managementEmail);
  expect(mails.map(({ text }) => text.includes("234803000010"))).toEqual([true]);
  clock.advance(600_001);
  expect((await ask("POST", "", wish({ to: to(22) }))).status).toBe(201);
});

test("with a test key every code is 000000", async ({ deps, db, sender, ask }) => {
  const { key } = await createApiKey(deps, sender.userId, { name: "Test", mode: "test" });
  const headers = { authorization: `Bearer ${key}` };
  const { data } = await ask("POST", "", wish(), headers);
  expect(await ask("POST", `/${data._id}/check`, { code: "000001" }, headers)).toMatchObject({ code: "CODE_WRONG" });
  expect(await ask("POST", `/${data._id}/check`, { code: "000000" }, headers)).toMatchObject({ status: 200 });
  expect((await ask("GET", "")).data).toEqual([]);
  expect((await db.query("select from verification where mode = 'test'")).rowCount).toBe(1);
});

test("with a test key numbers force outcomes; a live key takes none of them", async ({ deps, db, sender, ask }) => {
  const { key } = await createApiKey(deps, sender.userId, { name: "Test", mode: "test" });
  const headers = { authorization: `Bearer ${key}` };
  for (const [last, status, code, more] of [
    ...["01", "02", "03", "05", "06", "07"].map((good) => [good, 201, undefined, {}] as const),
    ["04", 503, undefined, { dnd: true, unitDetails: { dnd: 1, charged: 0 } }],
    ["08", 201, undefined, { unitDetails: { optedOut: 1, charged: 0 } }],
    ["09", 402, "LIMIT_REACHED", {}],
    ["10", 429, "RATE_LIMITED", { retryAfter: "1" }],
    ["11", 550, "NOT_SENDABLE", {}],
  ] as const) {
    const to = `23480000000${last}`;
    const answer = await ask("POST", "", { to, senderName: "Nobody" }, headers);
    expect([last, answer.status, answer.code]).toEqual([last, status, code]);
    expect(answer, last).toMatchObject(more);
    if (answer.status < 400)
      expect(await ask("POST", `/${answer.data._id}/check`, { code: "000000" }, headers)).toMatchObject({
        status: 200,
      });
    expect(await ask("POST", "", wish({ to })), last).toMatchObject({
      status: 400,
      fields: { to: expect.any(String) as string },
    });
  }
  expect((await db.query("select from message where not is_test")).rowCount).toBe(0);
  expect((await db.query("select from hold")).rowCount).toBe(0);
});

test("the page's figures: sent, verified and expired by day, of this customer alone", async ({
  app,
  db,
  sender,
  ask,
  carrier,
  clock,
  signInAs,
}) => {
  await ask("POST", "", wish({ expiresIn: 10 }));
  const { data } = await ask("POST", "", wish({ to: "2348030000002" }));
  await codeOf(carrier, 2);
  const text = carrier.taken.find(({ phoneNo }) => phoneNo.endsWith("2"))?.text ?? "";
  await ask("POST", `/${data._id}/check`, { code: /\d{6}/.exec(text)?.[0] });
  clock.advance(11_000);
  const url = `/api/${sender.userId}/code-results`;
  expect((await app.inject({ url })).statusCode).toBe(401);
  expect((await app.inject({ url, headers: await signInAs(await buildUser(db)) })).statusCode).toBe(403);
  const headers = await signInAs(sender);
  expect((await app.inject({ url: `${url}?from=2026-01-02`, headers })).statusCode).toBe(400);
  const figures = (await app.inject({ url, headers })).json<{ data: { days: object[] } }>().data;
  expect(figures).toMatchObject({ sent: 2, verified: 1, expired: 1 });
  expect(figures.days).toHaveLength(30);
  expect(figures.days.at(-1)).toMatchObject({ sent: 2, verified: 1, expired: 1 });
  expect((await app.inject({ url: `/api/${uuidv7()}/code-results`, headers })).statusCode).toBe(403);
});

test("a worker that cannot open the code sends nothing and charges nothing; over time the sealed text is deleted", async ({
  db,
  deps,
  sender,
  clock,
  ask,
}) => {
  await ask("POST", "", wish({ expiresIn: 60 }));
  const carrier = new FakeCarrier();
  const worker = new WorkerSession(db, deps.log, {
    mark: new SendMark(db, deps.log),
    readCarriers: () => Promise.resolve([carrier.definition]),
    isRefundingFailed: false,
    onChange: () => undefined,
    openBodies: async (rows) => await openBodies({ ...deps.config, secretsKey: randomBytes(32) }, rows),
  });
  await worker.start();
  await until(
    "it has failed",
    async () => (await db.query("select from message_count where failed = 1")).rowCount === 1,
  );
  await worker.stop();
  expect(carrier.taken).toEqual([]);
  expect((await readBalance(db, sender.userId)).freeMilli).toBe(100_000);
  expect((await db.query("select from message where sealed_body is not null")).rowCount).toBe(1);
  clock.advance(61_000);
  await db.query("update message set valid_until = now()");
  await expireMessages(db);
  expect((await db.query("select from message where sealed_body is not null")).rowCount).toBe(0);
});
