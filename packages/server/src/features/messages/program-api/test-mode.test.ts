import type { MessageAnswer, RecipientAnswer, SendAnswer } from "@ewebal/contract";
import { pino } from "pino";
import { describe } from "vitest";
import { expect, test as base } from "../../../testing/app.ts";
import { buildAdmin, type BuiltUser } from "../../../testing/factories.ts";
import { buildSendBody, buildSender } from "../../../testing/messages-factories.ts";
import { createApiKey } from "../../accounts/index.ts";
import { listMessageDays } from "../../delivery/index.ts";
import { SendMark } from "../../delivery/send-mark/send-mark.ts";
import { FakeCarrier } from "../../delivery/testing/fake-carrier.ts";
import { until } from "../../delivery/testing/worker-test.ts";
import { WorkerSession } from "../../delivery/engine/worker-session.ts";
import { startDueMessages } from "../../delivery/queue/start-due-messages.ts";

type Answer = {
  status: number;
  code: string | undefined;
  data: MessageAnswer & RecipientAnswer[];
  body: SendAnswer & { dnd?: true };
  headers: Record<string, unknown>;
};
type Ask = (
  method: "GET" | "POST" | "PATCH" | "DELETE",
  url: string,
  options?: { key?: string; headers?: object; payload?: unknown },
) => Promise<Answer>;

/** A customer with units, a test key and a live one. */
const test = base.extend<{
  sender: BuiltUser;
  key: string;
  liveKey: string;
  ask: Ask;
  /** Sends with the test key. */
  send: (phoneNo: string, more?: object) => Promise<Answer>;
  startSession: (carrier: FakeCarrier) => Promise<WorkerSession>;
}>({
  sender: async ({ db }, use) => {
    await use(await buildSender(db));
  },
  key: async ({ deps, sender }, use) => {
    await use((await createApiKey(deps, sender.userId, { name: "CI", mode: "test" })).key);
  },
  liveKey: async ({ deps, sender }, use) => {
    await use((await createApiKey(deps, sender.userId, { name: "Shop" })).key);
  },
  ask: async ({ app }, use) => {
    await use(async (method, url, { key, headers = {}, payload } = {}) => {
      const answer = await app.inject({
        method,
        url,
        headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
        ...(payload !== undefined && { payload: payload as object }),
      });
      const body = answer.json<Record<string, unknown>>();
      return {
        status: answer.statusCode,
        code: body["code"] as string | undefined,
        data: body["data"] as Answer["data"],
        body: body as never,
        headers: answer.headers,
      };
    });
  },
  send: async ({ ask, key }, use) => {
    await use(async (phoneNo, more = {}) => {
      // No name is approved as "Nobody".
      const payload = { ...buildSendBody({ senderName: "Nobody" }), phoneNo, code: "234", ...more };
      return await ask("POST", "/api/v1/messages", { key, payload });
    });
  },
  startSession: async ({ db }, use) => {
    const log = pino({ level: "silent" });
    const sessions: WorkerSession[] = [];
    await use(async (carrier) => {
      const settings = { mark: new SendMark(db, log), isRefundingFailed: false, onChange: () => undefined };
      const session = new WorkerSession(db, log, { ...settings, readCarriers: async () => [carrier.definition] });
      sessions.push(session);
      await session.start();
      return session;
    });
    for (const session of sessions) await session.end();
  },
});

const TEST = "23480000000";
const numberOf = (last: string): string => `${TEST}${last}`;

