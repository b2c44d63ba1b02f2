import { setTimeout as sleep } from "node:timers/promises";
import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../../../db/pool.ts";
import { CommitUnknownError, withTransaction, type Tx } from "../../../db/transaction.ts";
import { holdUnits, readBalance } from "../../../ledger/index.ts";
import {
  buildFundedUser,
  buildMessage,
  type BuiltMessage,
  type MessageFacts,
} from "../../../testing/delivery-factories.ts";
import { buildUser } from "../../../testing/factories.ts";
import { ReportHorizon } from "../outcomes/report-horizon.ts";
import { addDndNumbers } from "../dnd/dnd-numbers.ts";
import { getMessage, listMessages } from "../lists/list-messages.ts";
import { listRecipients } from "../lists/list-recipients.ts";
import { cancelMessage } from "./manage-message.ts";
import {
  deleteScheduledMessage,
  lockScheduledMessage,
  moveScheduledMessage,
  readMessageNumbers,
} from "./scheduled-messages.ts";
import { startDueMessage, startDueMessages } from "./start-due-messages.ts";
import { takeTurns } from "./message-store.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { listLockWaiters, expect, overlap, readSpent, test, until, untilCounts } from "../testing/worker-test.ts";

const HOUR_MS = 3_600_000;
const now = () => new Date();
const mayAll = () => Promise.resolve(true);
const page = { limit: 50, after: undefined };
const buildScheduled = (db: Db, facts: MessageFacts = {}) =>
  buildMessage(db, { sendAt: new Date(Date.now() + HOUR_MS), timeZone: "Africa/Lagos", ...facts });
const buildDue = (db: Db, facts: MessageFacts = {}) =>
  buildScheduled(db, { sendAt: new Date(Date.now() - 1_000), ...facts });
const remove = (message: BuiltMessage) => (tx: Tx) => deleteScheduledMessage(tx, message, now());

describe("deleting", () => {
  test("is refused for another customer's message, a started one, a cancelled one, and twice", async ({ db }) => {
    const message = await buildScheduled(db);
    const stranger = await buildUser(db);
    await expect(withTransaction(db, remove({ ...message, userId: stranger.userId }))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const started = await buildMessage(db);
    await expect(withTransaction(db, remove(started))).rejects.toMatchObject({
      code: "STATE_CONFLICT",
      extra: { state: "sending" },
    });
    const cancelled = await buildScheduled(db);
    await withTransaction(db, (tx) => cancelMessage(tx, cancelled, now()));
    await expect(withTransaction(db, remove(cancelled))).rejects.toMatchObject({
      code: "STATE_CONFLICT",
      extra: { state: "cancelled" },
    });
    await withTransaction(db, remove(message));
    await expect(withTransaction(db, remove(message))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("gives the units back and takes it out of every list", async ({ db }) => {
    const message = await buildScheduled(db);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 9_000 });
    await withTransaction(db, remove(message));
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
    for (const isScheduled of [true, false]) {
      expect((await listMessages(db, { userId: message.userId, query: page, isScheduled })).rows).toEqual([]);
    }
    await db.query("update message set send_at = now()");
    expect(await startDueMessages(db)).toEqual([]);
  });

  test("two deletions that overlap release once", async ({ db }) => {
    const message = await buildScheduled(db);
    const [first, second] = await overlap(db, remove(message), remove(message));
    expect([first.status, second]).toMatchObject(["fulfilled", { reason: { code: "NOT_FOUND" } }]);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
  });

  test("that is killed before COMMIT leaves it scheduled with its units held", async ({ db }) => {
    const message = await buildScheduled(db);
    const killed = withTransaction(db, async (tx) => {
      await deleteScheduledMessage(tx, message, now());
      const { rows } = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
      await db.query("select pg_terminate_backend($1::integer, 5000)", [rows[0]?.pid]);
    });
    await expect(killed).rejects.toBeInstanceOf(CommitUnknownError);
    expect(await getMessage(db, message)).toMatchObject({ state: "scheduled" });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 9_000 });
  });
});

