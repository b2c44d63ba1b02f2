import { setTimeout as sleep } from "node:timers/promises";
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import { buildMessage, testPhoneNos } from "../../../testing/delivery-factories.ts";
import { cancelMessage, pauseMessage, resumeMessage } from "../queue/manage-message.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { expect, killSession, readCounts, readSpent, test, until, untilCounts } from "../testing/worker-test.ts";
import {
  deleteQuietHours,
  notifyOfQuietHours,
  selectQuietHours,
  upsertQuietHours,
} from "../quiet-hours/quiet-hours-store.ts";

/** A clock that stands where the test has put it, by the time of Lagos. */
class StandingClock {
  #now: Date;

  constructor(time: string) {
    this.#now = StandingClock.#at(time);
  }

  now = (): Date => this.#now;

  set(time: string, day?: string): void {
    this.#now = StandingClock.#at(time, day);
  }

  static #at(time: string, day = "2026-11-23"): Date {
    return new Date(`${day}T${time}+01:00`);
  }
}

/** A claim would have come by then: work is looked for at once, and every 500 ms in any case. */
const LONG_ENOUGH_MS = 1_200;

describe("promotional messages to Nigeria", () => {
  test.for([
    ["07:59:59", false],
    ["07:59:59.999", false],
    ["08:00:00", true],
    ["19:59:59", true],
    ["19:59:59.999", true],
    ["20:00:00", false],
    ["23:59:59", false],
  ] as const)("at %s in Lagos leave: %s", async ([time, leaves], { db, startSession }) => {
    const carrier = new FakeCarrier();
    await startSession([carrier], { clock: new StandingClock(time) });
    const message = await buildMessage(db, { recipientCount: 3 });
    if (leaves) return await untilCounts(db, message, { sent: 3 });
    await sleep(LONG_ENOUGH_MS);
    expect(await readCounts(db, message)).toMatchObject({ waiting: 3, sent: 0 });
    expect(carrier.taken).toHaveLength(0);
    return undefined;
  });

  test("stop at 20:00:00 in the middle of a send, keep their units, and go on at 08:00:00 by themselves", async ({
    db,
    startSession,
  }) => {
    const clock = new StandingClock("19:59:59");
    let closedAfter = Infinity;
    const taken: string[] = [];
    const carrier = new FakeCarrier({
      windowSize: 50,
      behaviour: ({ phoneNo }) => {
        taken.push(phoneNo);
        // While the carrier takes one, in the middle of a run of hand-overs.
        if (taken.length === 1_500) {
          clock.set("20:00:00");
          closedAfter = taken.length;
        }
        return "accept";
      },
    });
    await startSession([carrier], { clock });
    const message = await buildMessage(db, { recipientCount: 4_000 });

    await until("the clock struck eight", () => closedAfter < Infinity);
    await until("nothing is in hand", async () => {
      const { rows } = await db.query<{ open: boolean }>(
        "select exists (select 1 from message_batch where state = 2) as open",
      );
      return rows[0]?.open === false;
    });
    await sleep(LONG_ENOUGH_MS);
    const sent = taken.length;
    expect(sent).toBe(closedAfter);
    await untilCounts(db, message, { sent, waiting: 4_000 - sent });
    expect(await readSpent(db, message.userId)).toEqual({
      spentMilli: sent * message.priceMilli,
      heldMilli: (4_000 - sent) * message.priceMilli,
    });

    clock.set("07:59:59.999", "2026-11-24");
    await sleep(LONG_ENOUGH_MS);
    expect(taken).toHaveLength(sent);

    clock.set("08:00:00", "2026-11-24");
    await untilCounts(db, message, { sent: 4_000 });
    expect(new Set(taken).size).toBe(4_000);
    expect(taken).toHaveLength(4_000);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
  });

  test("may be paused, resumed and cancelled at night, and what a killed worker left is settled then", async ({
    db,
    startSession,
  }) => {
    const clock = new StandingClock("19:59:59");
    const silent = new FakeCarrier({ behaviour: () => "silent", windowSize: 10 });
    const session = await startSession([silent], { clock });
    const message = await buildMessage(db, { recipientCount: 600 });
    await until("some are handed over", () => silent.taken.length === 10);
    await killSession(db, session);
    clock.set("20:00:00");
    await startSession([new FakeCarrier()], { clock });
    await until("what may have been sent is unknown", async () => {
      const { rows } = await db.query<{ open: boolean }>(
        "select exists (select 1 from message_batch where is_dirty or state = 2) as open",
      );
      return rows[0]?.open === false && (await readCounts(db, message)).unknown >= 10;
    });
    const counts = await readCounts(db, message);

    await withTransaction(db, (tx) => pauseMessage(tx, message, clock.now()));
    await withTransaction(db, (tx) => resumeMessage(tx, message, clock.now()));
    await withTransaction(db, (tx) => cancelMessage(tx, message, clock.now()));
    await untilCounts(db, message, { unknown: counts.unknown, cancelled: 600 - counts.unknown });
  });
});