describe("before a message is accepted", () => {
  test("a live key takes none of the test numbers, however they are written", async ({ db, ask, liveKey }) => {
    for (const phoneNo of [numberOf("01"), "08000000011", `2348030000001,${numberOf("04")}`]) {
      const payload = { ...buildSendBody(), phoneNo, code: "234" };
      expect((await ask("POST", "/api/v1/messages", { key: liveKey, payload })).status, phoneNo).toBe(400);
      const recipients = [{ to: numberOf("01") }];
      const { phoneNo: _none, ...rest } = payload;
      expect((await ask("POST", "/api/v1/messages", { key: liveKey, payload: { ...rest, recipients } })).status).toBe(
        400,
      );
    }
    expect((await db.query("select from message")).rowCount).toBe(0);
  });

  test("a test key takes these alone of the range, and all of the rules for the form hold", async ({ send }) => {
    for (const wrong of ["2348000000012", "2348000000000", "2348001000001", ""])
      expect((await send(wrong)).status, wrong).toBe(400);
    expect((await send(numberOf("01"), { bogus: 1 })).status).toBe(400);
    expect((await send(numberOf("01"), { class: "transactional" })).code).toBe("CLASS_NOT_ALLOWED");
  });

  test.for([
    ["09", 402, "LIMIT_REACHED"],
    ["10", 429, "RATE_LIMITED"],
    ["11", 550, "NOT_SENDABLE"],
  ] as const)("%s refuses the whole call with %s, also a try", async ([last, status, code], { db, send }) => {
    for (const more of [{}, { dryRun: true }]) {
      const answer = await send(`2348030000001,${numberOf(last)}`, more);
      expect([answer.status, answer.code]).toEqual([status, code]);
      expect(answer.headers["retry-after"]).toBe(status === 429 ? "1" : undefined);
    }
    expect((await db.query("select from message")).rowCount).toBe(0);
  });

  test("04 is on the do-not-disturb list and 08 has opted out; nothing is charged, and no units are needed", async ({
    db,
    send,
  }) => {
    await db.query("update ledger_account set balance_milli = 0");
    const dnd = await send(`2348030000001,${numberOf("04")}`);
    expect(dnd).toMatchObject({
      status: 503,
      body: { dnd: true, unitDetails: { recipients: 1, dnd: 1, charged: 3, available: 0 } },
    });
    const gone = await send(numberOf("08"));
    expect(gone).toMatchObject({
      status: 200,
      body: { unitDetails: { recipients: 0, optedOut: 1, charged: 0, available: 0 } },
    });
    expect((await send(numberOf("08"), { dryRun: true })).body.unitDetails).toEqual(gone.body.unitDetails);
    expect((await db.query("select from hold")).rowCount).toBe(0);
    await db.query("update ledger_account set balance_milli = 100000");
  });

  test("the same Idempotency-Key is another one for a live key, and of 50 calls at once one message is made", async ({
    db,
    ask,
    key,
    liveKey,
  }) => {
    const call = async (with_: string) =>
      await ask("POST", "/api/v1/messages", {
        key: with_,
        headers: { "idempotency-key": "order-1" },
        payload: buildSendBody(),
      });
    for (const each of [key, liveKey]) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => call(each)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(({ data }) => data._id)).size).toBe(1);
    }
    const { rows } = await db.query(`select is_test as "isTest" from message order by message_id`);
    expect(rows).toEqual([{ isTest: true }, { isTest: false }]);
  });
});