describe("deleting and starting at once", () => {
  test("deleted first: the start finds nothing to start", async ({ db }) => {
    const message = await buildDue(db);
    const [deleted, started] = await overlap(db, remove(message), () => startDueMessages(db));
    expect([deleted.status, started]).toMatchObject(["fulfilled", { value: [] }]);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
  });

  test("started first: the deletion is refused and the message is sent once", async ({ db, startSession }) => {
    const message = await buildDue(db);
    const [started, deleted] = await overlap(db, (tx) => startDueMessage(tx, message, now(), mayAll), remove(message));
    expect([started.status, deleted]).toMatchObject([
      "fulfilled",
      { reason: { code: "STATE_CONFLICT", extra: { state: "sending" } } },
    ]);
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 3 });
    expect(carrier.taken).toHaveLength(3);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 9_000, heldMilli: 0 });
  });

  test("moved to later first: the start waits for the new time", async ({ db }) => {
    const message = await buildScheduled(db, { sendAt: new Date(Date.now() + HOUR_MS) });
    // Soon, but only now: to build it takes its time.
    await db.query("update message set send_at = $2 where user_id = $1", [message.userId, new Date(Date.now() + 800)]);
    const later = { sendAt: new Date(Date.now() + HOUR_MS), timeZone: "Africa/Lagos" };
    const [moved, started] = await overlap(
      db,
      async (tx) => {
        await lockScheduledMessage(tx, message);
        await moveScheduledMessage(tx, message, later);
        await until(
          "the old time has come",
          async () => (await db.query("select from message where send_at <= now()")).rows.length === 1,
        );
      },
      () => startDueMessages(db),
    );
    expect([moved.status, started]).toMatchObject(["fulfilled", { value: [] }]);
    expect(await getMessage(db, message)).toMatchObject({ state: "scheduled", sendAt: later.sendAt });
  });
});

describe("locking for an edit", () => {
  test("is refused once the time has come", async ({ db }) => {
    const message = await buildDue(db);
    await expect(withTransaction(db, (tx) => lockScheduledMessage(tx, message))).rejects.toMatchObject({
      code: "STATE_CONFLICT",
    });
  });

  test("reads all numbers in their order", async ({ db }) => {
    const message = await buildScheduled(db, { recipientCount: 1_200 });
    expect(await readMessageNumbers(db, message)).toBe(message.phoneNos.join(","));
  });
});

