/**
 * The crash table of docs/delivery.md, row by row. A killed worker is one that writes nothing more and gives nothing
 * back; what is really killed, with its process, is in the fault tests.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import { buildFundedUser, buildMessage } from "../../../testing/delivery-factories.ts";
import { releaseUnknown } from "../outcomes/settle-early-reports.ts";
import { listRecipients } from "../lists/list-recipients.ts";
import { cancelMessage, pauseMessage, resumeMessage } from "../queue/manage-message.ts";
import { queueMessage } from "../queue/queue-message.ts";
import { FakeCarrier, type Taken } from "../testing/fake-carrier.ts";
import { holdAnswer } from "../testing/lose-answers.ts";
import {
  declareDead,
  expect,
  killSession,
  listLockWaiters,
  readCounts,
  readSpent,
  test,
  until,
  untilCounts,
} from "../testing/worker-test.ts";

const WINDOW = 5;
/** Intents may run ahead of the window by as much again. */
const UNKNOWN_MAX = 2 * WINDOW;
const silent = () => new FakeCarrier({ windowSize: WINDOW, behaviour: () => "silent" });

describe("killed", () => {
  test("before the send has committed: nothing happened", async ({ db, startSession }) => {
    const user = await buildFundedUser(db);
    const failure = withTransaction(db, async (tx) => {
      await queueMessage(tx, {
        userId: user.userId,
        messageId: user.userId,
        userName: "Test",
        senderName: "Ewebal",
        body: "never",
        code: "234",
        phoneNos: [2_348_030_000_000],
        pageCount: 1,
        priceMilli: 0,
        holdId: undefined,
        createdAt: new Date(),
      });
      throw new Error("killed here");
    });
    await expect(failure).rejects.toThrow("killed here");
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await sleep(100);
    expect(carrier.taken).toEqual([]);
  });

  test("after the lease, before anything was answered: at most the window is unknown, the rest is sent once", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 700 });
    const first = silent();
    const session = await startSession([first]);
    await until("the window is full", () => first.taken.length === WINDOW);
    await killSession(db, session);

    const second = new FakeCarrier();
    await startSession([second]);
    await until("everybody is settled or sent", async () => (await readCounts(db, message)).waiting === 0);

    const counts = await readCounts(db, message);
    expect(counts.unknown).toBeGreaterThanOrEqual(WINDOW);
    expect(counts.unknown).toBeLessThanOrEqual(UNKNOWN_MAX);
    expect(counts.sent).toBe(700 - counts.unknown);
    // Nobody who may have it already gets it again.
    expect(second.phoneNos.filter((phoneNo) => first.phoneNos.includes(phoneNo))).toEqual([]);
    expect(new Set(second.phoneNos).size).toBe(second.phoneNos.length);
    expect(await readSpent(db, message.userId)).toEqual({
      spentMilli: counts.sent * message.priceMilli,
      heldMilli: counts.unknown * message.priceMilli,
    });
    const { rows } = await listRecipients(db, { ...message, limit: 1, state: "unknown" });
    expect(rows[0]?.reason).toMatch(/answer was lost/);
  });

  test("with some answers recorded: those stay, and only those without a record are unknown", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 300 });
    const first = silent();
    const session = await startSession([first]);
    await until("the window is full", () => first.taken.length === WINDOW);
    for (const taken of first.taken.slice(0, 3)) first.answer(taken, "accept");
    await untilCounts(db, message, { waiting: 297, sent: 3 });
    await killSession(db, session);

    const second = new FakeCarrier();
    await startSession([second]);
    await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);

    const { unknown, sent } = await readCounts(db, message);
    expect(unknown).toBeGreaterThanOrEqual(WINDOW);
    expect(unknown).toBeLessThanOrEqual(UNKNOWN_MAX);
    expect(sent).toBe(300 - unknown);
    expect(second.phoneNos.filter((phoneNo) => first.phoneNos.includes(phoneNo))).toEqual([]);
  });

  test("at 200 a second: between intent and wire is what goes out in 50 ms, and the others are sent", async ({
    db,
    startSession,
  }) => {
    const bulk = await buildMessage(db, { recipientCount: 700 });
    const small = await Promise.all(
      Array.from({ length: 30 }, async () => await buildMessage(db, { recipientCount: 3 })),
    );
    const first = new FakeCarrier({ windowSize: 20, bindCount: 2, messagesPerSecond: 200, isPaced: true });
    const session = await startSession([first]);
    const readIntents = async () => {
      const { rows } = await db.query<{ leased: number; intents: number }>(
        "select count(*) filter (where state = 2)::integer as leased, sum(intent_count)::integer as intents from message_batch",
      );
      return rows[0];
    };
    await until("as much is leased as a worker holds, and intents are committed", async () => {
      const { leased = 0, intents = 0 } = (await readIntents()) ?? {};
      return leased === 31 && intents > 0;
    });
    // Two looks for work more: nothing is added while nothing goes out.
    await sleep(1_100);
    const { intents = 0 } = (await readIntents()) ?? {};
    expect(intents).toBeLessThanOrEqual(10);
    await killSession(db, session);

    const second = new FakeCarrier();
    await startSession([second]);
    let counts = await readCounts(db, bulk);
    const messages = [bulk, ...small];
    await until("nobody waits", async () => {
      counts = { ...counts, waiting: 0, sent: 0, unknown: 0 };
      for (const message of messages) {
        const own = await readCounts(db, message);
        counts.waiting += own.waiting;
        counts.sent += own.sent;
        counts.unknown += own.unknown;
      }
      return counts.waiting === 0;
    });
    expect(counts).toMatchObject({ sent: 790 - intents, unknown: intents });
  });

  test("with the answer recorded and the report not yet: the next worker records the report", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 3 });
    const first = new FakeCarrier();
    const session = await startSession([first]);
    await untilCounts(db, message, { sent: 3 });
    await killSession(db, session);

    const second = new FakeCarrier();
    await startSession([second]);
    await until("the carrier is bound", () => second.heldBinds.length === 1);
    for (const { key } of first.taken) second.report({ key });
    await untilCounts(db, message, { delivered: 3 });
    expect(second.acknowledged).toHaveLength(3);
  });

  test("again and again, at any moment: nothing is lost, nothing is sent twice, the ledger is exact", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 3_000 });
    const carriers: FakeCarrier[] = [];
    for (let kill = 0; kill < 5; kill += 1) {
      const carrier = new FakeCarrier({ windowSize: 20 });
      carriers.push(carrier);
      const session = await startSession([carrier]);
      await until("some were taken", () => carrier.taken.length > 100);
      await killSession(db, session);
    }
    const last = new FakeCarrier({ windowSize: 500 });
    carriers.push(last);
    await startSession([last]);
    await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);

    const { sent, unknown } = await readCounts(db, message);
    expect(sent + unknown).toBe(3_000);
    expect(unknown).toBeLessThanOrEqual(5 * 2 * 20);
    const all = carriers.flatMap((carrier) => carrier.phoneNos);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(sent);
    expect(await readSpent(db, message.userId)).toEqual({
      spentMilli: sent * message.priceMilli,
      heldMilli: unknown * message.priceMilli,
    });
  });
});

