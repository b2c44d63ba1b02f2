// Goal: a customer's count of messages is that of the rows, whichever way a message came into the history or left it, and however many do at once.
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { expect, test } from "../../../testing/database.ts";
import { buildFundedUser, buildMessage } from "../../../testing/delivery-factories.ts";
import { cancelMessage, hideMessage, pauseMessage, resumeMessage } from "../queue/manage-message.ts";
import { deleteScheduledMessage } from "../queue/scheduled-messages.ts";
import { startDueMessages } from "../queue/start-due-messages.ts";
import { markRestored } from "../send-mark/send-mark.ts";
import { refuseMessage, releaseMessage } from "../send-mark/held-messages.ts";
import { recountMessages } from "./customer-counts.ts";
import { selectMessageSummaries } from "./message-list-store.ts";

const now = () => new Date();
const soon = () => new Date(Date.now() + 3_600_000);

async function countOf(db: Db, userId: string): Promise<{ kept: number; rows: number }> {
  const [summary] = await selectMessageSummaries(db, [userId], 50);
  const { rows } = await db.query<{ count: number }>(
    "select count(*) as count from message where user_id = $1 and state <> 0 and hidden_at is null",
    [userId],
  );
  expect(summary?.newestIds).toHaveLength(rows[0]?.count ?? -1);
  return { kept: summary?.count ?? -1, rows: rows[0]?.count ?? -1 };
}

test("sent, started, cancelled, refused and held messages count; deleted and scheduled ones do not", async ({ db }) => {
  const { userId } = await buildFundedUser(db);
  const both = async (count: number): Promise<void> =>
    expect(await countOf(db, userId)).toEqual({ kept: count, rows: count });
  await both(0);
  const sent = await buildMessage(db, { userId });
  const scheduled = await buildMessage(db, { userId, sendAt: soon() });
  const deleted = await buildMessage(db, { userId, sendAt: soon() });
  const cancelled = await buildMessage(db, { userId, sendAt: soon() });
  await both(1);
  await withTransaction(db, (tx) => pauseMessage(tx, sent, now()));
  await withTransaction(db, (tx) => resumeMessage(tx, sent, now()));
  await both(1);
  await withTransaction(db, (tx) => deleteScheduledMessage(tx, deleted, now()));
  await both(1);
  await withTransaction(db, (tx) => cancelMessage(tx, cancelled, now()));
  await both(2);
  await db.query("update message set send_at = now() where message_id = $1", [scheduled.messageId]);
  await startDueMessages(db);
  await both(3);
  const notApproved = await buildMessage(db, { userId, sendAt: soon() });
  await db.query("update message set send_at = now() where message_id = $1", [notApproved.messageId]);
  await startDueMessages(db, () => Promise.resolve(false));
  await both(4);
  await withTransaction(db, (tx) => hideMessage(tx, sent, now()));
  await both(3);
});

test("a restore holds what is due, and what is released to be scheduled again leaves the history", async ({ db }) => {
  const { userId } = await buildFundedUser(db);
  const both = async (count: number): Promise<void> =>
    expect(await countOf(db, userId)).toEqual({ kept: count, rows: count });
  await buildMessage(db, { userId });
  const [released, refused] = [
    await buildMessage(db, { userId, sendAt: soon() }),
    await buildMessage(db, { userId, sendAt: soon() }),
  ];
  await db.query("update message set send_at = now() where state = 0");
  await withTransaction(db, (tx) => markRestored(tx, "test"));
  await both(3);
  await withTransaction(db, (tx) => releaseMessage(tx, released.messageId, now()));
  await both(2);
  await withTransaction(db, (tx) => refuseMessage(tx, refused.messageId, now()));
  await both(2);
});

test("twenty sends of one customer at once, some of which fail, beside counting anew", async ({ db }) => {
  const { userId } = await buildFundedUser(db);
  await buildMessage(db, { userId });
  const sends = Array.from({ length: 20 }, async (_, index) => {
    const sent = buildMessage(db, { userId, ...(index % 5 === 0 && { priceMilli: 1_000_000_000_000 }) });
    await (index % 5 === 0 ? expect(sent).rejects.toThrow() : sent);
  });
  await Promise.all([...sends, recountMessages(db, 5), recountMessages(db, 5)]);
  expect(await countOf(db, userId)).toEqual({ kept: 17, rows: 17 });
});

test("a count that a release without counts left wrong is mended, the longest uncounted customers first", async ({
  db,
}) => {
  const users = [await buildFundedUser(db), await buildFundedUser(db)];
  for (const { userId } of users) await buildMessage(db, { userId });
  await db.query("update customer_count set messages = 7");
  expect(await recountMessages(db, 1)).toBe(1);
  expect(await recountMessages(db, 1)).toBe(1);
  expect(await recountMessages(db, 5)).toBe(0);
  for (const { userId } of users) expect(await countOf(db, userId)).toEqual({ kept: 1, rows: 1 });
});
