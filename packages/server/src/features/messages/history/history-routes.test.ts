import { messageRoutes, type ErrorBody } from "@ewebal/contract";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { App } from "../../../http/app-type.ts";
import { chargeHolds, readBalance, releaseHolds } from "../../../ledger/index.ts";
import { buildMessage, testPhoneNos } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildDraft, buildSender, FACTORY_SENDER_NAME } from "../../../testing/messages-factories.ts";
import { addDndNumbers, ensurePartitions } from "../../delivery/index.ts";

type Headers = Record<string, string>;
const sentSchema = messageRoutes.resendFailed.schema.response[200];
const historySchema = messageRoutes.populateSmsHistory.schema.response[200];

/** A sent message of five: sent, failed, unknown, failed, and one on the do-not-disturb list. */
async function buildSentMessage(db: Db, user: BuiltUser): Promise<string> {
  await ensurePartitions(db, new Date());
  const phoneNos = testPhoneNos(5);
  const { userId, messageId } = await buildMessage(db, {
    userId: user.userId,
    senderName: FACTORY_SENDER_NAME,
    body: "=Good morning",
    phoneNos,
    dndPhoneNos: phoneNos.slice(4),
  });
  await withTransaction(db, async (tx) => {
    await tx.query(
      `insert into delivery (user_id, message_id, position, phone_no, state, submitted_at, updated_at, error_code)
       select $1, $2, position, 2348030000000 + position, state, now(), now(), error_code
       from (values (0, 1, null), (1, 3, 'report:undeliverable'), (2, 5, 'answer-lost'), (3, 3, 'report:expired')) as made (position, state, error_code)`,
      [userId, messageId],
    );
    await tx.query("update message_count set waiting = 0, sent = 1, failed = 2, unknown = 1 where message_id = $1", [
      messageId,
    ]);
    await tx.query("update message_batch set state = 3, intent_count = 5 where message_id = $1", [messageId]);
    await chargeHolds(tx, [{ userId, holdId: messageId, amountMilli: 9_000 }]);
    await releaseHolds(tx, [{ userId, holdId: messageId, amountMilli: 3_000 }]);
  });
  return messageId;
}

const resend = (app: App, user: BuiltUser, id: string, headers: Headers, payload?: object) =>
  app.inject({ method: "POST", url: `/api/${user.userId}/${id}/resend-failed`, headers, ...(payload && { payload }) });
const numbersOf = async (db: Db, messageId: string) =>
  (await db.query<{ recipients: number[] }>("select recipients from message_batch where message_id = $1", [messageId]))
    .rows[0]?.recipients;

describe("POST resend-failed", () => {
  test("refuses visitors, other customers and administrators; another's message is not found", async ({
    app,
    db,
    signInAs,
  }) => {
    const [user, other] = [await buildSender(db), await buildUser(db)];
    const id = await buildSentMessage(db, user);
    expect((await resend(app, user, id, {})).statusCode).toBe(401);
    for (const stranger of [other, await buildAdmin(db)])
      expect((await resend(app, user, id, await signInAs(stranger))).statusCode).toBe(403);
    expect((await resend(app, other, id, await signInAs(other))).statusCode).toBe(404);
  });

  test.for([{ states: [] }, { states: ["sent"] }, { states: "failed" }, { states: ["failed", "failed", "failed"] }])(
    "%j is refused",
    async (payload, { app, db, signInAs }) => {
      const user = await buildSender(db);
      const id = await buildSentMessage(db, user);
      expect((await resend(app, user, id, await signInAs(user), payload)).statusCode).toBe(400);
    },
  );

  test("sends the text and name to the failed only, as a new message at its own price", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const id = await buildSentMessage(db, user);
    const { freeMilli } = await readBalance(db, user.userId);
    const response = await resend(app, user, id, headers);
    const { data, unitDetails } = sentSchema.parse(response.json());
    expect(unitDetails).toMatchObject({
      received: 2,
      recipients: 2,
      charged: 6,
      available: (freeMilli - 6_000) / 1_000,
    });
    expect(await numbersOf(db, data._id)).toEqual([2_348_030_000_001, 2_348_030_000_003]);
    const view = await app.inject({ url: `/api/${user.userId}/${data._id}/view-one-sms`, headers });
    expect(view.json<{ data: object }>().data).toMatchObject({
      message: "=Good morning",
      senderName: FACTORY_SENDER_NAME,
      recipients: 2,
    });

    const both = await resend(app, user, id, headers, { states: ["unknown", "failed"] });
    expect(await numbersOf(db, sentSchema.parse(both.json()).data._id)).toEqual(
      [1, 2, 3].map((place) => 2_348_030_000_000 + place),
    );
  });

  test("with a key sends once; other states under it are another request", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = { ...(await signInAs(user)), "idempotency-key": "again-1" };
    const id = await buildSentMessage(db, user);
    const first = await resend(app, user, id, headers);
    expect((await resend(app, user, id, headers, { states: ["failed"] })).json()).toEqual(first.json());
    expect((await resend(app, user, id, headers, { states: ["unknown"] })).statusCode).toBe(422);
    expect((await db.query("select from message")).rowCount).toBe(2);
  });

  test("is refused when nobody failed, when the name was taken away, and without units; listed numbers are skipped", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 16_000 });
    const headers = await signInAs(user);
    const { messageId } = await buildMessage(db, { userId: user.userId, recipientCount: 1 });
    expect((await resend(app, user, messageId, headers)).json<ErrorBody>().code).toBe("STATE_CONFLICT");
    const id = await buildSentMessage(db, user);
    expect((await resend(app, user, id, headers)).json<ErrorBody>().code).toBe("UNITS_REQUIRED");
    await withTransaction(db, (tx) => addDndNumbers(tx, { phoneNos: [2_348_030_000_001], source: "carrier" }));
    expect((await resend(app, user, id, headers)).statusCode).toBe(503);
    await db.query("delete from sender_name");
    expect((await resend(app, user, id, headers)).json<ErrorBody>().code).toBe("SENDER_NOT_APPROVED");
  });
});

