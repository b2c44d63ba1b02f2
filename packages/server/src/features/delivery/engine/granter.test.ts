// Goal: intents are committed beside the flushes, only of batches that the worker holds, and are never taken back.
import { pino } from "pino";
import { describe } from "vitest";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { commitIntents } from "../outcomes/intent-store.ts";
import { SendMark } from "../send-mark/send-mark.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { loseAnswer, loseRequest } from "../testing/lose-answers.ts";
import { expect, readSpent, test, until, untilCounts } from "../testing/worker-test.ts";
import { insertWorker } from "./worker-store.ts";

const workerId = "01890000-0000-7000-8000-000000000001";

describe("a statement of intents", () => {
  test("that comes late, from a lease that is over, or about another database changes nothing", async ({ db }) => {
    await insertWorker(db, { workerId, lockKey: 1 });
    const mark = new SendMark(db, pino({ level: "silent" }));
    await mark.take();
    const { userId, messageId } = await buildMessage(db, { recipientCount: 500 });
    await db.query("update message_batch set state = 2, lease_owner = $1, attempt = 2, intent_count = 100", [workerId]);
    const commit = async (change: { attempt?: number; intentCount: number }, known = mark.known): Promise<unknown> => [
      ...(await commitIntents(db, { workerId, known }, [
        { userId, messageId, batchIndex: 0, attempt: 2, redo: [7], ...change },
      ])),
    ];
    const stored = async (): Promise<unknown> =>
      (await db.query(`select intent_count as "intentCount", redo from message_batch`)).rows[0];

    expect(await commit({ intentCount: 99 })).toEqual([]);
    expect(await commit({ intentCount: 100 })).toEqual([]);
    expect(await commit({ intentCount: 200, attempt: 1 })).toEqual([]);
    expect(await commit({ intentCount: 200 }, { ...mark.known, epochId: workerId })).toEqual([]);
    expect(await stored()).toEqual({ intentCount: 100, redo: [] });
    expect(await commit({ intentCount: 200 })).toEqual([[0, 0]]);
    expect(await stored()).toEqual({ intentCount: 200, redo: [7] });
    await db.query("update message_batch set stop = 1");
    expect(await commit({ intentCount: 201 })).toEqual([[0, 1]]);
  });
});

// Method: the counts of the message are locked, so that the first flush of answers cannot commit.
test("while a flush waits, the carrier gets two windows and no more; then everybody gets it once", async ({
  db,
  startSession,
}) => {
  const message = await buildMessage(db, { recipientCount: 3_000 });
  const carrier = new FakeCarrier({ windowSize: 600 });
  const blocker = await db.connect();
  await blocker.query("begin");
  const { userId, messageId } = message;
  await blocker.query("select from message_count where user_id = $1 and message_id = $2 for update", [
    userId,
    messageId,
  ]);
  try {
    await startSession([carrier]);
    await until("two windows are out", () => carrier.taken.length === 1_200);
    // What is not recorded holds its place: intents of anybody else are committed when the flush is.
    await db.query("select pg_sleep(0.1)");
    expect(carrier.taken).toHaveLength(1_200);
  } finally {
    await blocker.query("rollback");
    blocker.release();
  }
  await untilCounts(db, message, { sent: 3_000 });
  expect(new Set(carrier.phoneNos).size).toBe(3_000);
  expect(carrier.taken).toHaveLength(3_000);
  expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
});

test.for([
  ["its answer", loseAnswer],
  ["its request", loseRequest],
] as const)("a grant that is lost by %s goes with the next flush", async ([, breakLine], { db, startSession }) => {
  const line = breakLine(db, (sql) => sql.includes("wanted.intent_count and"));
  const message = await buildMessage(db, { recipientCount: 2_000 });
  const carrier = new FakeCarrier({ windowSize: 300 });
  await startSession([carrier], { db: line.db });
  await untilCounts(db, message, { sent: 2_000 });
  expect(line.lostCount()).toBe(1);
  expect(carrier.taken).toHaveLength(2_000);
  expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
});
