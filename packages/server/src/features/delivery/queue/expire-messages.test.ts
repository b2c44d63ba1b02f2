/** What was not handed over before a message's time was over. */
import { describe } from "vitest";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { isDistributed } from "../../../db/distribution.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { listMessages, getMessage } from "../lists/list-messages.ts";
import { listRecipients } from "../lists/list-recipients.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { expect, readSpent, test, until } from "../testing/worker-test.ts";
import { expireMessages } from "./expire-messages.ts";
import { pauseMessage } from "./manage-message.ts";

describe("a message whose time is over", () => {
  test("hands over nothing more; who was left expires, and the units come back", async ({ db, startSession }) => {
    // One is on the wire and has no answer; the others wait behind it in this worker.
    const carrier = new FakeCarrier({ windowSize: 1, behaviour: () => "silent" });
    const message = await buildMessage(db, { recipientCount: 4 });
    // Long enough for a worker to start, also on a cluster.
    await db.query("update message set valid_until = now() + make_interval(secs => $1)", [isDistributed(db) ? 8 : 1]);
    await startSession([carrier]);
    await until("the first is handed over", () => carrier.taken.length === 1);
    await until("the time is over", () => isOver(db));
    carrier.facts.behaviour = () => "accept";
    const [first] = carrier.taken;
    if (first !== undefined) carrier.answer(first, "accept");
    await until("nobody waits", async () => (await getMessage(db, message)).counts.waiting === 0);
    const { counts, state } = await getMessage(db, message);
    expect([counts, state]).toEqual([
      { waiting: 0, sent: 1, delivered: 0, failed: 0, dnd: 0, unknown: 0, cancelled: 0, optedOut: 0, expired: 3 },
      "done",
    ]);
    expect(carrier.taken).toHaveLength(1);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 3_000, heldMilli: 0 });
    const page = { ...message, limit: 10 };
    const { rows } = await listRecipients(db, { ...page, state: "expired" });
    expect(rows.map((row) => [row.phoneNo, row.state, row.reason !== ""])).toEqual(
      message.phoneNos.slice(1).map((phoneNo) => [phoneNo, "expired", true]),
    );
    expect((await listRecipients(db, { ...page, state: "cancelled" })).rows).toEqual([]);
    for (const [wanted, found] of [
      ["done", 1],
      ["cancelled", 0],
    ] as const)
      expect(
        (await listMessages(db, { userId: message.userId, query: { limit: 10, state: wanted } })).rows,
        wanted,
      ).toHaveLength(found);
  });

  test("expires while it is paused, and leaves one that is done as it is", async ({ db }) => {
    const message = await buildMessage(db, { recipientCount: 3 });
    await withTransaction(db, async (tx) => await pauseMessage(tx, message, new Date()));
    expect(await expireMessages(db)).toEqual([]);
    await db.query("update message set valid_until = now()");
    expect(await expireMessages(db)).toMatchObject([{ messageId: message.messageId }]);
    expect(await expireMessages(db)).toEqual([]);
    expect((await getMessage(db, message)).counts).toMatchObject({ waiting: 0, expired: 3, cancelled: 0 });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
  });
});

async function isOver(db: Parameters<typeof getMessage>[0]): Promise<boolean> {
  const { rows } = await db.query("select from message where is_validity_over");
  return rows.length > 0;
}