describe("starting", () => {
  test("comes to the head of the history, whatever was sent since it was scheduled", async ({ db }) => {
    const { userId } = await buildFundedUser(db);
    const scheduled = await buildScheduled(db, { userId, messageId: uuidv7({ msecs: 1_000 }) });
    const sent = await buildMessage(db, { userId });
    await db.query("update message set send_at = now() where message_id = $1", [scheduled.messageId]);
    expect(await startDueMessages(db)).toEqual([{ userId, messageId: scheduled.messageId }]);
    const { rows } = await listMessages(db, { userId, query: page });
    expect(rows.map(({ messageId }) => messageId)).toEqual([scheduled.messageId, sent.messageId]);
    expect((await listMessages(db, { userId, query: page, isScheduled: true })).rows).toEqual([]);
  });

  test("skips numbers that came onto the do-not-disturb list meanwhile, and gives their units back", async ({
    db,
    startSession,
  }) => {
    const message = await buildScheduled(db, { recipientCount: 1_001, dndPhoneNos: [2_348_030_000_002] });
    const listed = [2_348_030_000_002, 2_348_030_000_003, 2_348_030_000_700, 2_348_030_001_000];
    await withTransaction(db, (tx) => addDndNumbers(tx, { phoneNos: listed.slice(1), source: "admin" }));
    await db.query("update message set send_at = now()");
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 997, dnd: 4 });
    expect(carrier.phoneNos.filter((phoneNo) => listed.includes(phoneNo))).toEqual([]);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 997 * 3_000, heldMilli: 0 });
    const { rows } = await listRecipients(db, { ...message, limit: 50, state: "dnd" });
    expect(rows.map(({ phoneNo }) => phoneNo)).toEqual(listed);
  });

  // Goal: a start and a send of one customer never deadlock. Method: the send holds its turn; while the start waits for that, the
  // send locks the account. PostgreSQL ends the transaction that completes a deadlock, after a second of waiting.
  test("takes its turn before it gives units back, as a send does", async ({ db }) => {
    const message = await buildDue(db);
    await withTransaction(db, (tx) => addDndNumbers(tx, { phoneNos: message.phoneNos.slice(1), source: "admin" }));
    let starting: Promise<unknown> = Promise.resolve();
    await withTransaction(db, async (tx) => {
      await takeTurns(tx, { userId: message.userId, isExpress: true, cost: 1 });
      starting = startDueMessages(db);
      await until("the start waits", async () => (await listLockWaiters(db)).length === 1);
      await sleep(1_200);
      await holdUnits(tx, { userId: message.userId, holdId: uuidv7(), amountMilli: 1_000 });
    });
    expect(await starting).toHaveLength(1);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 4_000 });
  });

  test("of a message whose numbers are all listed by now ends it", async ({ db }) => {
    const message = await buildDue(db);
    await withTransaction(db, (tx) => addDndNumbers(tx, { phoneNos: message.phoneNos, source: "admin" }));
    await startDueMessages(db);
    expect(await getMessage(db, message)).toMatchObject({ state: "done", counts: { waiting: 0, dnd: 3 } });
    expect(await readBalance(db, message.userId)).toMatchObject({ heldMilli: 0 });
  });

  test("of a message that may no longer be sent cancels it, and gives its units back", async ({ db }) => {
    const message = await buildDue(db);
    await startDueMessages(db, (_tx, { senderName }) => Promise.resolve(senderName !== "Ewebal"));
    expect(await getMessage(db, message)).toMatchObject({ state: "cancelled", counts: { cancelled: 3, waiting: 0 } });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
    expect((await listMessages(db, { userId: message.userId, query: page })).rows).toHaveLength(1);
  });

  test("that fails for one message starts the others", async ({ db }) => {
    const broken = await buildDue(db, { sendAt: new Date(Date.now() - 5_000), senderName: "Broken" });
    const message = await buildDue(db);
    const mayStart = (_tx: Tx, { senderName }: { senderName: string }) =>
      senderName === "Broken" ? Promise.reject(new Error("broken")) : Promise.resolve(true);
    await expect(startDueMessages(db, mayStart)).rejects.toBeInstanceOf(AggregateError);
    expect([await getMessage(db, broken), await getMessage(db, message)]).toMatchObject([
      { state: "scheduled" },
      { state: "sending" },
    ]);
  });

  test("that is killed before COMMIT starts it again, once", async ({ db, startSession }) => {
    const message = await buildDue(db);
    const kill = async (tx: Tx) => {
      const { rows } = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
      await db.query("select pg_terminate_backend($1::integer, 5000)", [rows[0]?.pid]);
      return true;
    };
    await expect(startDueMessages(db, kill)).rejects.toBeInstanceOf(AggregateError);
    expect(await getMessage(db, message)).toMatchObject({ state: "scheduled" });
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 3 });
    expect(carrier.taken).toHaveLength(3);
  });
});

// Reports are matched among the ids of the last ten days. An id may be older than the hand-over.
test("a report of a message that was handed over long after its id was made finds it", async ({ db, startSession }) => {
  const monthAgo = Date.now() - 30 * 24 * HOUR_MS;
  const createdAt = new Date(monthAgo);
  const message = await buildDue(db, { messageId: uuidv7({ msecs: monthAgo }), createdAt, recipientCount: 1 });
  await startDueMessages(db);
  const horizon = new ReportHorizon();
  await horizon.refresh(db);
  expect(horizon.oldestMessageId).toBe(message.messageId);
  await startSession([new FakeCarrier()]);
  await untilCounts(db, message, { sent: 1 });
});
