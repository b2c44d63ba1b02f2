import { describe } from "vitest";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { findDndNumbers } from "../dnd/dnd-numbers.ts";
import { listRecipients } from "../lists/list-recipients.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { listLockWaiters, expect, killSession, readSpent, test, until, untilCounts } from "../testing/worker-test.ts";

describe("a delivery report", () => {
  test("moves its recipient on, and is acknowledged after that", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 3 });
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 3 });
    const [first, second] = carrier.taken;

    carrier.report({ key: first?.key ?? "" });
    carrier.report({ key: second?.key ?? "", state: "failed", errorCode: "report:undeliverable:027" });

    await untilCounts(db, message, { sent: 1, delivered: 1, failed: 1 });
    await until("both are acknowledged", () => carrier.acknowledged.length === 2);
    const { rows } = await listRecipients(db, { ...message, limit: 10, state: "failed" });
    expect(rows).toMatchObject([
      { phoneNo: Number(second?.phoneNo), reason: "Phone off or out of reach", carrierCode: "undeliverable 027" },
    ]);
    // Failed deliveries were accepted by the carrier and are charged.
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
  });

  test("among hundreds about one message moves its own recipient, and each row stays on its page", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 500 });
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 500 });
    const readPages = async (): Promise<unknown[]> => {
      const { rows } = await db.query(
        `select position, split_part(ctid::text, ',', 1) as page from delivery where user_id = $1 order by position`,
        [message.userId],
      );
      return rows;
    };
    const pages = await readPages();
    const [failed, expired, ...others] = carrier.taken;

    carrier.report({ key: failed?.key ?? "", state: "failed", errorCode: "report:undeliverable:027" });
    for (const { key } of others) carrier.report({ key });
    for (const { key } of others.slice(100, 300)) carrier.report({ key, state: "failed", errorCode: "report:expired" });
    carrier.report({ key: expired?.key ?? "", state: "failed", errorCode: "report:expired" });

    await untilCounts(db, message, { delivered: 498, failed: 2 });
    await until("all are acknowledged", () => carrier.acknowledged.length === 700);
    const { rows } = await listRecipients(db, { ...message, limit: 10, state: "failed" });
    expect(new Set(rows.map(({ phoneNo }) => phoneNo))).toEqual(
      new Set([failed, expired].map((taken) => Number(taken?.phoneNo))),
    );
    // A version on another page is entered into both indexes anew.
    expect(await readPages()).toEqual(pages);
  });

  // Goal: nobody who got an SMS stays unknown because a worker died. Method: three customers' messages are with the carrier, and not answered,
  // when the worker is killed; its reports come to the other one, by number and sender alone, as it never learned their ids.
  test("about what a killed worker left unknown settle it, for several customers at once", async ({
    db,
    startSession,
  }) => {
    const messages = await Promise.all(
      Array.from({ length: 3 }, async () => await buildMessage(db, { recipientCount: 10 })),
    );
    const carrier = new FakeCarrier({ windowSize: 30, behaviour: () => "silent" });
    const killed = await startSession([carrier]);
    await until("all are handed over", () => carrier.taken.length === 30);
    await killSession(db, killed);
    const other = new FakeCarrier();
    await startSession([other]);
    for (const message of messages) await untilCounts(db, message, { unknown: 10 });
    for (const message of messages)
      for (const [index, phoneNo] of message.phoneNos.entries())
        other.report({ key: `late-${message.messageId}-${index}`, phoneNo, senderName: "Ewebal" });
    for (const message of messages) await untilCounts(db, message, { delivered: 10 });
    expect(other.taken).toEqual([]);
    expect(await db.query("select from early_report")).toMatchObject({ rowCount: 0 });
    for (const { userId, heldMilli } of messages)
      expect(await readSpent(db, userId)).toEqual({ spentMilli: heldMilli, heldMilli: 0 });
  });

  test("is not acknowledged before its row is committed", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 1 });
    const blocker = await db.connect();
    await blocker.query("begin");
    await blocker.query("select from delivery where user_id = $1 for update", [message.userId]);
    carrier.report({ key: carrier.taken[0]?.key ?? "" });
    await until("the flush waits for the row", async () => (await listLockWaiters(db)).length > 0);
    expect(carrier.acknowledged).toEqual([]);
    await blocker.query("commit");
    blocker.release();
    await until("it is acknowledged", () => carrier.acknowledged.length === 1);
    await untilCounts(db, message, { delivered: 1 });
  });

  test("that overtakes the answer is recorded with it", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    const carrier = new FakeCarrier({ behaviour: () => "silent" });
    await startSession([carrier]);
    await until("it is handed over", () => carrier.taken.length === 1);
    const [taken] = carrier.taken;
    carrier.report({ key: taken?.key ?? "" });
    if (taken !== undefined) carrier.answer(taken, "accept");
    await untilCounts(db, message, { delivered: 1 });
    expect(carrier.acknowledged).toHaveLength(1);
  });

  test("that overtakes the answer by seconds waits in the database, and is found there", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    const carrier = new FakeCarrier({ behaviour: () => "silent" });
    await startSession([carrier]);
    await until("it is handed over", () => carrier.taken.length === 1);
    const [taken] = carrier.taken;
    carrier.report({ key: taken?.key ?? "", phoneNo: Number(taken?.phoneNo), senderName: "Ewebal" });
    await until("it is stored and acknowledged", () => carrier.acknowledged.length === 1);
    if (taken !== undefined) carrier.answer(taken, "accept");
    await untilCounts(db, message, { delivered: 1 });
  });

  test("that is looked at late, because no worker ran or the clock was put ahead, is no older for that", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    const carrier = new FakeCarrier({ behaviour: () => "silent" });
    await startSession([carrier]);
    await until("it is handed over", () => carrier.taken.length === 1);
    const [taken] = carrier.taken;
    carrier.report({ key: taken?.key ?? "", phoneNo: Number(taken?.phoneNo), senderName: "Ewebal" });
    await until("it is stored and acknowledged", () => carrier.acknowledged.length === 1);
    const { rows } = await db.query<{ next: Date }>(
      `update early_report set received_at = received_at - interval '1 hour', next_try_at = next_try_at - interval '1 hour'
       returning next_try_at as next`,
    );
    await until("it was tried, and kept", async () => {
      const kept = await db.query<{ next: Date }>("select next_try_at as next from early_report");
      return kept.rows[0] !== undefined && kept.rows[0].next > (rows[0]?.next ?? 0);
    });
    if (taken !== undefined) carrier.answer(taken, "accept");
    await untilCounts(db, message, { delivered: 1 });
  });

  test("that comes twice, or contradicts an earlier final one, changes nothing and is acknowledged", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 2 });
    const carrier = new FakeCarrier();
    const session = await startSession([carrier]);
    await untilCounts(db, message, { sent: 2 });
    const [first, second] = carrier.taken.map(({ key }) => key);
    for (const state of ["delivered", "failed", "delivered"] as const) carrier.report({ key: first ?? "", state });
    await untilCounts(db, message, { sent: 1, delivered: 1 });
    carrier.report({ key: first ?? "", state: "failed", errorCode: "report:expired" });
    carrier.report({ key: second ?? "", state: "failed", errorCode: "report:expired" });
    carrier.report({ key: second ?? "", state: "delivered" });
    await untilCounts(db, message, { delivered: 1, failed: 1 });
    await until("all are acknowledged", () => carrier.acknowledged.length === 6);

    // A worker that remembers nothing must not go back either.
    await killSession(db, session);
    const later = new FakeCarrier();
    await startSession([later]);
    await until("the carrier is bound", () => later.heldBinds.length === 1);
    later.report({ key: first ?? "", state: "failed", errorCode: "report:expired" });
    await until("it is acknowledged", () => later.acknowledged.length === 1);
    await untilCounts(db, message, { delivered: 1, failed: 1 });
  });

  test("that is not final changes nothing", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 1 });
    carrier.report({ key: carrier.taken[0]?.key ?? "", state: "waiting" });
    carrier.report({ key: carrier.taken[0]?.key ?? "", state: "lost" });
    await until("both are acknowledged", () => carrier.acknowledged.length === 2);
    await untilCounts(db, message, { sent: 1 });
  });

  test("about nothing of ours is stored, tried for some minutes, and dropped", async ({ db, startSession }) => {
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await until("the carrier is bound", () => carrier.heldBinds.length === 1);
    carrier.report({ key: "foreign", phoneNo: 2_348_030_000_000 });
    carrier.report({ key: `odd "quoted" \\ key, {braces}` });
    carrier.report({ key: "" });
    await until("they are acknowledged", () => carrier.acknowledged.length === 3);
    const countStored = async () => (await db.query("select from early_report")).rows.length;
    expect(await countStored()).toBe(3);
    await db.query("update early_report set received_at = now() - interval '1 hour', next_try_at = now()");
    await until("they are dropped", async () => (await countStored()) === 0);
  });

  test("by which the number turns out to be on the do-not-disturb list adds it there", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 2 });
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 2 });
    carrier.report({ key: carrier.taken[0]?.key ?? "", state: "dnd", errorCode: "report:rejected:088" });
    await untilCounts(db, message, { sent: 1, dnd: 1 });
    expect(await findDndNumbers(db, message.phoneNos)).toEqual(new Set([Number(carrier.taken[0]?.phoneNo)]));
    const { rows } = await db.query("select source from dnd_number");
    expect(rows).toEqual([{ source: "fake" }]);
  });
});