describe("files", () => {
  test("the recipients as CSV: all of them or one state, reasons in words, numbers that a spreadsheet keeps", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const id = await buildSentMessage(db, user);
    const url = `/api/${user.userId}/${id}/recipients?format=csv`;
    const file = await app.inject({ url, headers });
    expect([file.statusCode, file.headers["content-type"], file.headers["content-disposition"]]).toEqual([
      200,
      "text/csv; charset=utf-8",
      'attachment; filename="recipients.csv"',
    ]);
    const lines = file.body.trimEnd().split("\r\n");
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe('\uFEFF"Number","Network","State","Reason","What to do","Carrier\'s code","Updated"');
    expect(lines[2]).toMatch(
      /^"234 803 000 0001","MTN","failed","The network could not deliver the message","Check .*","undeliverable","20/,
    );
    const failed = await app.inject({ url: `${url}&state=failed`, headers });
    expect(failed.body.trimEnd().split("\r\n")).toHaveLength(3);
    const other = await buildUser(db);
    expect(
      (await app.inject({ url: `/api/${other.userId}/${id}/recipients?format=csv`, headers: await signInAs(other) }))
        .statusCode,
    ).toBe(404);
    expect((await app.inject({ url })).statusCode).toBe(401);
  });

  test("the recipients of a large message stream in pieces, all of them in order", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { balanceMilli: 100_000_000 });
    const { messageId, phoneNos } = await buildMessage(db, { userId: user.userId, recipientCount: 5_001 });
    const file = await app.inject({
      url: `/api/${user.userId}/${messageId}/recipients?format=csv`,
      headers: await signInAs(user),
    });
    const numbers = file.body
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => Number((line.split('"')[1] ?? "").replaceAll(" ", "")));
    expect(numbers).toEqual(phoneNos);
  });

  test("the history as CSV keeps the filters, and no cell is a formula", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { balanceMilli: 100_000_000 });
    const headers = await signInAs(user);
    await buildSentMessage(db, user);
    await buildMessage(db, { userId: user.userId, body: 'Say "hello",\nplease' });
    const file = await app.inject({ url: `/api/${user.userId}/populate-sms-history?format=csv`, headers });
    expect(file.body).toContain(`"'=Good morning"`);
    expect(file.body).toContain('"Say ""hello"",\nplease"');
    expect(file.body.split("\r\n", 1)[0]).toContain('"Cancelled","Charged","Reserved","Returned","Id"');
    expect(file.body).toContain('"0","9.000","0.000","3.000"');
    expect(file.body).toContain('"0","0.000","9.000","0.000"');
    const done = await app.inject({ url: `/api/${user.userId}/populate-sms-history?format=csv&state=done`, headers });
    expect(done.body.trimEnd().split("\r\n")).toHaveLength(2);
  });
});

