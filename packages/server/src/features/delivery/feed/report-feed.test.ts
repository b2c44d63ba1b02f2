// The feed as its readers see it: each way that an outcome takes, by a real worker on a real database.
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import type { Db } from "../../../db/pool.ts";
import { buildMessage, type BuiltMessage, testPhoneNos } from "../../../testing/delivery-factories.ts";
import { settleEarlyReports } from "../outcomes/settle-early-reports.ts";
import { expireMessages } from "../queue/expire-messages.ts";
import { cancelMessage } from "../queue/manage-message.ts";
import { startDueMessages } from "../queue/start-due-messages.ts";
import { addDndNumbers } from "../dnd/dnd-numbers.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { expect, killSession, test, until, untilCounts } from "../testing/worker-test.ts";
import { dropFirstOfRow, dropFromFeed, readFeed, type FeedRow } from "./report-feed.ts";
import type { Follower } from "./followers.ts";

const ALL: Follower[] = ["webhooks", "twilio", "smpp"];

/** Reads as a follower does, and is done with it. */
async function take(db: Db, follower: Follower): Promise<FeedRow[]> {
  return await withTransaction(db, async (tx) => {
    const rows = await readFeed(tx, follower, 1_000);
    await dropFromFeed(tx, follower, rows);
    return rows;
  });
}

/** What a follower hears, as `number state reason`, in order of number. */
function heard(rows: readonly FeedRow[]): string[] {
  return rows
    .flatMap(({ state, recipients }) =>
      recipients.map(
        ({ phoneNo, errorCode }) => `${phoneNo % 1_000} ${state}${errorCode === null ? "" : ` ${errorCode}`}`,
      ),
    )
    .toSorted();
}

const withIndex = (count: number, text: string, first = 0): string[] =>
  Array.from({ length: count }, (_, index) => `${index + first} ${text}`).toSorted();

