/** A customer's list of opt-outs: keeping it, and that no way of sending reaches who is on it. */
import { messageRoutes, optOutRoutes, type ErrorBody, type SendAnswer } from "@ewebal/contract";
import { pino } from "pino";
import { describe } from "vitest";
import { expect, test } from "../../../testing/app.ts";
import { buildCatalog, upload } from "../../../testing/contacts-factories.ts";
import { buildUser } from "../../../testing/factories.ts";
import {
  buildApprovedAddress,
  buildDraft,
  buildSendBody,
  buildSender,
  FACTORY_SENDER_NAME,
} from "../../../testing/messages-factories.ts";
import { readBalance } from "../../../ledger/index.ts";
import { createApiKey } from "../../accounts/index.ts";
import { WorkerSession } from "../../delivery/engine/worker-session.ts";
import { SendMark } from "../../delivery/send-mark/send-mark.ts";
import { buildInbound } from "../../delivery/testing/build-inbound.ts";
import { FakeCarrier } from "../../delivery/testing/fake-carrier.ts";
import { until } from "../../delivery/testing/worker-test.ts";

const GONE = "2348030000001";
const STAYS = "2348030000002";
const ADDRESS = "203.0.113.5";
const listSchema = optOutRoutes.optOuts.schema.response[200];

describe("every call", () => {
  test("is the customer's own, and refuses unknown fields and what is no number", async ({ app, db, signInAs }) => {
    const [ada, bola] = [await buildUser(db), await buildUser(db)];
    const url = `/api/${ada.userId}/opt-outs`;
    const payload = { phoneNo: GONE };
    for (const call of [
      { method: "GET", url },
      { method: "POST", url, payload },
      { method: "DELETE", url, payload },
    ] as const) {
      expect((await app.inject(call)).statusCode).toBe(401);
      expect((await app.inject({ ...call, headers: await signInAs(bola) })).statusCode).toBe(403);
    }
    const headers = await signInAs(ada);
    for (const method of ["POST", "DELETE"] as const) {
      for (const [wrong, field] of [
        [{}, "phoneNo"],
        [{ phoneNo: "hello" }, "phoneNo"],
        [{ phoneNo: GONE, bogus: 1 }, "bogus"],
      ] as const) {
        const response = await app.inject({ method, url, headers, payload: wrong });
        expect([response.statusCode, Object.keys(response.json<ErrorBody>().fields ?? {})]).toEqual([400, [field]]);
      }
    }
    const list = await app.inject({ url: `${url}?bogus=1`, headers });
    expect(list.statusCode).toBe(400);
    expect((await db.query("select from opt_out")).rowCount).toBe(0);
  });
});