describe("a delivery whose answer was lost", () => {
  test("is settled and charged by a report with its number and sender", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 2 });
    const carrier = new FakeCarrier({ behaviour: () => ({ kind: "unknown" }) });
    await startSession([carrier]);
    await untilCounts(db, message, { unknown: 2 });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: message.heldMilli });

    const [first = 0, second = 0] = message.phoneNos;
    carrier.report({ key: "never-seen-1", phoneNo: first, senderName: "EWEBAL" });
    carrier.report({
      key: "never-seen-2",
      phoneNo: second,
      senderName: "Ewebal",
      state: "failed",
      errorCode: "report:expired:001",
    });
    await untilCounts(db, message, { delivered: 1, failed: 1 });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
  });

  test("is settled by a report that another worker hears", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 2 });
    const first = new FakeCarrier({ behaviour: () => ({ kind: "unknown" }) });
    const session = await startSession([first]);
    await untilCounts(db, message, { unknown: 2 });
    await killSession(db, session);
    const second = new FakeCarrier();
    await startSession([second]);
    await until("the carrier is bound", () => second.heldBinds.length === 1);
    for (const phoneNo of message.phoneNos) second.report({ key: `own-${phoneNo}`, phoneNo, senderName: "Ewebal" });
    await untilCounts(db, message, { delivered: 2 });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
  });

  test("is sent when its report is not final, and moves on by the carrier's id", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    const carrier = new FakeCarrier({ behaviour: () => ({ kind: "unknown" }) });
    await startSession([carrier]);
    await untilCounts(db, message, { unknown: 1 });
    const [phoneNo = 0] = message.phoneNos;
    carrier.report({ key: "own-1", phoneNo, senderName: "Ewebal", state: "waiting" });
    await untilCounts(db, message, { sent: 1 });
    carrier.report({ key: "own-1", phoneNo, senderName: "Ewebal", state: "failed", errorCode: "report:expired" });
    await untilCounts(db, message, { failed: 1 });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
  });

  test.for([
    ["a moment before anybody had looked at the dead worker's batch", 0, 60_000],
    ["hours before anybody had looked at it", 3 * 3_600_000, 60_000],
    ["before its message was accepted, by the clock of the host that accepted it", 0, -10 * 60_000],
  ] as const)(
    "is settled at once by a report that came %s",
    async ([, agoMs, acceptedBeforeMs], { db, startSession }) => {
      const messageId = uuidv7({ msecs: Date.now() - agoMs - acceptedBeforeMs });
      const message = await buildMessage(db, { recipientCount: WINDOW, messageId });
      const first = silent();
      const session = await startSession([first]);
      await until("the window is full", () => first.taken.length === WINDOW);
      await killSession(db, session);
      // As after a restore, or behind a long queue.
      await db.query("update message_batch set state = 0, lease_owner = null, is_dirty = true");

      const second = new FakeCarrier();
      await startSession([second]);
      await until("the carrier is bound", () => second.heldBinds.length === 1);
      for (const phoneNo of message.phoneNos) second.report({ key: `own-${phoneNo}`, phoneNo, senderName: "Ewebal" });
      await until("they are stored", () => second.acknowledged.length === WINDOW);
      await db.query(
        "update early_report set received_at = received_at - make_interval(secs => $1::integer / 1000), next_try_at = now()",
        [agoMs],
      );
      await until("they were tried, and kept", async () => {
        const { rowCount } = await db.query("select from early_report where next_try_at > now()");
        return rowCount === WINDOW;
      });
      // Not due for a long time, unless something makes them due.
      await db.query("update early_report set next_try_at = now() + interval '1 hour'");
      await db.query("update message_batch set state = 1");
      await untilCounts(db, message, { delivered: WINDOW });
      expect(second.taken).toEqual([]);
      expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
      await until("they are used up", async () => (await db.query("select from early_report")).rowCount === 0);
    },
  );

  test("is not settled by a report for another number or sender", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    const carrier = new FakeCarrier({ behaviour: () => ({ kind: "unknown" }) });
    await startSession([carrier]);
    await untilCounts(db, message, { unknown: 1 });
    carrier.report({ key: "foreign-1", phoneNo: 2_348_039_999_999, senderName: "Ewebal" });
    carrier.report({ key: "foreign-2", phoneNo: message.phoneNos[0] ?? 0, senderName: "Somebody" });
    await until("both are stored", () => carrier.acknowledged.length === 2);
    await db.query("update early_report set next_try_at = now()");
    await sleep(1_500);
    expect(await readCounts(db, message)).toMatchObject({ unknown: 1 });
  });

  test("stays unknown and gives its units back when the carrier must have given up", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 2 });
    const carrier = new FakeCarrier({ behaviour: () => ({ kind: "unknown" }) });
    await startSession([carrier]);
    await untilCounts(db, message, { unknown: 2 });

    expect(await releaseUnknown(db)).toBe(0);
    await db.query("update delivery_unknown set release_at = now()");
    await until("they are released", async () => (await readSpent(db, message.userId)).heldMilli === 0);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
    expect(await readCounts(db, message)).toMatchObject({ unknown: 2 });
  });
});