describe("what becomes of followed recipients", () => {
  test("is told to each follower once: many delivered, few, a failed one and a refused one", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 300, followers: ALL });
    const plain = await buildMessage(db, { recipientCount: 120 });
    const carrier = new FakeCarrier({
      behaviour: ({ phoneNo }) => (phoneNo === "2348030000299" ? { kind: "refused", reason: "status:11" } : "accept"),
    });
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 299, failed: 1 });
    await untilCounts(db, plain, { sent: 120 });
    expect(heard(await take(db, "smpp"))).toEqual(["299 failed status:11"]);
    const sent = await take(db, "twilio");
    expect(heard(sent)).toEqual([...withIndex(299, "sent"), "299 failed status:11"].toSorted());

    const own = carrier.taken.filter(({ context }) => context.batch.message.messageId === message.messageId);
    // Twice, as carriers do; a second report of the same says nothing new.
    for (const { key } of [...own.slice(1, 201), ...own.slice(1, 201)]) carrier.report({ key });
    carrier.report({ key: own[0]?.key ?? "", state: "failed", errorCode: "report:expired" });
    for (const { key, context } of carrier.taken)
      if (context.batch.message.messageId === plain.messageId) carrier.report({ key });
    await untilCounts(db, message, { sent: 98, delivered: 200, failed: 2 });
    await untilCounts(db, plain, { delivered: 120 });
    for (const { key } of own.slice(201, 210)) carrier.report({ key });
    await untilCounts(db, message, { sent: 89, delivered: 209, failed: 2 });

    const delivered = own.slice(1, 210).map(({ phoneNo }) => `${Number(phoneNo) % 1_000} delivered`);
    const first = `${Number(own[0]?.phoneNo) % 1_000} failed report:expired`;
    for (const follower of ["twilio", "smpp"] as const)
      expect(heard(await take(db, follower))).toEqual([...delivered, first].toSorted());
    const told = await take(db, "webhooks");
    expect(heard(told)).toEqual([...delivered, first, "299 failed status:11"].toSorted());
    // That nobody of the batch waits is told as well; and of the message that nobody follows, nothing.
    expect(told.some(({ endsBatch }) => endsBatch)).toBe(true);
    expect(new Set([...sent, ...told].map(({ messageId }) => messageId))).toEqual(new Set([message.messageId]));
    const { rows } = await db.query("select from report_feed");
    expect(rows).toHaveLength(0);
  });

  test("is told when a customer cancels it, in the queue and in a worker's hands", async ({ db, startSession }) => {
    const queued = await buildMessage(db, {
      recipientCount: 4,
      followers: ["webhooks"],
      sendAt: new Date(Date.now() + 60_000),
      timeZone: "Africa/Lagos",
    });
    const cancel = async ({ userId, messageId }: BuiltMessage): Promise<void> =>
      await withTransaction(db, (tx) => cancelMessage(tx, { userId, messageId }, new Date()));
    await cancel(queued);
    const rows = await take(db, "webhooks");
    expect(heard(rows)).toEqual(withIndex(4, "cancelled"));
    expect(rows).toMatchObject([{ endsBatch: true, messageId: queued.messageId }]);

    const message = await buildMessage(db, { recipientCount: 400, followers: ["smpp"] });
    const carrier = new FakeCarrier({ windowSize: 10, behaviour: () => "silent" });
    await startSession([carrier]);
    await until("the window is full", () => carrier.taken.length === 10);
    await cancel(message);
    // It sees the wish within a second; what it hands over until then is sent.
    await until("nobody waits", async () => {
      for (const taken of carrier.taken) carrier.answer(taken, "accept");
      return (await countOf(db, message, "waiting")) === 0;
    });
    const { length } = carrier.taken;
    expect(length).toBeLessThan(400);
    await untilCounts(db, message, { sent: length, cancelled: 400 - length });
    const handed = new Set(carrier.phoneNos);
    const rest = message.phoneNos.filter((phoneNo) => !handed.has(phoneNo));
    expect(heard(await take(db, "smpp"))).toEqual(rest.map((phoneNo) => `${phoneNo % 1_000} cancelled`).toSorted());
  });

  test("is told when its time is over, and when a number came onto the list before it started", async ({ db }) => {
    const over = await buildMessage(db, {
      recipientCount: 2,
      followers: ALL,
      validUntil: new Date(Date.now() - 1_000),
    });
    await expireMessages(db);
    expect(heard(await take(db, "twilio"))).toEqual(withIndex(2, "expired"));

    const later = await buildMessage(db, {
      recipientCount: 3,
      followers: ["webhooks"],
      sendAt: new Date(Date.now() - 1),
      timeZone: "Africa/Lagos",
    });
    await addDndNumbers(db, { phoneNos: [later.phoneNos[1] ?? 0], source: "test" });
    await startDueMessages(db);
    const rows = (await take(db, "webhooks")).filter(({ messageId }) => messageId !== over.messageId);
    expect(heard(rows)).toEqual(["1 dnd"]);
  });

  test("is told to webhooks when a message begins that skips it, once, and with it that a message has nobody else", async ({
    db,
  }) => {
    const [first = 0, second = 0] = testPhoneNos(2);
    const skipped = {
      recipientCount: 4,
      followers: ALL,
      dndPhoneNos: [second],
      optedOutPhoneNos: new Set([first]),
      priceMilli: 0,
    };
    const now = await buildMessage(db, skipped);
    await buildMessage(db, { ...skipped, followers: ["twilio", "smpp"] });
    for (const follower of ["twilio", "smpp"] as const) expect(await take(db, follower)).toEqual([]);
    const told = await take(db, "webhooks");
    expect(heard(told)).toEqual(["0 optedOut", "1 dnd"]);
    expect(
      told
        .flatMap(({ recipients }) => recipients.map(({ position }) => position))
        .toSorted((one, other) => one - other),
    ).toEqual([0, 1]);
    expect(told.some(({ endsBatch }) => endsBatch)).toBe(false);
    expect(new Set(told.map(({ messageId }) => messageId))).toEqual(new Set([now.messageId]));

    const alone = await buildMessage(db, { ...skipped, phoneNos: [first, second], optedOutPhoneNos: new Set([first]) });
    const all = await take(db, "webhooks");
    expect(heard(all)).toEqual(["0 optedOut", "1 dnd"]);
    expect(all.every(({ endsBatch, messageId }) => endsBatch && messageId === alone.messageId)).toBe(true);

    // One for later may be changed until it begins.
    const later = await buildMessage(db, {
      ...skipped,
      recipientCount: 5,
      sendAt: new Date(Date.now() - 1),
      timeZone: "Africa/Lagos",
    });
    expect(await take(db, "webhooks")).toEqual([]);
    await addDndNumbers(db, { phoneNos: [later.phoneNos[3] ?? 0], source: "test" });
    await startDueMessages(db);
    expect(heard(await take(db, "webhooks"))).toEqual(["0 optedOut", "1 dnd", "3 dnd"]);
  });

  test("is told when a killed worker left it unknown, and when a report settles it", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 5, followers: ["webhooks"] });
    const killed = new FakeCarrier({ behaviour: () => "silent" });
    await killSession(db, await startSession([killed]));
    const silent = new FakeCarrier();
    await startSession([silent]);
    await untilCounts(db, message, { unknown: killed.taken.length, sent: 5 - killed.taken.length });
    const unknown = killed.phoneNos.map((phoneNo) => `${phoneNo % 1_000} unknown`).toSorted();
    expect(heard(await take(db, "webhooks"))).toEqual(unknown);
    for (const phoneNo of killed.phoneNos) silent.report({ key: `late-${phoneNo}`, phoneNo, senderName: "Ewebal" });
    await until("all are settled", async () => {
      await db.query("update early_report set next_try_at = now()");
      await settleEarlyReports(db, {
        isRefundingFailed: false,
        horizon: { oldestMessageId: message.messageId } as never,
      });
      return (await countOf(db, message, "delivered")) === killed.taken.length;
    });
    expect(heard(await take(db, "webhooks"))).toEqual(unknown.map((one) => one.replace("unknown", "delivered")));
  });
});

describe("a reader", () => {
  test("gets nothing while another host reads, and everything again when that one fails", async ({ db }) => {
    const message = await buildMessage(db, {
      recipientCount: 3,
      followers: ["smpp"],
      validUntil: new Date(Date.now() - 1_000),
    });
    await expireMessages(db);
    const failing = withTransaction(db, async (tx) => {
      const rows = await readFeed(tx, "smpp", 10);
      expect(rows).toHaveLength(1);
      expect(await take(db, "smpp")).toEqual([]);
      await dropFromFeed(tx, "smpp", rows);
      throw new Error("the follower's own rows could not be written");
    });
    await expect(failing).rejects.toThrow("could not be written");

    await withTransaction(db, async (tx) => {
      const [row] = await readFeed(tx, "smpp", 10);
      expect(row).toMatchObject({ userId: message.userId, state: "expired" });
      await dropFirstOfRow(tx, "smpp", { ...message, feedId: row?.feedId ?? 0, count: 2 });
    });
    expect(heard(await take(db, "smpp"))).toEqual(["2 expired"]);
    expect(await take(db, "smpp")).toEqual([]);
  });
});

async function countOf(db: Db, { messageId }: BuiltMessage, column: "waiting" | "delivered"): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select ${column} as count from message_count where message_id = $1`,
    [messageId],
  );
  return rows[0]?.count ?? 0;
}
