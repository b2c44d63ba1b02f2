// Goal: a worker knows what became of a COMMIT that was not answered, also when the server crashed meanwhile.
import { pino } from "pino";
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import { SQL_STATE } from "../../../db/sql-state.ts";
import { buildMessage, type BuiltMessage } from "../../../testing/delivery-factories.ts";
import { expect, overlap, test } from "../../../testing/database.ts";
import { isFlushCommitted, LEAVE, markFlush, recordFlush, type WholeFlush } from "./flush-store.ts";
import { insertWorker } from "../engine/worker-store.ts";
import { SendMark } from "../send-mark/send-mark.ts";
import { deliveryStates } from "../states.ts";
import { readSpent } from "../testing/worker-test.ts";

const workerId = "01890000-0000-7000-8000-000000000001";

describe("a flush whose COMMIT was not answered", () => {
  test("is committed exactly when its number is there", async ({ db }) => {
    await insertWorker(db, { workerId, lockKey: 1 });
    expect(await isFlushCommitted(db, { workerId, flushNumber: 1 })).toBe(false);
    await withTransaction(db, (tx) => markFlush(tx, { workerId, flushNumber: 1 }));
    expect(await isFlushCommitted(db, { workerId, flushNumber: 1 })).toBe(true);
    expect(await isFlushCommitted(db, { workerId, flushNumber: 2 })).toBe(false);
  });

  test("is waited for while the server is still at it", async ({ db }) => {
    await insertWorker(db, { workerId, lockKey: 1 });
    const [, asked] = await overlap(
      db,
      (tx) => markFlush(tx, { workerId, flushNumber: 1 }),
      (tx) => isFlushCommitted(tx, { workerId, flushNumber: 1 }),
    );
    expect(asked).toMatchObject({ status: "fulfilled", value: true });
  });

  test("of a worker that was struck off is not, and what it carried is another's by now", async ({ db }) => {
    expect(await isFlushCommitted(db, { workerId, flushNumber: 1 })).toBe(false);
  });
});

/** One answer about the first recipient of a message's only batch, and its price. */
function oneAnswer({ userId, messageId, phoneNos, priceMilli }: BuiltMessage, attempt: number): WholeFlush {
  return {
    batches: {
      userIds: [userId],
      messageIds: [messageId],
      batchIndexes: [0],
      attempts: [attempt],
      intentCounts: [3],
      redos: ["{}"],
      leaves: [LEAVE.stays],
    },
    outcomes: {
      batchIndexes: [0],
      offsets: [0],
      phoneNos: phoneNos.slice(0, 1),
      states: [deliveryStates.sent],
      carrierIds: [0],
      deliveredParts: [],
      keys: ["abc"],
      errorCodes: [],
    },
    parts: { userIds: [], messageIds: [], positions: [], partIndexes: [], partCounts: [], carrierIds: [], keys: [] },
    counts: [{ userId, messageId, moves: { waiting: -1, sent: 1 } }],
    feed: [],
    holds: [{ userId, holdId: messageId, chargeMilli: priceMilli, releaseMilli: 0 }],
  };
}

// Goal: a flush that is one statement is there whole or not at all, and once. Method: a batch of another lease, then its own, then the same again,
// as a request that arrives after its worker has given it up.
test("a flush in one statement is refused as a whole, and a second time", async ({ db }) => {
  await insertWorker(db, { workerId, lockKey: 1 });
  const mark = new SendMark(db, pino({ level: "silent" }));
  await mark.take();
  const message = await buildMessage(db);
  await db.query("update message_batch set state = 2, lease_owner = $1, attempt = 1", [workerId]);
  const record = (attempt: number, flushNumber: number): Promise<number[]> =>
    recordFlush(db, { workerId, flushNumber }, mark.known, oneAnswer(message, attempt));

  await expect(record(2, 1)).rejects.toMatchObject({ code: SQL_STATE.flushRefused });
  expect(await db.query("select from delivery")).toMatchObject({ rowCount: 0 });
  expect(await isFlushCommitted(db, { workerId, flushNumber: 1 })).toBe(false);

  expect(await record(1, 2)).toEqual([0]);
  await expect(record(1, 2)).rejects.toMatchObject({ code: SQL_STATE.flushRecorded });
  await expect(record(1, 1)).rejects.toMatchObject({ code: SQL_STATE.flushRecorded });
  expect(await db.query("select from delivery")).toMatchObject({ rowCount: 1 });
  expect(await readSpent(db, message.userId)).toEqual({
    spentMilli: message.priceMilli,
    heldMilli: message.heldMilli - message.priceMilli,
  });
});