describe("what is not allowed live is not allowed in a test:", () => {
  const rule = (action: string, pattern: string, place: string) => ({ action, pattern, place });
  const waysToBreak: readonly {
    name: string;
    rule?: ReturnType<typeof rule>;
    more: object;
    expected: { status: number; code?: string; state?: string; warnings?: number };
  }[] = [
    { name: "nothing broken", more: {}, expected: { status: 200 } },
    {
      name: "a refused word",
      rule: rule("refuse", "lottery", "text"),
      more: { message: "Win the LOTTERY" },
      expected: { status: 550, code: "NOT_SENDABLE" },
    },
    {
      name: "a refused link",
      rule: rule("refuse", "bad.example", "link"),
      more: { message: "See www.bad.example/x" },
      expected: { status: 550, code: "NOT_SENDABLE" },
    },
    {
      name: "a refused name",
      rule: rule("refuse", "ACME-LTD", "sender"),
      more: {},
      expected: { status: 550, code: "NOT_SENDABLE" },
    },
    {
      name: "a word to look at",
      rule: rule("review", "loan", "text"),
      more: { message: "A loan for you" },
      expected: { status: 200, state: "review" },
    },
    {
      name: "a text of one recipient to look at",
      rule: rule("review", "loan", "text"),
      more: { phoneNo: undefined, recipients: [{ to: "2348030000001", text: "A loan" }] },
      expected: { status: 200, state: "review" },
    },
    {
      name: "a word to warn of",
      rule: rule("warn", "bank", "text"),
      more: { message: "Your bank" },
      expected: { status: 200, warnings: 1 },
    },
    {
      name: "a class without permission",
      more: { class: "transactional" },
      expected: { status: 403, code: "CLASS_NOT_ALLOWED" },
    },
    {
      name: "DND numbers of a promotional message",
      more: { dnd: "send" },
      expected: { status: 400, code: "VALIDATION" },
    },
    {
      name: "more recipients than pass without a look",
      more: { phoneNo: "2348030000001,2348030000002,2348030000003,2348030000004" },
      expected: { status: 200, state: "review" },
    },
  ];

  test.extend({ environment: { REVIEW_ABOVE: "3" } }).for(waysToBreak)(
    "$name",
    async ({ rule: broken, more, expected }, { db, ask, key, liveKey }) => {
      if (broken !== undefined)
        await db.query(
          `insert into content_rule (rule_id, pattern, place, countries, networks, action, note, created_at, updated_at)
         values (gen_random_uuid(), $1, $2, '{}', '{}', $3, 'Because', now(), now())`,
          [broken.pattern, broken.place, broken.action],
        );
      const heard = [];
      for (const each of [liveKey, key]) {
        const answer = await ask("POST", "/api/v1/messages", {
          key: each,
          payload: { ...buildSendBody(), code: "234", ...more },
        });
        const { data, warnings, message } = answer.body as {
          data?: { state?: string };
          warnings?: unknown[];
          message: string;
        };
        const { code, status } = answer;
        heard.push({
          status,
          code,
          state: data?.state,
          warnings: warnings?.length,
          message: status === 200 ? "" : message,
        });
      }
      expect(heard[1]).toEqual(heard[0]);
      expect(heard[1]).toMatchObject(expected);
    },
  );

  test("what waits for a look is in the administrators' list, in no count, and goes out when it is released", async ({
    db,
    send,
    ask,
    key,
    signInAs,
    startSession,
  }) => {
    await db.query(
      `insert into content_rule (rule_id, pattern, place, countries, networks, action, note, created_at, updated_at)
       values (gen_random_uuid(), 'loan', 'text', '{}', '{}', 'review', 'Loans', now(), now())`,
    );
    const { data } = await send("2348030000001", { message: "A loan" });
    const admin = await buildAdmin(db);
    const headers = await signInAs(admin);
    const reviews = await ask("GET", "/api/view-reviews", { headers });
    expect(reviews.data).toMatchObject([{ _id: data._id, note: "Loans (from a test key: it reaches nobody)" }]);
    expect((await ask("GET", "/api/view-overview", { headers })).data).toMatchObject({ reviews: 0 });
    const carrier = new FakeCarrier();
    await startSession(carrier);
    const release = `/api/${admin.adminId}/${data._id}/release-message`;
    expect((await ask("PATCH", release, { headers })).status).toBe(200);
    await until("it is delivered", async () => {
      return (await ask("GET", `/api/v1/messages/${data._id}`, { key })).data.counts.delivered === 1;
    });
    expect(carrier.taken).toEqual([]);
  });
});

