/** A connection that breaks between a statement's commit and its answer: the worker has what it does not know of. */
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { loseAnswer, loseRequest } from "../testing/lose-answers.ts";
import { expect, readSpent, test, until, untilCounts } from "../testing/worker-test.ts";

const isClaim = (sql: string, rowCount: number): boolean =>
  sql.includes("update message_batch batch") && sql.includes("skip locked") && rowCount > 0;

/** At one server a function records all of it; at a cluster a statement records each customer's. */
const isFlush = (sql: string): boolean => /record_flush|insert into delivery /.test(sql);
const internal = (message: string): Error => Object.assign(new Error(message), { code: "XX000" });
const areReports = (sql: string): boolean => /record_delivered|update delivery set delivered_parts/.test(sql);

describe("the answer is lost", () => {
  test.for([3, 1_200])(
    "of a claim of %i recipients: they are claimed again and sent once",
    async (recipientCount, { db, startSession }) => {
      const line = loseAnswer(db, isClaim);
      const carrier = new FakeCarrier();
      const message = await buildMessage(db, { recipientCount });
      await startSession([carrier], { db: line.db });
      await untilCounts(db, message, { sent: recipientCount });
      expect(line.lostCount()).toBe(1);
      expect(carrier.taken).toHaveLength(recipientCount);
      expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
    },
  );

  test("of a claim of a batch that another worker had begun: what that one had sent is not sent again, the rest is", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 400 });
    const first = new FakeCarrier({ windowSize: 20, messagesPerSecond: 200 });
    const session = await startSession([first]);
    await until("it is under way", () => first.taken.length > 60);
    await session.stop();
    expect(first.taken.length).toBeLessThan(400);

    const second = new FakeCarrier();
    const line = loseAnswer(db, isClaim);
    await startSession([second], { db: line.db });
    await untilCounts(db, message, { sent: 400 });
    expect(line.lostCount()).toBe(1);
    expect(new Set([...first.phoneNos, ...second.phoneNos]).size).toBe(400);
    expect(first.taken.length + second.taken.length).toBe(400);
  });

  test("of the look at what a dead worker has recorded: all batches of that claim come again", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 1_500 });
    await db.query(
      "update message_batch set is_dirty = true, intent_count = 10, redo = array(select generate_series(0, 9))::smallint[]",
    );
    const line = loseAnswer(db, (sql) => sql.includes("from delivery") && sql.includes("position - $3"));
    const carrier = new FakeCarrier();
    await startSession([carrier], { db: line.db });
    await untilCounts(db, message, { sent: 1_500 });
    expect(line.lostCount()).toBe(1);
    expect(carrier.taken).toHaveLength(1_500);
  });

  // Goal: a flush that is one statement is recorded and charged once, whether its answer or its request was lost. Method: the line breaks at the
  // first flush that charges somebody.
  test.for([
    ["its answer", (db: Db) => loseAnswer(db, isFlush)],
    ["its request", (db: Db) => loseRequest(db, isFlush)],
    // Neither says anything about the message, which therefore is not held back.
    ["a server that calls it internal", (db: Db) => loseRequest(db, isFlush, internal("cache lookup failed"))],
    [
      "a server of a cluster that is gone",
      (db: Db) => loseRequest(db, isFlush, internal("failure on connection marked as essential: db1:5432")),
    ],
  ] as const)("of a flush, by %s: it is recorded once", async ([, breakLine], { db, startSession }) => {
    const line = breakLine(db);
    const message = await buildMessage(db, { recipientCount: 700 });
    const carrier = new FakeCarrier();
    await startSession([carrier], { db: line.db });
    await untilCounts(db, message, { sent: 700 });
    expect(line.lostCount()).toBe(1);
    expect(carrier.taken).toHaveLength(700);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
    for (const { key } of carrier.taken) carrier.report({ key });
    await untilCounts(db, message, { delivered: 700 });
  });

  test("of a flush of reports: each moves its recipient once", async ({ db, startSession }) => {
    const line = loseAnswer(db, areReports);
    const message = await buildMessage(db, { recipientCount: 300 });
    const carrier = new FakeCarrier();
    await startSession([carrier], { db: line.db });
    await untilCounts(db, message, { sent: 300 });
    for (const { key } of carrier.taken) carrier.report({ key });
    await until("all are acknowledged", () => carrier.acknowledged.length === 300);
    expect(line.lostCount()).toBe(1);
    await untilCounts(db, message, { delivered: 300 });
  });

  test("of taking a carrier's bind: it is given back and taken again", async ({ db, startSession }) => {
    const line = loseAnswer(db, (sql) => sql.includes("insert into carrier_bind"));
    const carriers: FakeCarrier[] = [];
    await startSession(carriers, { db: line.db });
    const carrier = new FakeCarrier();
    carriers.push(carrier);
    await until("it is bound", () => carrier.heldBinds.length === 1);
    expect(line.lostCount()).toBe(1);
  });

  test.for([
    [
      "of giving a bind back",
      (db: Db) => loseAnswer(db, (sql, rowCount) => sql.includes("delete from carrier_bind") && rowCount > 0),
    ],
    [
      "together with the request to take a bind back",
      (db: Db) => loseRequest(db, (sql) => sql.includes("delete from carrier_bind")),
    ],
  ] as const)("%s: another worker gets it", async ([, breakLine], { db, startSession }) => {
    const line = breakLine(db);
    const carrier = new FakeCarrier({ bindCount: 2 });
    await startSession([carrier], { db: line.db });
    await until("the first has both", () => carrier.heldBinds.length === 2);
    await startSession([carrier]);
    await until(
      "each has one",
      async () => (await db.query("select distinct worker_id from carrier_bind")).rows.length === 2,
    );
    expect(line.lostCount()).toBe(1);
  });
});