test("numbers are added once, searched, exported, imported and taken off, by the page and by a program", async ({
  app,
  db,
  deps,
  signInAs,
}) => {
  const user = await buildUser(db);
  await buildApprovedAddress(db, { userId: user.userId, address: ADDRESS });
  const { key } = await createApiKey(deps, user.userId, { name: "Shop" });
  const program = { remoteAddress: ADDRESS, headers: { authorization: `Bearer ${key}` } };
  const headers = await signInAs(user);
  const url = `/api/${user.userId}/opt-outs`;
  const list = async (query = "") => listSchema.parse((await app.inject({ url: `${url}?${query}`, headers })).json());

  const first = await app.inject({ method: "POST", url, headers, payload: { phoneNo: `0803 000 0001,${STAYS}` } });
  expect([first.statusCode, first.json()]).toMatchObject([201, { data: { added: 2, existing: 0 } }]);
  const v1 = { ...program, url: "/api/v1/opt-outs" };
  const byProgram = await app.inject({ ...v1, method: "POST", payload: { phoneNo: `${GONE},447911123456` } });
  expect([byProgram.statusCode, byProgram.json()]).toMatchObject([201, { data: { added: 1, existing: 1 } }]);
  const refused = await app.inject({ ...v1, method: "POST", payload: { phoneNo: GONE, bogus: 1 } });
  expect([refused.statusCode, refused.json()]).toMatchObject([
    400,
    { fields: { bogus: expect.any(String) as string } },
  ]);
  const file = await upload(app, `/api/${user.userId}/import-opt-outs`, {
    file: "Phone\n08030000003\n08030000001\n",
    fields: { code: "234" },
    headers,
  });
  expect([file.statusCode, file.json()]).toMatchObject([201, { data: { added: 1, existing: 1 } }]);
  for (const [fields, wrongField] of [
    [{ code: "x" }, "code"],
    [{ code: "234", bogus: "1" }, "bogus"],
  ] as const) {
    const wrong = await upload(app, `/api/${user.userId}/import-opt-outs`, { file: "08030000009\n", fields, headers });
    expect([wrong.statusCode, Object.keys(wrong.json<ErrorBody>().fields ?? {})]).toEqual([400, [wrongField]]);
  }
  const bad = await upload(app, `/api/${user.userId}/import-opt-outs`, {
    file: "08030000008\n12\n",
    fields: { code: "234" },
    headers,
  });
  expect(bad.statusCode).toBe(400);

  const all = await list();
  expect(all.data.map(({ phoneNo, source }) => [phoneNo, source])).toEqual([
    ["2348030000003", "import"],
    ["447911123456", "api"],
    [STAYS, "page"],
    [GONE, "page"],
  ]);
  const page = await list("limit=3");
  expect((await list(`limit=3&after=${encodeURIComponent(page.next ?? "")}`)).data).toEqual(all.data.slice(3));
  expect((await app.inject(v1)).json()).toEqual(all);
  expect((await list("search=0803000")).data).toHaveLength(3);
  expect((await list("search=7911")).data).toHaveLength(1);
  // A 0 at the start is more often one of the number's own than the one before it.
  expect((await list("search=000001")).data.map(({ phoneNo }) => phoneNo)).toEqual([GONE]);
  const csv = await app.inject({ url: `${url}?format=csv&search=7911`, headers });
  expect(csv.body).toMatch(/^\uFEFF"Number","Source","Added"\r\n"447911123456","api","[^"]+"\r\n$/);

  const removed = await app.inject({ method: "DELETE", url, headers, payload: { phoneNo: `${GONE},2349999999999` } });
  expect([removed.statusCode, removed.json()]).toMatchObject([200, { data: { removed: 1 } }]);
  const byProgramToo = await app.inject({ ...v1, method: "DELETE", payload: { phoneNo: STAYS } });
  expect([byProgramToo.statusCode, byProgramToo.json()]).toMatchObject([200, { data: { removed: 1 } }]);
  expect((await list()).data).toHaveLength(2);
});