test("a test reaches no carrier, charges nothing, ends as its numbers say, and is in no figure of what is live", async ({
  db,
  sender,
  send,
  ask,
  key,
  startSession,
}) => {
  const carrier = new FakeCarrier();
  await startSession(carrier);
  const before = await db.query(
    "select balance_milli, held_milli, journal_count from ledger_account where user_id = $1",
    [sender.userId],
  );
  const startedAt = Date.now();
  const recipients = ["01", "02", "03", "05", "06", "07"].map((last) => ({
    to: numberOf(last),
    fields: { name: last },
    reference: `r${last}`,
  }));
  const merged = await send("", {
    phoneNo: undefined,
    recipients: [...recipients, { to: "08030000001", fields: { name: "other" } }],
    message: "Dear {{name}}",
  });
  expect(merged).toMatchObject({ status: 200, body: { unitDetails: { recipients: 7, charged: 21, available: 100 } } });
  const url = `/api/v1/messages/${merged.data._id}`;
  const rows = async (): Promise<RecipientAnswer[]> => (await ask("GET", `${url}/recipients`, { key })).data;
  await until("five are reported", async () => {
    return (await rows()).filter(({ state }) => state === "delivered" || state === "failed").length === 5;
  });
  expect(Date.now() - startedAt).toBeGreaterThan(900);
  expect((await rows()).map(({ phoneNo, state, reason, text }) => [phoneNo.slice(-2), state, reason, text])).toEqual([
    ["01", "delivered", "", "Dear 01"],
    ["02", "failed", "Phone off or out of reach", "Dear 02"],
    ["03", "failed", "Number not in service", "Dear 03"],
    ["05", "failed", "The time was over before the message could be delivered", "Dear 05"],
    ["06", "sent", "", "Dear 06"],
    ["07", "sent", "", "Dear 07"],
    ["01", "delivered", "", "Dear other"],
  ]);
  expect((await ask("GET", url, { key })).data).toMatchObject({
    mode: "test",
    units: { charged: 0, reserved: 0 },
    counts: { delivered: 2, failed: 3, sent: 2 },
  });
  // Nobody is to report on 07, and 06 is due in a minute.
  await until("one report is owed", async () => (await db.query("select from test_report")).rowCount === 1);
  const { rows: owed } = await db.query<{ phoneNo: number; inSeconds: number }>(
    `select phone_no as "phoneNo", extract(epoch from due_at - now())::integer as "inSeconds" from test_report`,
  );
  expect(owed.map(({ phoneNo }) => phoneNo)).toEqual([2348000000006]);
  expect(owed[0]?.inSeconds).toBeGreaterThan(30);
  expect(carrier.taken).toEqual([]);
  const after = await db.query(
    "select balance_milli, held_milli, journal_count from ledger_account where user_id = $1",
    [sender.userId],
  );
  expect(after.rows).toEqual(before.rows);
  expect((await db.query("select from daily_cap where recipients_used > 0")).rowCount).toBe(0);
  expect((await db.query("select from customer_count where messages > 0")).rowCount).toBe(0);
  expect((await db.query("select from tally_change where amount <> 0")).rowCount).toBe(0);
});

test("what a worker owes a report on is reported by another one, once", async ({
  db,
  send,
  ask,
  key,
  startSession,
}) => {
  const first = await startSession(new FakeCarrier());
  const { data } = await send(`${numberOf("06")},${numberOf("02")}`);
  const counts = async () => (await ask("GET", `/api/v1/messages/${data._id}`, { key })).data.counts;
  await until("one is reported", async () => (await counts()).failed === 1);
  await first.abandon();
  await db.query("update test_report set due_at = now()");
  await startSession(new FakeCarrier());
  await until("the other is, too", async () => (await counts()).delivered === 1);
  await until("nothing is owed", async () => (await db.query("select from test_report")).rowCount === 0);
});