describe("a long message", () => {
  test("is delivered when all of its parts are", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 2, pageCount: 3 });
    const carrier = new FakeCarrier({ partCount: 3 });
    const session = await startSession([carrier]);
    await untilCounts(db, message, { sent: 2 });
    const [first, second] = carrier.taken.map(({ key }) => key);
    for (const part of [2, 0, 0, 1]) carrier.report({ key: `${first}.${part}` });
    carrier.report({ key: `${second}.1` });
    await untilCounts(db, message, { sent: 1, delivered: 1 });

    await killSession(db, session);
    const later = new FakeCarrier({ partCount: 3 });
    await startSession([later]);
    await until("the carrier is bound", () => later.heldBinds.length === 1);
    later.report({ key: `${second}.0` });
    later.report({ key: `${second}.2` });
    await untilCounts(db, message, { delivered: 2 });
  });

  test("of as many parts as are taken is delivered by reports that find it in the database", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { recipientCount: 2, pageCount: 31 });
    const carrier = new FakeCarrier({ partCount: 31 });
    const session = await startSession([carrier]);
    await untilCounts(db, message, { sent: 2 });
    const [first, second] = carrier.taken.map(({ key }) => key);
    await killSession(db, session);

    const later = new FakeCarrier({ partCount: 31 });
    await startSession([later]);
    await until("the carrier is bound", () => later.heldBinds.length === 1);
    for (let part = 0; part < 31; part += 1) later.report({ key: `${first}.${part}` });
    await untilCounts(db, message, { sent: 1, delivered: 1 });
    // The same for reports that were stored, as those are that overtake the answer.
    for (let part = 0; part < 31; part += 1) {
      await db.query(
        `insert into early_report (carrier_id, carrier_key, phone_no, sender_name, state, error_code, received_at, next_try_at)
         select carrier_id, $1, $2, 'Ewebal', 'delivered', '', now(), now() from carrier`,
        [`${second}.${part}`, message.phoneNos[1]],
      );
    }
    await untilCounts(db, message, { delivered: 2 });
  });

  test("has failed when one of its parts has", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1, pageCount: 2 });
    const carrier = new FakeCarrier({ partCount: 2 });
    await startSession([carrier]);
    await untilCounts(db, message, { sent: 1 });
    const key = carrier.taken[0]?.key ?? "";
    carrier.report({ key: `${key}.0` });
    carrier.report({ key: `${key}.1`, state: "failed", errorCode: "report:expired" });
    await untilCounts(db, message, { failed: 1 });
  });
});

