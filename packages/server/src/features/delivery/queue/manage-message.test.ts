import { setTimeout as sleep } from "node:timers/promises";
import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { isDistributed } from "../../../db/distribution.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { buildFundedUser, buildMessage } from "../../../testing/delivery-factories.ts";
import { buildUser } from "../../../testing/factories.ts";
import { getMessage, listMessages } from "../lists/list-messages.ts";
import { cancelMessage, hideMessage, pauseMessage, resumeMessage } from "./manage-message.ts";
import { startDueMessages } from "./start-due-messages.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { expect, overlap, readCounts, readSpent, test, until, untilCounts } from "../testing/worker-test.ts";

const now = () => new Date();
const later = () => new Date(Date.now() + 3_600_000);
const page = { limit: 50, after: undefined };

describe("refusals", () => {
  test.for([pauseMessage, resumeMessage, cancelMessage, hideMessage])(
    "%o answers NOT_FOUND for another customer's message",
    async (operation, { db }) => {
      const message = await buildMessage(db);
      const stranger = await buildUser(db);
      const refusal = withTransaction(db, (tx) => operation(tx, { ...message, userId: stranger.userId }, now()));
      await expect(refusal).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await getMessage(db, message)).toMatchObject({ state: "sending" });
    },
  );

  test("a done message can be neither paused, resumed nor cancelled", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    await startSession([new FakeCarrier()]);
    await untilCounts(db, message, { sent: 1 });
    for (const operation of [pauseMessage, resumeMessage, cancelMessage]) {
      const refusal = withTransaction(db, (tx) => operation(tx, message, now()));
      await expect(refusal).rejects.toMatchObject({ code: "STATE_CONFLICT", extra: { state: "done" } });
    }
  });

  test("a scheduled message can be neither paused, resumed nor hidden", async ({ db }) => {
    const message = await buildMessage(db, { sendAt: later() });
    for (const operation of [pauseMessage, resumeMessage, hideMessage]) {
      await expect(withTransaction(db, (tx) => operation(tx, message, now()))).rejects.toMatchObject({
        code: "STATE_CONFLICT",
      });
    }
  });
});

describe("pausing", () => {
  test("stops handing over within 2 s, and resuming sends the rest once", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 5_000 });
    const carrier = new FakeCarrier({ windowSize: 10 });
    await startSession([carrier]);
    await until("some are sent", () => carrier.taken.length > 200);

    await withTransaction(db, (tx) => pauseMessage(tx, message, now()));
    const pausedAtMs = performance.now();
    await until(
      "no batch is leased",
      async () => (await db.query("select from message_batch where state = 2")).rows.length === 0,
    );
    expect(performance.now() - pausedAtMs).toBeLessThan(2_000);
    const takenCount = carrier.taken.length;
    await sleep(100);
    expect(carrier.taken).toHaveLength(takenCount);
    expect(await getMessage(db, message)).toMatchObject({
      state: "paused",
      counts: { sent: takenCount, waiting: 5_000 - takenCount },
    });

    await withTransaction(db, (tx) => resumeMessage(tx, message, now()));
    carrier.facts.windowSize = 500;
    await untilCounts(db, message, { sent: 5_000 });
    expect(new Set(carrier.phoneNos).size).toBe(5_000);
    expect(carrier.taken).toHaveLength(5_000);
  });

  test("reaches a batch whose carrier answers nothing", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 600 });
    const carrier = new FakeCarrier({ windowSize: 5, behaviour: () => "silent" });
    await startSession([carrier]);
    await until("the window is full", () => carrier.taken.length === 5);
    await withTransaction(db, (tx) => pauseMessage(tx, message, now()));
    // The worker hears of it with its next heartbeat, which takes a loaded cluster longer.
    await sleep(isDistributed(db) ? 5_000 : 1_300);
    for (const taken of carrier.taken) carrier.answer(taken, "accept");
    await untilCounts(db, message, { waiting: 595, sent: 5 });
    await sleep(100);
    expect(carrier.taken).toHaveLength(5);
  });

  test("and resuming again and again sends everything once", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 3_000 });
    const carrier = new FakeCarrier({ windowSize: 20 });
    await startSession([carrier]);
    for (let round = 0; round < 8; round += 1) {
      await withTransaction(db, (tx) => pauseMessage(tx, message, now()));
      await sleep(20 * round);
      await withTransaction(db, (tx) => resumeMessage(tx, message, now()));
      await sleep(30);
    }
    carrier.facts.windowSize = 500;
    await untilCounts(db, message, { sent: 3_000 });
    expect(carrier.taken).toHaveLength(3_000);
    expect(new Set(carrier.phoneNos).size).toBe(3_000);
  });
});