describe("who sees a test", () => {
  test("test keys alone, and the dashboard with ?mode=test; it is steered like any message, and never sent again live", async ({
    db,
    sender,
    send,
    ask,
    key,
    liveKey,
    signInAs,
  }) => {
    const live = await ask("POST", "/api/v1/messages", { key: liveKey, payload: buildSendBody() });
    const { data } = await send("2348030000001");
    const idsOf = ({ data: list }: Answer): string[] => (list as unknown as MessageAnswer[]).map(({ _id }) => _id);
    expect(idsOf(await ask("GET", "/api/v1/messages", { key }))).toEqual([data._id]);
    expect(idsOf(await ask("GET", "/api/v1/messages", { key: liveKey }))).toEqual([live.data._id]);
    for (const [id, other] of [
      [data._id, liveKey],
      [live.data._id, key],
    ] as const) {
      for (const part of ["", "/recipients"])
        expect((await ask("GET", `/api/v1/messages/${id}${part}`, { key: other })).status).toBe(404);
      expect((await ask("POST", `/api/v1/messages/${id}/cancel`, { key: other, payload: {} })).status).toBe(404);
    }
    const headers = await signInAs(sender);
    const history = `/api/${sender.userId}/populate-sms-history`;
    expect(idsOf(await ask("GET", history, { headers }))).toEqual([live.data._id]);
    expect(idsOf(await ask("GET", `${history}?mode=live`, { headers }))).toEqual([live.data._id]);
    expect(idsOf(await ask("GET", `${history}?mode=test`, { headers }))).toEqual([data._id]);
    expect(idsOf(await ask("GET", `${history}?mode=test&state=sending`, { headers }))).toEqual([data._id]);
    expect(idsOf(await ask("GET", `${history}?mode=test&search=2348030000001`, { headers }))).toEqual([data._id]);
    expect((await ask("GET", `${history}?mode=both`, { headers })).status).toBe(400);
    const admin = await signInAs(await buildAdmin(db));
    expect(idsOf(await ask("GET", "/api/view-all-sms-messages", { headers: admin }))).toEqual([live.data._id]);
    expect(idsOf(await ask("GET", history, { headers: admin }))).toEqual([live.data._id]);
    expect((await ask("GET", `/api/${sender.userId}/view-one-user`, { headers })).data).toMatchObject({
      counts: { sms: 1 },
      sms: [live.data._id],
    });
    const days = await listMessageDays(db, { userId: sender.userId, now: new Date(), dayCount: 2 });
    expect(days.reduce((sum, { messages }) => sum + messages, 0)).toBe(1);

    // Cancelled by its key; nothing of it can be sent again, for money.
    expect((await ask("POST", `/api/v1/messages/${data._id}/cancel`, { key, payload: {} })).status).toBe(200);
    expect((await ask("GET", `/api/v1/messages/${data._id}`, { key })).data).toMatchObject({ state: "cancelled" });
    const resend = `/api/${sender.userId}/${data._id}/resend-failed`;
    expect((await ask("POST", resend, { headers, payload: { states: ["failed"] } })).status).toBe(404);
    const gone = await ask("DELETE", `/api/${sender.userId}/${data._id}/delete-sms-message`, { headers });
    expect(gone.status).toBeLessThan(300);
    expect(idsOf(await ask("GET", `${history}?mode=test`, { headers }))).toEqual([]);
    expect((await ask("GET", `/api/v1/messages/${data._id}`, { key })).status).toBe(404);
  });

  test("a scheduled one waits in no list of what is live, holds nothing, and starts without an approved name", async ({
    db,
    clock,
    sender,
    send,
    ask,
    key,
    signInAs,
    startSession,
  }) => {
    const sendAt = new Date(clock.now().getTime() + 3_600_000).toISOString();
    const { status, data } = await send(`${numberOf("01")},2348030000001`, { sendAt });
    expect(status).toBe(201);
    expect((await db.query("select from hold")).rowCount).toBe(0);
    const headers = await signInAs(sender);
    const list = await ask("GET", `/api/${sender.userId}/populate-scheduled-sms`, { headers });
    expect(list.data).toEqual([]);
    await db.query("update message set send_at = now()");
    const started = await startDueMessages(db, async () => await Promise.resolve(false));
    expect(started.map(({ messageId }) => messageId)).toEqual([data._id]);
    const carrier = new FakeCarrier();
    await startSession(carrier);
    await until("both are delivered", async () => {
      return (await ask("GET", `/api/v1/messages/${data._id}`, { key })).data.counts.delivered === 2;
    });
    expect(carrier.taken).toEqual([]);
  });
});