describe("with refunds of failed deliveries", () => {
  test("each failure gives its units back once, however often it is reported", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 3 });
    const carrier = new FakeCarrier();
    const session = await startSession([carrier], { isRefundingFailed: true });
    await untilCounts(db, message, { sent: 3 });
    const key = carrier.taken[0]?.key ?? "";
    for (let time = 0; time < 3; time += 1) carrier.report({ key, state: "failed", errorCode: "report:expired" });
    await untilCounts(db, message, { sent: 2, failed: 1 });
    await killSession(db, session);
    const later = new FakeCarrier();
    await startSession([later], { isRefundingFailed: true });
    await until("the carrier is bound", () => later.heldBinds.length === 1);
    later.report({ key, state: "failed", errorCode: "report:expired" });
    await until("it is acknowledged", () => later.acknowledged.length === 1);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 2 * message.priceMilli, heldMilli: 0 });
  });

  test("also when the report overtook the answer", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 1 });
    const carrier = new FakeCarrier({ behaviour: () => "silent" });
    await startSession([carrier], { isRefundingFailed: true });
    await until("it is handed over", () => carrier.taken.length === 1);
    const [taken] = carrier.taken;
    carrier.report({ key: taken?.key ?? "", state: "failed", errorCode: "report:expired" });
    if (taken !== undefined) carrier.answer(taken, "accept");
    await untilCounts(db, message, { failed: 1 });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
  });
});
