import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { lagosDate, resultRoutes, type UnitDetails } from "@ewebal/contract";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { chargeHolds, holdUnits, settleHold, topUpUnits } from "../../../ledger/index.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildSender, FACTORY_SENDER_NAME } from "../../../testing/messages-factories.ts";
import { eventBits } from "../../../outbox/index.ts";
import { buildFundedUser } from "../../../testing/delivery-factories.ts";
import { send } from "../testing/ask-to-send.ts";
import { tellLowBalances } from "./low-balance.ts";
import { writeWeeklyMails } from "./weekly-mail.ts";

type Sent = { data: { _id: string }; unitDetails: UnitDetails };
const NUMBERS = ["2348030000001", "2348020000002", "2348030000003", "2348050000004"];
const HOUR = "2026-11-02T09:00:00.000Z";

/** As a worker records it: two delivered in one hour, one failed in the next, the last is on its way. */
async function recordOutcomes(db: Db, userId: string, messageId: string): Promise<void> {
  const at = new Date(HOUR).getTime() + 60_000;
  const rows = [
    [0, 2, at, null],
    [1, 2, at + 1_000, null],
    [2, 3, at + 3_600_000, "report:undeliverable:001"],
    [3, 1, at, null],
  ] as const;
  for (const [position, state, updatedAt, errorCode] of rows)
    await db.query(
      `insert into delivery (user_id, message_id, position, phone_no, state, submitted_at, updated_at, error_code)
       values ($1, $2, $3, $4, $5, $6, $6, $7)`,
      [userId, messageId, position, NUMBERS[position], state, new Date(updatedAt), errorCode],
    );
  await db.query(
    "update message_count set waiting = 0, sent = 1, delivered = 2, failed = 1 where user_id = $1 and message_id = $2",
    [userId, messageId],
  );
  await db.query("update message_batch set state = 3 where user_id = $1 and message_id = $2", [userId, messageId]);
  await withTransaction(db, async (tx) => {
    await chargeHolds(tx, [{ userId, holdId: messageId, amountMilli: 9_000 }]);
    await settleHold(tx, { userId, holdId: messageId });
  });
}

