import { setTimeout as sleep } from "node:timers/promises";
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { expect, killSession, readCounts, test, until, untilCounts } from "../testing/worker-test.ts";

describe("two workers", () => {
  test("share a carrier's binds, and never hold one twice", async ({ db, startSession }) => {
    const carrier = new FakeCarrier({ bindCount: 3 });
    await startSession([carrier]);
    await until("the first has all", () => carrier.heldBinds.length === 3);
    const second = await startSession([carrier]);
    // The extra bind is drained and given back before the other takes it.
    await until("they share", async () => {
      const { rows } = await db.query<{ count: number }>(
        "select count(*)::integer as count from carrier_bind group by worker_id order by 1",
      );
      return JSON.stringify(rows.map((row) => row.count)) === "[1,2]";
    });
    await until("all binds are held, each once", () => carrier.heldBinds.join() === "0,1,2");
    await second.stop();
    await until("the first has all again", async () => {
      const { rows } = await db.query("select distinct worker_id from carrier_bind");
      return rows.length === 1 && carrier.heldBinds.join() === "0,1,2";
    });
  });

  test("with one bind: the second stands by, and takes over when the first is killed", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 3_000 });
    const carrier = new FakeCarrier({ windowSize: 10 });
    const first = await startSession([carrier]);
    const second = await startSession([carrier]);
    await until("it is under way", () => carrier.taken.length > 100);
    expect(second.stats().answers).toBe(0);
    await killSession(db, first);
    carrier.facts.windowSize = 500;
    await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);
    expect(second.stats().answers).toBeGreaterThan(0);
    expect(new Set(carrier.phoneNos).size).toBe(carrier.taken.length);
  });

  test("send one message together, each number once", async ({ db, startSession }) => {
    const carrier = new FakeCarrier({ bindCount: 2, windowSize: 50, messagesPerSecond: 1_000 });
    const sessions = [await startSession([carrier]), await startSession([carrier])];
    await until(
      "both are bound",
      async () => (await db.query("select distinct worker_id from carrier_bind where is_up")).rows.length === 2,
    );
    const message = await buildMessage(db, { recipientCount: 10_000 });
    await untilCounts(db, message, { sent: 10_000 });
    expect(new Set(carrier.phoneNos).size).toBe(10_000);
    expect(carrier.taken).toHaveLength(10_000);
    for (const session of sessions) expect(session.stats().answers).toBeGreaterThan(0);
  });

  test("do not go round a carrier that only the other one can reach", async ({ db, startSession }) => {
    const direct = new FakeCarrier({ name: "direct", prefixes: ["234"] });
    const fallback = new FakeCarrier({ name: "fallback", bindCount: 2 });
    await startSession([direct, fallback]);
    await until("the first is bound to the direct one", () => direct.heldBinds.length === 1);
    await startSession([direct, fallback]);
    await until("the second is bound to the fallback", () => fallback.heldBinds.length === 2);
    const messages = await Promise.all([1, 2, 3, 4].map(() => buildMessage(db, { recipientCount: 500 })));
    for (const message of messages) await untilCounts(db, message, { sent: 500 });
    expect(direct.taken).toHaveLength(2_000);
    expect(fallback.taken).toEqual([]);
  });

  test("hear reports of each other's messages", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 20 });
    const carrier = new FakeCarrier({ bindCount: 2 });
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 20 });
    await startSession([carrier]);
    await until(
      "the second is bound",
      async () => (await db.query("select distinct worker_id from carrier_bind")).rows.length === 2,
    );
    await until("its link stands", () => carrier.heldBinds.join() === "0,1");
    for (const { key } of carrier.taken) carrier.report({ key });
    await untilCounts(db, message, { delivered: 20 });
  });
});

describe("a worker that stops", () => {
  test("takes nothing more, waits for open answers, records all and gives back the rest", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 2_000 });
    const carrier = new FakeCarrier({ windowSize: 20, behaviour: () => "silent" });
    const session = await startSession([carrier]);
    await until("the window is full", () => carrier.taken.length === 20);
    const stopped = session.stop();
    for (const taken of carrier.taken) carrier.answer(taken, "accept");
    await stopped;
    expect(await readCounts(db, message)).toMatchObject({ sent: 20, waiting: 1_980, unknown: 0 });
    expect((await db.query("select from delivery_worker")).rows).toEqual([]);
    expect((await db.query("select from carrier_bind")).rows).toEqual([]);
    expect((await db.query("select distinct state, is_dirty from message_batch")).rows).toEqual([
      { state: 1, is_dirty: false },
    ]);

    carrier.facts.behaviour = () => "accept";
    carrier.facts.windowSize = 500;
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 2_000 });
    expect(carrier.taken).toHaveLength(2_000);
  });
});

describe("a carrier that goes down", () => {
  test("hands its messages to the next one, those that it certainly does not have", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1_000 });
    const first = new FakeCarrier({ name: "first", windowSize: 10, prefixes: ["234"], behaviour: () => "silent" });
    const second = new FakeCarrier({ name: "second" });
    await startSession([first, second]);
    await until("the first one has a window full", () => first.taken.length === 10);
    first.setUp(false);
    const [unknown, ...notSent] = first.taken;
    if (unknown !== undefined) first.answer(unknown, { kind: "unknown" });
    for (const taken of notSent) {
      first.answer(taken, { kind: "deferred", afterMs: 5, isPartial: false, isFault: false, reason: "not-sent" });
    }
    await untilCounts(db, message, { sent: 999, unknown: 1 });
    expect(second.taken).toHaveLength(999);
  });

  test("and comes back with another link keeps its binds while the last answer of the old one is recorded", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    const carrier = new FakeCarrier({ behaviour: () => "silent" });
    await startSession([carrier]);
    await until("it is handed over", () => carrier.taken.length === 1);
    const isHeld = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const holding = withTransaction(db, async (tx) => {
      // It stands for a flush that is at work all that time.
      await tx.query("set local idle_in_transaction_session_timeout = 0");
      await tx.query("select from message_batch where user_id = $1 and message_id = $2 for update", [
        message.userId,
        message.messageId,
      ]);
      isHeld.resolve();
      await mayEnd.promise;
    });
    await isHeld.promise;
    const [taken] = carrier.taken;
    if (taken !== undefined) carrier.answer(taken, "accept");
    carrier.facts.linkKey = "moved";
    const readBinds = async () => (await db.query<{ bind_index: number }>("select bind_index from carrier_bind")).rows;
    // A look at the carriers each second: the change, the end of the old link, and two more.
    for (let look = 0; look < 5; look += 1) await sleep(1_000);
    expect(await readBinds()).toEqual([{ bind_index: 0 }]);
    expect(carrier.heldBinds).toEqual([0]);
    mayEnd.resolve();
    await holding;
    await untilCounts(db, message, { sent: 1 });
  });

  test("gets its messages when it is back, where there is no other", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 100 });
    const carrier = new FakeCarrier({ isUp: false });
    await startSession([carrier]);
    expect(carrier.taken).toEqual([]);
    carrier.setUp(true);
    await untilCounts(db, message, { sent: 100 });
  });

  test("and fails always loses its traffic to its peer", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 3_000 });
    const bad = new FakeCarrier({
      name: "bad",
      behaviour: () => ({ kind: "deferred", afterMs: 20, isPartial: false, isFault: true, reason: "status:8" }),
    });
    const good = new FakeCarrier({ name: "good" });
    await startSession([bad, good]);
    await untilCounts(db, message, { sent: 3_000 });
    expect(good.taken).toHaveLength(3_000);
  });
});
