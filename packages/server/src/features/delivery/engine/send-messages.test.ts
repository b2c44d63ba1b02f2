import { setTimeout as sleep } from "node:timers/promises";
import { describe } from "vitest";
import { buildFundedUser, buildMessage, testPhoneNos } from "../../../testing/delivery-factories.ts";
import { getMessage } from "../lists/list-messages.ts";
import { listRecipients } from "../lists/list-recipients.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { loseRequest } from "../testing/lose-answers.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { resumeMessage } from "../queue/manage-message.ts";
import { messageStateNumbers } from "../states.ts";
import { expect, readCounts, readSpent, test, until, untilCounts } from "../testing/worker-test.ts";

describe("a queued message", () => {
  test("reaches the carrier once for each number, and is charged when accepted", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1_234 });
    const carrier = new FakeCarrier();
    await startSession([carrier]);

    await untilCounts(db, message, { sent: 1_234 });

    expect(carrier.sortedPhoneNos).toEqual(message.phoneNos);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
  });

  test("that comes while the worker is idle is handed over at once", async ({ db, startSession }) => {
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await until("the carrier is bound", () => carrier.heldBinds.length === 1);
    const user = await buildFundedUser(db);

    const startedAtMs = performance.now();
    await buildMessage(db, { userId: user.userId, recipientCount: 1 });
    await until("it is handed over", () => carrier.taken.length === 1);

    // A look comes with each heartbeat; a notification must not wait for it.
    expect(performance.now() - startedAtMs).toBeLessThan(400);
  });

  test("does not go to numbers on the do-not-disturb list, which cost nothing", async ({ db, startSession }) => {
    const phoneNos = testPhoneNos(6);
    const dndPhoneNos = [phoneNos[0] ?? 0, phoneNos[4] ?? 0];
    const message = await buildMessage(db, { phoneNos, dndPhoneNos });
    const carrier = new FakeCarrier();
    await startSession([carrier]);

    await untilCounts(db, message, { sent: 4, dnd: 2 });

    expect(carrier.sortedPhoneNos).toEqual(phoneNos.filter((phoneNo) => !dndPhoneNos.includes(phoneNo)));
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 4 * message.priceMilli, heldMilli: 0 });
  });

  test("of which all numbers are on the do-not-disturb list is done without any worker", async ({ db }) => {
    const phoneNos = testPhoneNos(3);
    const message = await buildMessage(db, { phoneNos, dndPhoneNos: phoneNos });
    await untilCounts(db, message, { dnd: 3 });
  });

  test("is refused in plain words and not charged where the carrier refuses", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 4 });
    const bad = String(message.phoneNos[2]);
    const carrier = new FakeCarrier({
      behaviour: ({ phoneNo }) => (phoneNo === bad ? { kind: "refused", reason: "status:11" } : "accept"),
    });
    await startSession([carrier]);

    await untilCounts(db, message, { sent: 3, failed: 1 });

    const { rows } = await listRecipients(db, { ...message, limit: 10, state: "failed" });
    expect(rows).toMatchObject([{ position: 2, phoneNo: Number(bad), reason: "Number not in service; not charged" }]);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 3 * message.priceMilli, heldMilli: 0 });
  });

  test("is refused where no carrier takes the number", async ({ db, startSession }) => {
    const message = await buildMessage(db, { phoneNos: [2_348_030_000_001, 233_200_000_001] });
    const carrier = new FakeCarrier({ prefixes: ["234"] });
    await startSession([carrier]);

    await untilCounts(db, message, { sent: 1, failed: 1 });

    const { rows } = await listRecipients(db, { ...message, limit: 10, state: "failed" });
    expect(rows[0]?.reason).toMatch(/No carrier takes messages to this number/);
  });

  test("goes to the carrier with the longest prefix, number by number", async ({ db, startSession }) => {
    const message = await buildMessage(db, { phoneNos: [2_348_030_000_001, 2_348_050_000_001, 2_348_030_000_002] });
    const all = new FakeCarrier({ name: "all" });
    const direct = new FakeCarrier({ name: "direct", prefixes: ["234803"] });
    await startSession([all, direct]);

    await untilCounts(db, message, { sent: 3 });

    expect(direct.phoneNos).toEqual([2_348_030_000_001, 2_348_030_000_002]);
    expect(all.phoneNos).toEqual([2_348_050_000_001]);
  });

  test("comes back after a throttled answer, and is sent once in the end", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 20 });
    const tries = new Map<string, number>();
    const carrier = new FakeCarrier({
      behaviour: ({ phoneNo }) => {
        const count = (tries.get(phoneNo) ?? 0) + 1;
        tries.set(phoneNo, count);
        if (count > 2) return "accept";
        return { kind: "deferred", afterMs: 10, isPartial: false, isFault: false, reason: "status:88" };
      },
    });
    await startSession([carrier]);

    await untilCounts(db, message, { sent: 20 });
    expect([...tries.values()]).toEqual(Array.from({ length: 20 }, () => 3));
  });

  test("is given up after eight faults of the carrier, and released", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    const carrier = new FakeCarrier({
      behaviour: () => ({ kind: "deferred", afterMs: 1, isPartial: false, isFault: true, reason: "status:8" }),
    });
    await startSession([carrier]);

    await untilCounts(db, message, { failed: 1 });
    expect(carrier.taken).toHaveLength(8);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
  });
});