test("a message's units say what it cost, what is still reserved and what came back, in every list and alone", async ({
  app,
  db,
  signInAs,
}) => {
  const user = await buildSender(db);
  const headers = await signInAs(user);
  const [id, [skipped = 0]] = [await buildSentMessage(db, user), testPhoneNos(1)];
  await buildMessage(db, { userId: user.userId, recipientCount: 3, priceMilli: 5_925 });
  await buildMessage(db, { userId: user.userId, phoneNos: [skipped], dndPhoneNos: [skipped] });
  const read = async (url: string, who: Headers) =>
    historySchema.parse((await app.inject({ url, headers: who })).json()).data.map(({ units }) => units);
  const expected = [
    { charged: 0, reserved: 0, returned: 0 },
    { charged: 0, reserved: 17.775, returned: 0 },
    { charged: 9, reserved: 0, returned: 3 },
  ];
  expect(await read(`/api/${user.userId}/populate-sms-history`, headers)).toEqual(expected);
  expect(await read("/api/view-all-sms-messages", await signInAs(await buildAdmin(db)))).toEqual(expected);
  const one = await app.inject({ url: `/api/${user.userId}/${id}/view-one-sms`, headers });
  expect(messageRoutes.viewOneSms.schema.response[200].parse(one.json()).data.units).toEqual(expected[2]);
});

describe("filters of the history", () => {
  test.for([
    "state=scheduled",
    "from=yesterday",
    "to=2026-02-30",
    "search=" + "x".repeat(101),
    "state=done&state=sending",
  ])("%s is refused", async (query, { app, db, signInAs }) => {
    const user = await buildUser(db);
    const response = await app.inject({
      url: `/api/${user.userId}/populate-sms-history?${query}`,
      headers: await signInAs(user),
    });
    expect(response.statusCode).toBe(400);
  });

  test("are taken together, and an empty search means all", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const id = await buildSentMessage(db, user);
    await buildMessage(db, { userId: user.userId, recipientCount: 1 });
    const list = async (query: string) =>
      historySchema
        .parse((await app.inject({ url: `/api/${user.userId}/populate-sms-history?${query}`, headers })).json())
        .data.map(({ _id }) => _id);
    expect(
      await list(`state=done&sender=${encodeURIComponent(FACTORY_SENDER_NAME)}&search=morning&from=2020-01-01`),
    ).toEqual([id]);
    expect(await list("search=08030000003")).toEqual([id]);
    expect(await list("search=")).toHaveLength(2);
    expect(await list("to=2020-01-01")).toEqual([]);
  });
});

describe("administrators' lists", () => {
  test("are for administrators only", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    for (const url of ["/api/view-all-sms-messages", "/api/view-all-drafts"]) {
      expect((await app.inject({ url })).statusCode).toBe(401);
      expect((await app.inject({ url, headers: await signInAs(user) })).statusCode).toBe(403);
    }
  });

  test("show everybody's messages and drafts, newest first, by pages and search", async ({ app, db, signInAs }) => {
    const [ada, ben] = [
      await buildSender(db, { userName: "Ada" }),
      await buildSender(db, { userName: "Ben", hasCarrier: false }),
    ];
    const headers = await signInAs(await buildAdmin(db));
    const ids = [
      (await buildMessage(db, { userId: ada.userId, userName: "Ada", body: "One", recipientCount: 1 })).messageId,
      (await buildMessage(db, { userId: ben.userId, userName: "Ben", body: "Two", recipientCount: 1 })).messageId,
    ];
    const drafts = [
      await buildDraft(db, { userId: ada.userId, message: "One" }),
      await buildDraft(db, { userId: ben.userId, message: "Two", phoneNo: "0809 999" }),
    ];
    const read = async (url: string) => {
      const { data, next } = (await app.inject({ url: `/api/${url}`, headers })).json<{
        data: { _id: string; userName: string }[];
        next: string | null;
      }>();
      return { rows: data.map(({ _id, userName }) => [_id, userName]), next };
    };
    for (const [call, [first, second]] of [
      ["view-all-sms-messages", ids],
      ["view-all-drafts", drafts],
    ] as const) {
      const page = await read(`${call}?limit=1`);
      expect(page.rows).toEqual([[second, "Ben"]]);
      expect(await read(`${call}?limit=1&after=${page.next}`)).toEqual({ rows: [[first, "Ada"]], next: null });
      expect((await read(`${call}?search=ONE`)).rows).toEqual([[first, "Ada"]]);
    }
    expect((await read("view-all-drafts?search=08099%2099")).rows).toEqual([[drafts[1], "Ben"]]);
  });
});
