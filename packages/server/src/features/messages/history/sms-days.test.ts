import { limits, messageRoutes, type ErrorBody, type MessageDayAnswer } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { smallestIdOf } from "../../delivery/states.ts";
import { buildMessage, testPhoneNos } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildSender } from "../../../testing/messages-factories.ts";

const answerSchema = messageRoutes.viewSmsDays.schema.response[200];
const none = {
  waiting: 0,
  sent: 0,
  delivered: 0,
  failed: 0,
  dnd: 0,
  unknown: 0,
  cancelled: 0,
  optedOut: 0,
  expired: 0,
};

/** Gives a message's recipients these states. */
async function count(db: Db, messageId: string, counts: Partial<MessageDayAnswer["counts"]>): Promise<void> {
  const { waiting, sent, delivered, failed, dnd, unknown } = { ...none, ...counts };
  await db.query(
    "update message_count set waiting = $2, sent = $3, delivered = $4, failed = $5, dnd = $6, unknown = $7 where message_id = $1",
    [messageId, waiting, sent, delivered, failed, dnd, unknown],
  );
}

describe("GET view-sms-days", () => {
  test("refuses visitors, other customers, administrators and fields that it does not know", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const url = `/api/${user.userId}/view-sms-days`;
    expect((await app.inject({ url })).statusCode).toBe(401);
    for (const stranger of [await buildUser(db), await buildAdmin(db)]) {
      const answer = await app.inject({ url, headers: await signInAs(stranger) });
      expect([answer.statusCode, answer.json<ErrorBody>().code]).toEqual([403, "FORBIDDEN"]);
    }
    const answer = await app.inject({ url: `${url}?days=90`, headers: await signInAs(user) });
    expect([answer.statusCode, answer.json<ErrorBody>().code]).toEqual([400, "VALIDATION"]);
  });

  test("a newcomer has 30 empty days, today the last; a day begins at midnight in Lagos", async ({
    app,
    db,
    clock,
    signInAs,
  }) => {
    const user = await buildUser(db);
    clock.advance(Date.parse("2026-03-31T22:59:59.999Z") - clock.now().getTime());
    const read = async (): Promise<MessageDayAnswer[]> =>
      answerSchema.parse(
        (await app.inject({ url: `/api/${user.userId}/view-sms-days`, headers: await signInAs(user) })).json(),
      ).data;
    const days = await read();
    expect(days).toHaveLength(limits.dashboardDays);
    expect(days.every(({ messages, counts }) => messages === 0 && sum(counts) === 0)).toBe(true);
    expect([days[0]?.day, days.at(-1)?.day]).toEqual(["2026-03-02", "2026-03-31"]);
    clock.advance(Date.parse("2026-03-31T23:00:00Z") - clock.now().getTime());
    expect((await read()).at(-1)?.day).toBe("2026-04-01");
  });

  test("a message counts on the day of Lagos on which it went out, with DND apart from failed, deleted or not", async ({
    app,
    db,
    clock,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 100_000_000 });
    clock.advance(Date.parse("2026-03-31T12:00:00Z") - clock.now().getTime());
    const send = async (time: string, recipientCount: number): Promise<string> =>
      (
        await buildMessage(db, {
          userId: user.userId,
          messageId: uuidv7({ msecs: Date.parse(time) }),
          recipientCount,
        })
      ).messageId;
    await send("2026-03-01T22:59:59.999Z", 1);
    await send("2026-03-01T23:00:00.000Z", 2);
    await send("2026-03-30T22:59:59.999Z", 3);
    const today = await send("2026-03-30T23:00:00.000Z", 10);
    await count(db, today, { delivered: 4, failed: 2, dnd: 1, sent: 2, unknown: 1 });
    const hidden = await send("2026-03-31T08:00:00.000Z", 5);
    await db.query("update message set hidden_at = now() where message_id = $1", [hidden]);
    const scheduled = await buildMessage(db, {
      userId: user.userId,
      sendAt: new Date("2026-03-31T15:00:00Z"),
      timeZone: "Africa/Lagos",
      recipientCount: 7,
    });
    await buildMessage(db, {
      messageId: uuidv7({ msecs: Date.parse("2026-03-31T08:00:00Z") }),
      phoneNos: testPhoneNos(9),
    });
    const headers = await signInAs(user);
    const read = async (): Promise<MessageDayAnswer[]> =>
      answerSchema.parse((await app.inject({ url: `/api/${user.userId}/view-sms-days`, headers })).json()).data;
    const sentDays = (days: MessageDayAnswer[]) => days.filter(({ messages }) => messages > 0);
    expect(sentDays(await read())).toEqual([
      { day: "2026-03-02", messages: 1, counts: { ...none, waiting: 2 } },
      { day: "2026-03-30", messages: 1, counts: { ...none, waiting: 3 } },
      {
        day: "2026-03-31",
        messages: 2,
        counts: { ...none, waiting: 5, delivered: 4, failed: 2, dnd: 1, sent: 2, unknown: 1 },
      },
    ]);

    // A scheduled message counts from its start on, on that day.
    await db.query("update message set state = 1, listed_id = $2 where message_id = $1", [
      scheduled.messageId,
      smallestIdOf(Date.parse("2026-03-31T15:00:00Z")),
    ]);
    expect((await read()).at(-1)).toMatchObject({ messages: 3, counts: { waiting: 12 } });
    // The counts of this test are none that the ledger's rule knows.
    await count(db, today, { waiting: 10 });
  });
});

function sum(counts: MessageDayAnswer["counts"]): number {
  return Object.values(counts).reduce<number>((total, number) => total + (number ?? 0), 0);
}