describe("results", () => {
  test("of a message are told by reason, network and hour, with clicks, opt-outs and cost", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const fields = { senderName: FACTORY_SENDER_NAME, code: "234", phoneNo: NUMBERS.join(",") };
    const message = "Go {{link:https://a.example}}";
    const sent = await send(app, user, headers, { ...fields, message, optOutLink: true });
    const { _id: messageId } = sent.json<Sent>().data;
    await recordOutcomes(db, user.userId, messageId);
    const listed = await app.inject({ url: `/api/${user.userId}/${messageId}/recipients`, headers });
    const [{ text = "" } = {}] = listed.json<{ data: { text?: string }[] }>().data;
    const [click = "", stop = ""] = [...text.matchAll(/\/[lo]\/[A-Za-z0-9]{7}/g)].map(([path]) => path);
    await app.inject({ url: click });
    await app.inject({ url: click });
    await app.inject({ method: "POST", url: stop });

    const url = `/api/${user.userId}/${messageId}/results`;
    const answer = await app.inject({ url, headers });
    const { data } = resultRoutes.messageResults.schema.response[200].parse(answer.json());
    expect(data).toEqual({
      recipients: 4,
      delivered: 2,
      failed: 1,
      reasons: [{ reason: "Number not in service", count: 1 }],
      networks: [
        { network: "MTN", delivered: 1, failed: 1 },
        { network: "Airtel", delivered: 1, failed: 0 },
      ],
      hours: [
        { hour: HOUR, delivered: 2, failed: 0 },
        { hour: "2026-11-02T10:00:00.000Z", delivered: 0, failed: 1 },
      ],
      clicks: 2,
      optOuts: 1,
      charged: 9,
    });
    const file = await app.inject({ url: `${url}?format=csv`, headers });
    expect(file.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(file.body).toContain('"All","","4","2","1","2","1","9"\r\n');
    expect(file.body).toContain('"Reason","Number not in service","","","1"');
    expect((await app.inject({ url: `${url}?format=xml`, headers })).statusCode).toBe(400);

    const day = lagosDate(new Date());
    const ofDay = `/api/${user.userId}/results?from=${day}&to=${day}`;
    const period = await app.inject({ url: ofDay, headers });
    const { days, ...same } = resultRoutes.results.schema.response[200].parse(period.json()).data;
    expect(same).toEqual(data);
    expect(days).toEqual([
      { day, messages: 1, recipients: 4, delivered: 2, failed: 1, clicks: 2, optOuts: 1, charged: 9 },
    ]);
    // What has changed since is counted again.
    await db.query("update delivery set state = 2, updated_at = $1 where position = 3", [new Date(HOUR)]);
    await db.query("update message_count set sent = 0, delivered = 3");
    for (const again of [url, ofDay]) {
      const { networks } = (await app.inject({ url: again, headers })).json<{ data: typeof data }>().data;
      expect(networks.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(3);
    }
  });

  test("belong to their customer, take whole periods, and refuse unknown fields", async ({ app, db, signInAs }) => {
    const [user, other] = [await buildSender(db), await buildSender(db)];
    const headers = await signInAs(user);
    const fields = { senderName: FACTORY_SENDER_NAME, code: "234", phoneNo: NUMBERS[0], message: "Hello" };
    const sent = await send(app, other, await signInAs(other), fields);
    const of = async (url: string) => (await app.inject({ url, headers })).statusCode;
    expect(await of(`/api/${user.userId}/${sent.json<Sent>().data._id}/results`)).toBe(404);
    expect(await of(`/api/${other.userId}/results`)).toBe(403);
    const mine = `/api/${user.userId}/results`;
    for (const query of ["from=2026-01-01", "from=2026-02-01&to=2026-01-01", "from=2025-01-01&to=2026-06-01", "x=1"])
      expect(await of(`${mine}?${query}`), query).toBe(400);
    const { days, recipients } = (await app.inject({ url: mine, headers })).json<{
      data: { days: object[]; recipients: number };
    }>().data;
    expect([days.length, recipients]).toEqual([30, 0]);
    const csv = await app.inject({ url: `${mine}?from=2026-01-01&to=2026-01-02&format=csv`, headers });
    expect(csv.body.split("\r\n").filter((line) => line.startsWith('"Day"'))).toHaveLength(2);
  });
});

describe("the weekly mail", () => {
  test("tells of the week before, once, whoever sent something and did not turn it off", async ({
    app,
    clock,
    db,
    deps,
    mailsTo,
    signInAs,
  }) => {
    const [sender, silent, quiet] = [await buildSender(db), await buildSender(db), await buildSender(db)];
    const fields = { senderName: FACTORY_SENDER_NAME, code: "234", phoneNo: NUMBERS.join(","), message: "Hello" };
    for (const user of [sender, silent]) await send(app, user, await signInAs(user), fields);
    const url = `/api/${silent.userId}/notifications`;
    const headers = await signInAs(silent);
    const set = async (payload: object) => await app.inject({ method: "PATCH", url, headers, payload });
    const saved = await set({ weeklyMail: false });
    expect([saved.statusCode, saved.json<{ data: object }>().data]).toEqual([
      200,
      { weeklyMail: false, newDeviceMail: true, balanceBelow: null },
    ]);
    const read = await app.inject({ url, headers });
    expect(read.json<{ data: object }>().data).toEqual({ weeklyMail: false, newDeviceMail: true, balanceBelow: null });
    expect((await set({ weeklyMail: "no" })).statusCode).toBe(400);
    expect((await set({ weekly: true })).statusCode).toBe(400);

    // Messages have their ids by the machine's clock: the mail is written a week after it.
    clock.advance(Date.now() + 7 * 24 * 3_600_000 - clock.now().getTime());
    await writeWeeklyMails(deps);
    await writeWeeklyMails(deps);
    const [mail, ...more] = await mailsTo(sender.email);
    expect(more).toEqual([]);
    expect(mail?.text).toContain("Recipients: 4");
    expect(mail?.text).toMatch(/\/user-dashboard\/results\?from=\d{4}-\d{2}-\d{2}&to=\d{4}-\d{2}-\d{2}/);
    expect([await mailsTo(silent.email), await mailsTo(quiet.email)]).toEqual([[], []]);
  });
});

describe("the balance alert", () => {
  test("tells by one event and one mail when units fall below the amount, and again after they were above it", async ({
    app,
    db,
    deps,
    mailsTo,
    signInAs,
  }) => {
    const user = await buildFundedUser(db, { unitsMilli: 100_000 });
    const { userId } = user;
    const url = `/api/${userId}/notifications`;
    const headers = await signInAs(user);
    const set = async (payload: object) => await app.inject({ method: "PATCH", url, headers, payload });
    for (const balanceBelow of [0, -1, 1.5, "50", 1e15]) {
      const refused = await set({ balanceBelow });
      expect(refused.statusCode, String(balanceBelow)).toBe(400);
      expect(refused.json<{ fields: object }>().fields).toHaveProperty("balanceBelow");
    }
    const stranger = await signInAs(await buildFundedUser(db));
    const theirs = await app.inject({ method: "PATCH", url, headers: stranger, payload: { balanceBelow: 50 } });
    expect(theirs.statusCode).toBe(403);

    const events = eventBits(["balance.low"]);
    await db.query(
      "insert into webhook_endpoint (user_id, endpoint_id, url, events, secret, created_at) values ($1, $1, 'http://127.0.0.1:9/', $2, '', now())",
      [userId, events],
    );
    const told = async (): Promise<object[]> => {
      // Two hosts look at the same time.
      await Promise.all([tellLowBalances(deps), tellLowBalances(deps)]);
      const { rows } = await db.query<{ body: string }>(
        "select body from webhook_event where user_id = $1 order by event_id",
        [userId],
      );
      expect(await mailsTo(user.email)).toHaveLength(rows.length);
      return rows.map(({ body }) => (JSON.parse(body) as { data: object }).data);
    };
    const spend = async (amountMilli: number): Promise<void> =>
      await withTransaction(db, async (tx) => void (await holdUnits(tx, { userId, holdId: uuidv7(), amountMilli })));

    const saved = await set({ balanceBelow: 50 });
    expect(saved.json<{ data: object }>().data).toEqual({ weeklyMail: true, newDeviceMail: true, balanceBelow: 50 });
    await spend(50_000);
    expect(await told(), "50 are not below 50").toEqual([]);
    await spend(1_500);
    const first = { units: 48.5, below: 50 };
    expect(await told()).toEqual([first]);
    await spend(1_000);
    expect(await told(), "still below").toEqual([first]);
    await set({ balanceBelow: 50, weeklyMail: false });
    expect(await told(), "the same amount again").toEqual([first]);
    await withTransaction(db, (tx) =>
      topUpUnits(tx, { userId, source: "manual", reference: uuidv7(), amountMilli: 10_000 }),
    );
    expect(await told(), "above again").toEqual([first]);
    await spend(10_000);
    expect(await told()).toEqual([first, { units: 47.5, below: 50 }]);
    const [mail] = await mailsTo(user.email);
    expect(mail?.subject).toContain("50.00");
    await set({ balanceBelow: null });
    await spend(40_000);
    expect(await told(), "turned off").toHaveLength(2);
    expect((await app.inject({ url, headers })).json<{ data: object }>().data).toEqual({
      weeklyMail: false,
      newDeviceMail: true,
      balanceBelow: null,
    });
    await set({ balanceBelow: 9 });
    expect((await told()).at(-1), "units are short already").toEqual({ units: 7.5, below: 9 });
    await set({ balanceBelow: 10 });
    expect(await told(), "a higher amount").toHaveLength(3);
    await set({ balanceBelow: 8 });
    expect((await told()).at(-1), "a lower amount").toEqual({ units: 7.5, below: 8 });
  });
});
