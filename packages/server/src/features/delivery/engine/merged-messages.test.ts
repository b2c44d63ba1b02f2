import { ValueRowList } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { holdUnits } from "../../../ledger/index.ts";
import { buildUser } from "../../../testing/factories.ts";
import { topUpUser } from "../../../testing/ledger-factories.ts";
import { readSpent, test, expect, killSession, readCounts, until, untilCounts } from "../testing/worker-test.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { checkMessagesSince } from "../outcomes/message-rules.ts";
import { cancelMessage } from "../queue/manage-message.ts";
import { queueMessage } from "../queue/queue-message.ts";

const START_MILLI = 1_000_000_000;
const PAGE_MILLI = 3_000;

/** A merged message of so many recipients; the one at a place pays place % 3 + 1 pages. */
async function buildMerged(db: Db, count: number, over: object = {}): Promise<{ userId: string; messageId: string }> {
  const { userId } = await buildUser(db);
  await topUpUser(db, userId, START_MILLI);
  const messageId = uuidv7();
  const rows = new ValueRowList();
  for (let place = 0; place < count; place += 1) rows.set(place, [`name ${place}`, null, null]);
  const pageCounts = Uint8Array.from({ length: count }, (_, place) => (place % 3) + 1);
  await withTransaction(db, async (tx) => {
    await queueMessage(tx, {
      userId,
      messageId,
      userName: "Ada",
      senderName: "Acme Ltd",
      body: "Dear {{name}}",
      code: "234",
      phoneNos: Float64Array.from({ length: count }, (_, place) => 2_348_030_000_000 + place),
      pageCount: 3,
      priceMilli: 3 * PAGE_MILLI,
      merge: {
        keys: ["name"],
        rows: rows.finish(),
        places: Float64Array.from({ length: count }, (_, place) => place),
        pageCounts,
      },
      holdId: messageId,
      createdAt: new Date(),
      ...over,
    });
    const pages = pageCounts.reduce((sum, one) => sum + one, 0);
    await holdUnits(tx, { userId, holdId: messageId, amountMilli: pages * PAGE_MILLI });
  });
  return { userId, messageId };
}

/** What the nightly audit finds wrong about today's messages. */
async function findBroken(db: Db): Promise<string[]> {
  const checks = await checkMessagesSince(db, new Date(Date.now() - 60_000));
  return checks.filter(({ violations }) => violations > 0).map(({ name }) => name);
}

describe("a merged message", () => {
  test("each gets their own text and pays their own pages; what is refused comes back", async ({
    db,
    startSession,
  }) => {
    const carrier = new FakeCarrier({
      behaviour: ({ phoneNo }) => (phoneNo.endsWith("2") ? { kind: "refused", reason: "no" } : "accept"),
    });
    await startSession([carrier]);
    const message = await buildMerged(db, 600);
    await untilCounts(db, message, { sent: 540, failed: 60 });
    const texts = new Map(carrier.taken.map(({ phoneNo, text }) => [phoneNo, text]));
    expect([texts.size, texts.get("2348030000000"), texts.get("2348030000599")]).toEqual([
      600,
      "Dear name 0",
      "Dear name 599",
    ]);
    const paid = Array.from({ length: 600 }, (_, place) => (place % 10 === 2 ? 0 : (place % 3) + 1));
    const spentMilli = paid.reduce((sum, pages) => sum + pages, 0) * PAGE_MILLI;
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli, heldMilli: 0 });
  });

  test("what is cancelled gives back what it would have paid, before and while a worker has it", async ({
    db,
    startSession,
  }) => {
    const waiting = await buildMerged(db, 7);
    expect(await findBroken(db)).toEqual([]);
    await withTransaction(db, (tx) => cancelMessage(tx, waiting, new Date()));
    expect(await readSpent(db, waiting.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });

    const carrier = new FakeCarrier({ windowSize: 10, behaviour: () => "silent" });
    await startSession([carrier]);
    const running = await buildMerged(db, 200);
    await until("some were handed over", () => carrier.taken.length === 10);
    await withTransaction(db, (tx) => cancelMessage(tx, running, new Date()));
    // Until the worker hears of it, each answer makes room for another one.
    await until("nobody waits", async () => {
      for (const taken of carrier.taken) carrier.answer(taken, "accept");
      return (await readCounts(db, running)).waiting === 0;
    });
    const pages = carrier.taken.map(({ phoneNo }) => (Number(phoneNo.slice(-3)) % 3) + 1);
    const spentMilli = pages.reduce((sum, one) => sum + one, 0) * PAGE_MILLI;
    expect(await readSpent(db, running.userId)).toEqual({ spentMilli, heldMilli: 0 });
    expect((await readCounts(db, running)).cancelled).toBe(200 - carrier.taken.length);
    expect(carrier.taken.length).toBeLessThan(200);
  });

  test("what a dead worker left unknown is settled by a report at its own price", async ({ db, startSession }) => {
    const silent = new FakeCarrier({ behaviour: () => "silent" });
    const session = await startSession([silent]);
    const message = await buildMerged(db, 3);
    await until("all were handed over", () => silent.taken.length === 3);
    await killSession(db, session);
    const heir = new FakeCarrier();
    await startSession([heir]);
    await untilCounts(db, message, { unknown: 3 });
    expect(await findBroken(db)).toEqual([]);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 6 * PAGE_MILLI });
    for (const { phoneNo, senderName } of silent.taken.slice(1))
      heir.report({ key: `late-${phoneNo}`, phoneNo: Number(phoneNo), senderName });
    await untilCounts(db, message, { unknown: 1, delivered: 2 });
    expect(await findBroken(db)).toEqual([]);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 5 * PAGE_MILLI, heldMilli: PAGE_MILLI });
  });

  test("a failure that is refunded is refunded at its own price", async ({ db, startSession }) => {
    const carrier = new FakeCarrier();
    await startSession([carrier], { isRefundingFailed: true });
    const message = await buildMerged(db, 3);
    await untilCounts(db, message, { sent: 3 });
    for (const { key } of carrier.taken) carrier.report({ key, state: "failed" });
    await untilCounts(db, message, { failed: 3 });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
  });
});