describe("cancelling", () => {
  test("gives up what is not handed over, and gives its units back", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 5_000 });
    const carrier = new FakeCarrier({ windowSize: 10 });
    await startSession([carrier]);
    await until("some are sent", () => carrier.taken.length > 200);

    await withTransaction(db, (tx) => cancelMessage(tx, message, now()));
    await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);

    const { sent, cancelled } = await readCounts(db, message);
    expect(sent).toBe(carrier.taken.length);
    expect(cancelled).toBe(5_000 - sent);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: sent * message.priceMilli, heldMilli: 0 });
    expect(await getMessage(db, message)).toMatchObject({ state: "cancelled" });
    await withTransaction(db, (tx) => cancelMessage(tx, message, now()));
  });

  test("a scheduled message gives all units back", async ({ db }) => {
    const message = await buildMessage(db, { sendAt: later(), recipientCount: 700 });
    await withTransaction(db, (tx) => cancelMessage(tx, message, now()));
    await untilCounts(db, message, { cancelled: 700 });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
  });

  test("twice at once releases once", async ({ db }) => {
    const message = await buildMessage(db, { recipientCount: 10 });
    const [first, second] = await overlap(
      db,
      (tx) => cancelMessage(tx, message, now()),
      (tx) => cancelMessage(tx, message, now()),
    );
    expect([first.status, second.status]).toEqual(["fulfilled", "fulfilled"]);
    await untilCounts(db, message, { cancelled: 10 });
  });

  test("leaves out recipients on the do-not-disturb list", async ({ db }) => {
    const message = await buildMessage(db, { phoneNos: [234_803_1, 234_803_2, 234_803_3], dndPhoneNos: [234_803_2] });
    await withTransaction(db, (tx) => cancelMessage(tx, message, now()));
    await untilCounts(db, message, { cancelled: 2, dnd: 1 });
  });
});

describe("a scheduled message", () => {
  test("is listed apart, and not sent before its time", async ({ db, startSession }) => {
    const message = await buildMessage(db, { sendAt: later(), timeZone: "Africa/Lagos" });
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await sleep(700);
    expect(carrier.taken).toEqual([]);
    expect(await listMessages(db, { userId: message.userId, query: page })).toEqual({ rows: [], next: null });
    const scheduled = await listMessages(db, { userId: message.userId, query: page, isScheduled: true });
    expect(scheduled.rows).toMatchObject([
      { messageId: message.messageId, state: "scheduled", timeZone: "Africa/Lagos" },
    ]);
  });

  test("is sent once when two workers find it due at once", async ({ db, startSession }) => {
    const message = await buildMessage(db, { sendAt: new Date(Date.now() + 300), recipientCount: 600 });
    const carrier = new FakeCarrier({ bindCount: 2 });
    await startSession([carrier]);
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 600 });
    expect(carrier.taken).toHaveLength(600);
    expect((await listMessages(db, { userId: message.userId, query: page })).rows).toMatchObject([{ state: "done" }]);
  });

  test("is started by one of two starters that overlap", async ({ db }) => {
    const message = await buildMessage(db, { sendAt: new Date(Date.now() - 1_000) });
    const counts = await Promise.all([startDueMessages(db), startDueMessages(db), startDueMessages(db)]);
    expect(counts.flat()).toEqual([{ userId: message.userId, messageId: message.messageId }]);
  });

  test("of a blocked customer waits until the block is lifted", async ({ db }) => {
    const message = await buildMessage(db, { sendAt: new Date(Date.now() - 1_000) });
    await db.query("update app_user set blocked_at = now()");
    expect(await startDueMessages(db)).toEqual([]);
    await db.query("update app_user set blocked_at = null");
    expect(await startDueMessages(db)).toHaveLength(1);
    expect(await getMessage(db, message)).toMatchObject({ state: "sending" });
  });
});

describe("lists", () => {
  test("are newest first, by pages, without hidden messages", async ({ db }) => {
    const user = await buildFundedUser(db);
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.push(
        (await buildMessage(db, { userId: user.userId, messageId: uuidv7({ msecs: 1_000 + index }) })).messageId,
      );
    }
    await buildMessage(db);
    const hidden = ids[1] ?? "";
    await withTransaction(db, (tx) => hideMessage(tx, { userId: user.userId, messageId: hidden }, now()));
    await expect(getMessage(db, { userId: user.userId, messageId: hidden })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });

    const first = await listMessages(db, { userId: user.userId, query: { limit: 3, after: undefined } });
    expect(first.rows.map(({ messageId }) => messageId)).toEqual([ids[4], ids[3], ids[2]]);
    const second = await listMessages(db, { userId: user.userId, query: { limit: 3, after: first.next ?? undefined } });
    expect(second).toMatchObject({ rows: [{ messageId: ids[0] }], next: null });
  });

  test("refuse a cursor that is none", async ({ db }) => {
    const user = await buildUser(db);
    const refusal = listMessages(db, { userId: user.userId, query: { limit: 3, after: "x" } });
    await expect(refusal).rejects.toMatchObject({ code: "VALIDATION", fields: { after: expect.any(String) } });
  });
});
