import { describe } from "vitest";
import { lagosDate, resultRoutes, type UnitDetails } from "@ewebal/contract";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { chargeHolds, settleHold } from "../../../ledger/index.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildSender, FACTORY_SENDER_NAME } from "../../../testing/messages-factories.ts";
import { send } from "../testing/ask-to-send.ts";
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
    expect([saved.statusCode, saved.json<{ data: object }>().data]).toEqual([200, { weeklyMail: false }]);
    const read = await app.inject({ url, headers });
    expect(read.json<{ data: object }>().data).toEqual({ weeklyMail: false });
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