test("no way of sending reaches who opted out, before or after the message was accepted, and nothing of it is charged", async ({
  app,
  db,
  deps,
  signInAs,
}) => {
  const user = await buildSender(db, { hasCarrier: false });
  const { userId } = user;
  await db.query(
    "insert into inbound_number (number_id, number, user_id, created_at) values (gen_random_uuid(), '32811', $1, now())",
    [userId],
  );
  const headers = await signInAs(user);
  await buildApprovedAddress(db, { userId, address: ADDRESS });
  const { key } = await createApiKey(deps, userId, { name: "Shop" });
  const program = { remoteAddress: ADDRESS, headers: { authorization: `Bearer ${key}` } };
  const fake = new FakeCarrier({
    behaviour: ({ phoneNo }) => (phoneNo === "2348030000003" ? { kind: "refused", reason: "status:8" } : "accept"),
  });
  const log = pino({ level: "silent" });
  const worker = new WorkerSession(db, log, {
    mark: new SendMark(db, log),
    readCarriers: async () => await Promise.resolve([fake.definition]),
    isRefundingFailed: false,
    onChange: () => undefined,
  });
  await worker.start();
  try {
    const catalogId = await buildCatalog(db, { userId, numbers: Float64Array.from([GONE, STAYS].map(Number)) });
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const both = buildSendBody({ phoneNo: `${GONE},${STAYS}` });
    const toCatalog = { senderName: FACTORY_SENDER_NAME, message: "Good morning", code: "234", catalogId };
    const post = async (path: string, payload: object) =>
      await app.inject({ method: "POST", url: `/api/${userId}/${path}`, headers, payload });

    // Accepted before they opted out: scheduled, from the page and from a draft, and one that failed at first.
    const early = [
      await post("schedule-sms", { ...both, sendAt: soon, timeZone: "Africa/Lagos" }),
      await post(`${await buildDraft(db, { userId, phoneNo: both.phoneNo })}/schedule-draft-sms`, {
        ...both,
        sendAt: soon,
        timeZone: "Africa/Lagos",
      }),
    ];
    for (const response of early) {
      expect(response.statusCode, response.body).toBe(201);
      expect(response.json<SendAnswer>().unitDetails).toMatchObject({ recipients: 2, charged: 6 });
    }
    const failing = await post("send-bulk-sms", buildSendBody({ phoneNo: "2348030000003" }));
    const failedId = failing.json<SendAnswer>().data._id;
    await until("it has failed", async () => {
      const { rows } = await db.query("select from message_count where message_id = $1 and failed = 1", [failedId]);
      return rows.length === 1;
    });
    await buildInbound(db, [{ from: GONE, to: "32811", text: "Hello" }]);
    const inbox = await app.inject({ url: `/api/${userId}/inbox`, headers });
    const inboxId = inbox.json<{ data: { _id: string }[] }>().data[0]?._id;

    const optOut = await post("opt-outs", { phoneNo: `${GONE},2348030000003` });
    expect(optOut.json()).toMatchObject({ data: { added: 2 } });

    const form = [
      encodeURIComponent(user.email),
      key,
      "Good%20morning",
      encodeURIComponent(FACTORY_SENDER_NAME),
      both.phoneNo,
      "234",
    ];
    const ways = {
      page: await post("send-bulk-sms", both),
      "catalog dialog": await post("send-bulk-sms", toCatalog),
      draft: await post(`${await buildDraft(db, { userId, phoneNo: both.phoneNo })}/send-draft-sms`, both),
      scheduled: await post("schedule-sms", { ...both, sendAt: soon, timeZone: "Africa/Lagos" }),
      v1: await app.inject({ ...program, method: "POST", url: "/api/v1/messages", payload: both }),
      "v1 catalog": await app.inject({ ...program, method: "POST", url: "/api/v1/messages", payload: toCatalog }),
      "v1 later": await app.inject({
        ...program,
        method: "POST",
        url: "/api/v1/messages",
        payload: { ...both, sendAt: soon },
      }),
      "GET call": await app.inject({ remoteAddress: ADDRESS, url: `/api/send-bulk-sms/${form.join("/")}` }),
    };
    for (const [way, response] of Object.entries(ways)) {
      expect([200, 201], `${way}: ${response.body}`).toContain(response.statusCode);
      expect(response.json<SendAnswer>().unitDetails, way).toMatchObject({
        recipients: 1,
        optedOut: 1,
        dnd: 0,
        charged: 3,
      });
    }
    // Nobody else is left.
    const alone = {
      page: await post("send-bulk-sms", buildSendBody({ phoneNo: GONE })),
      reply: await post(`${inboxId}/reply`, { message: "Hello" }),
      "resend failed": await post(`${failedId}/resend-failed`, {}),
    };
    for (const [way, response] of Object.entries(alone)) {
      expect(response.statusCode, `${way}: ${response.body}`).toBe(200);
      expect(response.json<SendAnswer>().unitDetails, way).toMatchObject({ recipients: 0, optedOut: 1, charged: 0 });
    }
    await db.query("update message set send_at = now() where state = 0");
    await until("all is sent", async () => {
      const { rows } = await db.query("select from message_count where waiting > 0");
      return rows.length === 0;
    });
    const reached = new Set(fake.taken.map(({ phoneNo }) => phoneNo));
    expect(reached).toEqual(new Set([STAYS, "2348030000003"]));
    expect(fake.taken.filter(({ phoneNo }) => phoneNo === "2348030000003")).toHaveLength(1);
    // Ten messages to the one who stays, each 3 units; nothing is held any more.
    const { balanceMilli, heldMilli } = await readBalance(db, userId);
    expect({ balanceMilli, heldMilli }).toEqual({ balanceMilli: 100_000 - 10 * 3_000, heldMilli: 0 });
    // Known when it was accepted, and found out when its turn came: the same in the list of recipients.
    for (const response of [ways.page, early[0]]) {
      const id = response?.json<SendAnswer>().data._id;
      const answer = await app.inject({ url: `/api/${userId}/${id}/recipients`, headers });
      const rows = messageRoutes.recipients.schema.response[200].parse(answer.json()).data;
      expect(rows.map(({ phoneNo, state }) => [phoneNo, state])).toEqual([
        [GONE, "optedOut"],
        [STAYS, "sent"],
      ]);
      const filtered = await app.inject({ url: `/api/${userId}/${id}/recipients?state=optedOut`, headers });
      expect(filtered.json<{ data: object[] }>().data).toMatchObject([{ phoneNo: GONE, state: "optedOut" }]);
      const message = await app.inject({ url: `/api/${userId}/${id}/view-one-sms`, headers });
      expect(message.json()).toMatchObject({ data: { counts: { optedOut: 1, sent: 1, waiting: 0 } } });
    }
  } finally {
    await worker.end();
  }
});