describe("a message that cannot be recorded", () => {
  test("is paused for an operator, and everybody else's go on", async ({ db, startSession }) => {
    const good = await buildMessage(db, { recipientCount: 1_000 });
    const bad = await buildMessage(db, { recipientCount: 50 });
    // What should never be: the message names a hold that does not exist.
    await db.query("update message set hold_id = user_id where message_id = $1", [bad.messageId]);
    const carrier = new FakeCarrier({ windowSize: 50 });
    const session = await startSession([carrier]);
    const later = await buildMessage(db, { recipientCount: 20 });

    await untilCounts(db, good, { sent: 1_000 });
    await untilCounts(db, later, { sent: 20 });
    const { rows } = await db.query("select state, is_dirty from message_batch where message_id = $1", [bad.messageId]);
    expect(rows).toEqual([{ state: 0, is_dirty: true }]);
    expect(await getMessage(db, bad)).toMatchObject({ state: "paused", counts: { waiting: 50 } });

    // The fault is mended and the message resumed: what may have been handed over is not sent again.
    await db.query("update message set hold_id = message_id where message_id = $1", [bad.messageId]);
    await session.stop();
    const takenBefore = carrier.phoneNos.length;
    await startSession([carrier]);
    await withTransaction(db, (tx) => resumeMessage(tx, bad, new Date()));
    await until("nobody waits", async () => (await readCounts(db, bad)).waiting === 0);
    const { sent, unknown } = await readCounts(db, bad);
    expect(sent + unknown).toBe(50);
    expect(carrier.phoneNos.length - takenBefore).toBe(sent);
  });

  test("is paused also when the database goes away in that moment", async ({ db, startSession }) => {
    const bad = await buildMessage(db, { recipientCount: 50 });
    await db.query("update message set hold_id = user_id where message_id = $1", [bad.messageId]);
    const line = loseRequest(db, (sql) => sql.startsWith(`update message set state = ${messageStateNumbers.paused}`));
    await startSession([new FakeCarrier({ windowSize: 50 })], { db: line.db });
    await until("it is paused", async () => (await getMessage(db, bad)).state === "paused");
    expect(line.lostCount()).toBe(1);
  });
});

test("a worker with nothing to do asks the database little", async ({ db, startSession }) => {
  const statements: string[] = [];
  const line = loseRequest(db, (sql) => {
    statements.push(sql);
    return false;
  });
  const carrier = new FakeCarrier();
  await startSession([carrier], { db: line.db });
  await until("the carrier is bound", () => carrier.heldBinds.length === 1);
  await sleep(1_000);
  statements.length = 0;
  await sleep(3_000);
  // In three seconds a task of each second comes four times at most.
  expect(statements.filter((sql) => sql.startsWith("begin")).length).toBeLessThanOrEqual(4);
  // Every installation asks as often, day and night.
  expect(statements.length).toBeLessThanOrEqual(4 * 30);
});

describe("live updates", () => {
  test("name each changed message after its commit, and merge", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 2_000 });
    const changes: string[] = [];
    await startSession([new FakeCarrier()], { onChange: ({ messageId }) => changes.push(messageId) });

    await untilCounts(db, message, { sent: 2_000 });
    await until("it was told", () => changes.length > 0);
    expect(new Set(changes)).toEqual(new Set([message.messageId]));
    expect(changes.length).toBeLessThan(50);
  });
});
