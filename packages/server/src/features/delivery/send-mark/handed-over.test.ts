// Goal: what a worker handed over is told to a database that does not know it, and what others did since is not undone.
import { withTransaction } from "../../../db/transaction.ts";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { expect, test, untilCounts } from "../testing/worker-test.ts";
import { HandedOverMemory, type HandedOver } from "./handed-over.ts";
import { writeBackIntents } from "./send-mark-store.ts";

const handedOver = (facts: Partial<HandedOver>): HandedOver => ({
  userId: "01900000-0000-7000-8000-000000000001",
  messageId: "01900000-0000-7000-8000-000000000002",
  batchIndex: 0,
  attempt: 1,
  intentCount: 1,
  redo: [],
  ...facts,
});

test("the memory has the last word about each batch, and a bound", () => {
  const memory = new HandedOverMemory();
  memory.remember(handedOver({ intentCount: 0 }));
  expect(memory.all).toEqual([]);
  memory.remember(handedOver({ intentCount: 10, redo: [3] }));
  memory.remember(handedOver({ intentCount: 20 }));
  expect(memory.all).toMatchObject([{ intentCount: 20, redo: [] }]);
  for (let batchIndex = 1; batchIndex <= 100_000; batchIndex += 1) memory.remember(handedOver({ batchIndex }));
  expect(memory.all).toHaveLength(100_000);
  expect(memory.all[0]).toMatchObject({ batchIndex: 1 });
  memory.forgetOld();
  expect(memory.all).toHaveLength(100_000);
});

test("only waiting batches are told, the highest intents count, and what a later attempt put back stays put back", async ({
  db,
  startSession,
}) => {
  const message = await buildMessage(db, { recipientCount: 2_500 });
  const key = { userId: message.userId, messageId: message.messageId };
  const set = async (batchIndex: number, columns: string): Promise<void> =>
    void (await db.query(`update message_batch set ${columns} where message_id = $1 and batch_index = $2`, [
      message.messageId,
      batchIndex,
    ]));
  await set(0, "attempt = 1, intent_count = 5, redo = '{1,2}'");
  await set(1, "attempt = 7, intent_count = 40, redo = '{9}'");
  await set(2, "attempt = 2, intent_count = 30, redo = '{4}'");
  await set(3, "state = 2, lease_owner = '01900000-0000-7000-8000-000000000000'");
  const back = await withTransaction(
    db,
    async (tx) =>
      await writeBackIntents(tx, [
        handedOver({ ...key, batchIndex: 0, attempt: 2, intentCount: 20, redo: [7] }),
        handedOver({ ...key, batchIndex: 1, attempt: 3, intentCount: 20, redo: [] }),
        handedOver({ ...key, batchIndex: 2, attempt: 2, intentCount: 30, redo: [] }),
        handedOver({ ...key, batchIndex: 3, attempt: 2, intentCount: 30, redo: [] }),
        handedOver({ batchIndex: 9 }),
      ]),
  );
  expect(back).toEqual({ batchCount: 2, missingCount: 1 });
  const { rows } = await db.query(
    `select intent_count as "intentCount", redo, is_dirty as "isDirty" from message_batch where message_id = $1 order by batch_index`,
    [message.messageId],
  );
  expect(rows).toEqual([
    { intentCount: 20, redo: [7], isDirty: true },
    { intentCount: 40, redo: [9], isDirty: false },
    { intentCount: 30, redo: [], isDirty: true },
    { intentCount: 0, redo: [], isDirty: false },
    { intentCount: 0, redo: [], isDirty: false },
  ]);
  await set(1, "intent_count = 0, redo = '{}'");
  await set(3, "state = 1, lease_owner = null");
  await startSession([new FakeCarrier()]);
  // 20 less the one that was put back, and 30.
  await untilCounts(db, message, { sent: 2_451, unknown: 49 });
});