describe("a worker that was taken for dead and wakes up", () => {
  test("changes nothing any more: its answers are fenced off", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 40 });
    const stalled = silent();
    const session = await startSession([stalled]);
    await until("the window is full", () => stalled.taken.length === WINDOW);
    await declareDead(db, session);
    const second = new FakeCarrier({ name: "second" });
    await startSession([second]);
    await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);
    const before = await readCounts(db, message);

    for (const taken of stalled.taken) stalled.answer(taken, "accept");
    await session.lost;
    await session.abandon();

    expect(await readCounts(db, message)).toEqual(before);
    expect(before.unknown).toBeLessThanOrEqual(UNKNOWN_MAX);
    // What it still hands over lies within its committed intents, so the other worker has left it alone.
    expect(stalled.taken.length).toBeLessThanOrEqual(UNKNOWN_MAX);
    expect(second.phoneNos.filter((phoneNo) => stalled.phoneNos.includes(phoneNo))).toEqual([]);
  });
});

test.for([["with its answer"], ["while its answer is being recorded"]] as const)(
  "a report that a worker hears %s, of a batch that another one has by then, settles what is unknown",
  async ([when], { db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    const carrier = silent();
    await startSession([carrier]);
    await until("it is handed over", () => carrier.taken.length === 1);
    const [taken] = carrier.taken as [Taken];
    const report = (): void => carrier.report({ key: taken.key, phoneNo: Number(taken.phoneNo), senderName: "Ewebal" });
    const blocker = await db.connect();
    await blocker.query("begin");
    // As another worker's claim leaves it: the lease has a new number, and who has it finds an intent without a record.
    await blocker.query(
      "update message_batch set attempt = attempt + 1, state = 1, lease_owner = null, is_dirty = true",
    );
    carrier.answer(taken, "accept");
    if (when === "with its answer") report();
    await until("the flush waits for the batch", async () => (await listLockWaiters(db)).length > 0);
    if (when !== "with its answer") report();
    expect(carrier.acknowledged).toEqual([]);
    await blocker.query("commit");
    blocker.release();
    await untilCounts(db, message, { delivered: 1 });
    expect(carrier.acknowledged).toEqual([taken.key]);
    expect(carrier.taken).toHaveLength(1);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
  },
);

test("a worker that has lost its lease claims nothing until it begins anew", async ({ db, startSession }) => {
  const carrier = new FakeCarrier();
  const session = await startSession([carrier]);
  await until("the carrier is bound", () => carrier.heldBinds.length === 1);
  await declareDead(db, session);
  await session.lost;
  const message = await buildMessage(db, { recipientCount: 5 });
  // Longer than a worker waits for the notification before it looks by itself.
  await sleep(700);
  // Claimed and with intents, its recipients would be unknown: nobody hands them over.
  const { rows } = await db.query("select state, intent_count as intents from message_batch");
  expect(rows).toEqual([{ state: 1, intents: 0 }]);
  await session.abandon();
  await startSession([carrier]);
  await untilCounts(db, message, { sent: 5 });
});

test("a worker that ends while it compares its leases gives none of them back", async ({ db, startSession }) => {
  const message = await buildMessage(db, { recipientCount: WINDOW });
  const first = silent();
  const look = holdAnswer(db, (sql, rowCount) => /^select user_id .* lease_owner = \$1$/.test(sql) && rowCount > 0);
  const session = await startSession([first], { db: look.db });
  await until("the window is full", () => first.taken.length === WINDOW);
  await until("it looks at its leases", look.isHolding);
  const ended = killSession(db, session);
  look.letGo();
  await ended;
  const { rows } = await db.query("select state, intent_count as intents from message_batch");
  expect(rows).toEqual([{ state: 2, intents: WINDOW }]);

  const second = new FakeCarrier();
  await startSession([second]);
  await untilCounts(db, message, { unknown: WINDOW });
  expect(second.taken).toEqual([]);
});

test("what a worker leased after it was struck off is taken over, too", async ({ db, startSession }) => {
  const message = await buildMessage(db, { recipientCount: 20 });
  // As a stalled worker leaves it that looked for work before it heard that it was taken for dead.
  await db.query("update message_batch set state = 2, lease_owner = $1, attempt = 1, intent_count = 5", [uuidv7()]);
  await startSession([new FakeCarrier()]);
  await untilCounts(db, message, { sent: 15, unknown: 5 });
});

describe("a message of a killed worker", () => {
  test.for([
    ["pause", "before anybody has taken over"],
    ["cancel", "before anybody has taken over"],
    ["pause", "while its batches wait for the next worker"],
    ["cancel", "while its batches wait for the next worker"],
  ] as const)("can be stopped (%s) %s", async ([how, when], { db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 600 });
    const first = silent();
    const session = await startSession([first]);
    await until("the window is full", () => first.taken.length === WINDOW);
    if (when === "before anybody has taken over") await killSession(db, session);
    else {
      await declareDead(db, session);
      await session.abandon();
    }
    await withTransaction(db, (tx) => (how === "pause" ? pauseMessage : cancelMessage)(tx, message, new Date()));

    const second = new FakeCarrier();
    await startSession([second]);
    await until("the dead worker's part is settled", async () => (await readCounts(db, message)).unknown > 0);
    if (how === "pause") {
      expect(second.taken).toEqual([]);
      await withTransaction(db, (tx) => resumeMessage(tx, message, new Date()));
      await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);
      expect((await readCounts(db, message)).sent).toBe(second.taken.length);
    } else {
      await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);
      const { cancelled, unknown } = await readCounts(db, message);
      expect(cancelled + unknown).toBe(600);
      expect(second.taken).toEqual([]);
      expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: unknown * message.priceMilli });
    }
  });
});