test("transactional messages, answers, and other countries' wait for nothing, and small ones pass a night's worth of bulk", async ({
  db,
  startSession,
}) => {
  const carrier = new FakeCarrier();
  await startSession([carrier], { clock: new StandingClock("23:00:00") });
  const waiting = await buildMessage(db, { recipientCount: 3_000 });
  const transactional = await buildMessage(db, { recipientCount: 700, class: "transactional" });
  const answer = await buildMessage(db, { recipientCount: 1, isAnswer: true });
  const abroad = await buildMessage(db, { phoneNos: [254_712_000_001], code: "254" });
  await untilCounts(db, transactional, { sent: 700 });
  await untilCounts(db, answer, { sent: 1 });
  await untilCounts(db, abroad, { sent: 1 });
  expect(await readCounts(db, waiting)).toMatchObject({ waiting: 3_000, sent: 0 });
});

test("a change of the hours holds at once, for what waits and what runs", async ({ db, startSession }) => {
  const clock = new StandingClock("21:00:00");
  const carrier = new FakeCarrier({ windowSize: 5, messagesPerSecond: 100 });
  await startSession([carrier], { clock });
  await buildMessage(db, { recipientCount: 5_000 });
  const [row] = await selectQuietHours(db);
  if (row === undefined) throw new Error("a new database has the hours of Nigeria");
  const setHours = async (closesAt: string) =>
    await withTransaction(db, async (tx) => {
      await upsertQuietHours(tx, { ...row, closesAt }, new Date());
      await notifyOfQuietHours(tx);
    });

  await setHours("21:00:01");
  await until("it leaves", () => carrier.taken.length > 20);
  await setHours("20:00");
  await until("nothing is in hand", async () => {
    const { rows } = await db.query<{ open: boolean }>(
      "select exists (select 1 from message_batch where state = 2) as open",
    );
    return rows[0]?.open === false;
  });
  const { length } = carrier.taken;
  await sleep(LONG_ENOUGH_MS);
  expect(carrier.taken).toHaveLength(length);

  await withTransaction(db, async (tx) => {
    await deleteQuietHours(tx, row.quietHoursId);
    await notifyOfQuietHours(tx);
  });
  await until("it leaves again", () => carrier.taken.length > length + 20);
});

test("carriers get the classes that they take, and do-not-disturb numbers go where they are reached", async ({
  db,
  startSession,
}) => {
  const bulk = new FakeCarrier({ name: "bulk", classes: ["promotional"] });
  const codes = new FakeCarrier({ name: "codes", classes: ["transactional"] });
  const reaching = new FakeCarrier({ name: "reaching", classes: ["transactional"], reachesDnd: true, priority: 9 });
  await startSession([bulk, codes, reaching]);
  const phoneNos = testPhoneNos(6);
  const promotional = await buildMessage(db, { phoneNos });
  const transactional = await buildMessage(db, {
    phoneNos,
    class: "transactional",
    reachesDnd: true,
    reachedDndPhoneNos: new Set([phoneNos[1] ?? 0, phoneNos[4] ?? 0]),
  });
  await untilCounts(db, promotional, { sent: 6 });
  await untilCounts(db, transactional, { sent: 6 });
  expect(bulk.sortedPhoneNos).toEqual(phoneNos);
  expect(reaching.sortedPhoneNos).toEqual([phoneNos[1], phoneNos[4]]);
  expect(codes.sortedPhoneNos).toEqual(phoneNos.filter((_, index) => index !== 1 && index !== 4));
});
