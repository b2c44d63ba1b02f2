/** The worker over real SMPP: what the fakes of the other tests cannot show. */
import { setImmediate } from "node:timers/promises";
import { commandStatus } from "@ewebal/smpp";
import { describe } from "vitest";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { listRecipients } from "../lists/list-recipients.ts";
import { test } from "../testing/smpp-test.ts";
import { expect, readCounts, readSpent, until, untilCounts } from "../testing/worker-test.ts";

describe("over SMPP", () => {
  test("a message is sent, charged and reported", async ({ db, startPeer, startWorker }) => {
    const peer = await startPeer();
    await startWorker({ carriers: [peer.settings()] });
    const message = await buildMessage(db, { recipientCount: 600, body: "Ẹ kú àárọ̀ ₦500" });
    await untilCounts(db, message, { sent: 600 });
    expect(new Set(peer.submits.map(({ phoneNo }) => Number(phoneNo)))).toEqual(new Set(message.phoneNos));
    expect(peer.submits[0]).toMatchObject({
      sender: "Ewebal",
      body: Buffer.from("Ẹ kú àárọ̀ ₦500", "utf16le").swap16(),
    });

    for (const [index, { phoneNo }] of peer.submits.entries()) peer.receipt({ id: String(index + 1), phoneNo });
    await untilCounts(db, message, { delivered: 600 });
    await until("all receipts are acknowledged", () => peer.acknowledged.length === 600);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
  });

  test.for([
    ["asIs", "00C0FFEE", "c0ffee"],
    ["hexToDec", "C0FFEE", "12648430"],
    ["hexToDec", "0000c0ffee", "0012648430"],
    ["decToHex", "12648430", "00C0FFEE"],
  ] as const)(
    "ids are matched %s: answer %s, receipt %s",
    async ([receiptIds, answerId, receiptId], { db, startPeer, startWorker }) => {
      const peer = await startPeer((submit) => submit.accept(answerId));
      const worker = await startWorker({ carriers: [peer.settings({ receiptIds })] });
      const message = await buildMessage(db, { recipientCount: 1 });
      await untilCounts(db, message, { sent: 1 });
      peer.receipt({ id: receiptId, phoneNo: String(message.phoneNos[0]) });
      await untilCounts(db, message, { delivered: 1 });

      // And by the index, where nobody remembers it.
      const later = await buildMessage(db, { recipientCount: 1 });
      await untilCounts(db, later, { sent: 1 });
      await worker.stop();
      await startWorker({ carriers: [peer.settings({ receiptIds })] });
      await until("it is bound again", () => peer.sessions.some((session) => session.canDeliver()));
      peer.receipt({ id: receiptId, phoneNo: String(later.phoneNos[0]), word: "UNDELIV", errorCode: "012" });
      await untilCounts(db, later, { failed: 1 });
      expect((await listRecipients(db, { ...later, limit: 1 })).rows[0]?.carrierCode).toBe("undeliverable 012");
      expect(await readCounts(db, message)).toMatchObject({ delivered: 1 });
    },
  );

  test("a long message goes in parts with one reference; a throttled part comes back alone with it", async ({
    db,
    startPeer,
    startWorker,
  }) => {
    const peer = await startPeer((submit, count) => {
      if (count === 2) submit.refuse(commandStatus.ESME_RTHROTTLED);
      else submit.accept(`p${count}`);
    });
    await startWorker({ carriers: [peer.settings()] });
    const message = await buildMessage(db, { recipientCount: 1, body: "x".repeat(400), pageCount: 3 });
    await untilCounts(db, message, { sent: 1 });
    const headers = peer.submits.map(({ body }) => [...body.subarray(0, 6)]);
    const reference = headers[0]?.[3];
    expect(headers).toEqual([1, 2, 3, 2].map((part) => [5, 0, 3, reference, 3, part]));
    for (const id of ["p1", "p3", "p4"]) peer.receipt({ id, phoneNo: String(message.phoneNos[0]) });
    await untilCounts(db, message, { delivered: 1 });
  });

  test("a dropped connection makes the open window unknown, and nothing is sent twice", async ({
    db,
    startPeer,
    startWorker,
  }) => {
    const peer = await startPeer((submit, count) => {
      if (count === 100) peer.dropAll();
      else submit.accept(String(count));
    });
    await startWorker({ carriers: [peer.settings({ window: 10 })] });
    const message = await buildMessage(db, { recipientCount: 500 });
    await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);
    const { sent, unknown } = await readCounts(db, message);
    expect(sent + unknown).toBe(500);
    expect(unknown).toBeGreaterThanOrEqual(1);
    expect(unknown).toBeLessThanOrEqual(10);
    expect(new Set(peer.submits.map(({ phoneNo }) => phoneNo)).size).toBe(peer.submits.length);

    const known = new Set(
      (await listRecipients(db, { ...message, limit: 500, state: "unknown" })).rows.map(({ phoneNo }) =>
        String(phoneNo),
      ),
    );
    for (const { phoneNo } of peer.submits.filter((submit) => known.has(submit.phoneNo)))
      peer.receipt({ id: `late-${phoneNo}`, phoneNo });
    await until("they are settled", async () => (await readCounts(db, message)).unknown < unknown);
  });

  test("two workers together keep to the carrier's rate", async ({ db, startPeer, startWorker }) => {
    const peer = await startPeer();
    const settings = peer.settings({ binds: 2, messagesPerSecond: 400 });
    const workers = [await startWorker({ carriers: [settings] }), await startWorker({ carriers: [settings] })];
    await until(
      "each has a bind",
      async () => (await db.query("select distinct worker_id from carrier_bind where is_up")).rows.length === 2,
    );
    const message = await buildMessage(db, { recipientCount: 1_000 });
    await untilCounts(db, message, { sent: 1_000 });
    // Who takes which batch is chance; on a busy machine one may take both.
    expect(workers.reduce((sum, worker) => sum + worker.stats().answers, 0)).toBe(1_000);
    const times = peer.submits.map(({ atMs }) => atMs);
    // 1,000 at 400 a second, less the first moment's burst of 50 ms.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(2_200);
    for (const [index, atMs] of times.entries()) {
      const inSecond = times.slice(index).filter((other) => other - atMs < 1_000).length;
      expect(inSecond).toBeLessThanOrEqual(400 * 1.2);
    }
  });

  test("at 200 a second the intents are never further ahead of the wire than 50 ms", async ({
    db,
    startPeer,
    startWorker,
  }) => {
    const peer = await startPeer();
    await startWorker({ carriers: [peer.settings({ binds: 2, window: 20, messagesPerSecond: 200 })] });
    const message = await buildMessage(db, { recipientCount: 300 });
    let most = 0;
    await until("all are sent", async () => {
      const { rows } = await db.query<{ count: number }>(
        "select coalesce(sum(intent_count), 0)::integer as count from message_batch",
      );
      // The worker and the carrier run in this process: in two turns of its loop the one hands over what is due, and the other reads it.
      // Counted after: what has reached the carrier meanwhile is no more ahead than it was.
      for (let turn = 0; turn < 2; turn += 1) await setImmediate();
      most = Math.max(most, (rows[0]?.count ?? 0) - peer.submits.length);
      return (await readCounts(db, message)).sent === 300;
    });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(10);
  });

  test("a sender name that SMPP cannot carry fails in plain words and costs nothing", async ({
    db,
    startPeer,
    startWorker,
  }) => {
    const peer = await startPeer();
    await startWorker({ carriers: [peer.settings()] });
    const message = await buildMessage(db, { recipientCount: 2, senderName: "Ẹwẹ́bal" });
    await untilCounts(db, message, { failed: 2 });
    expect(peer.submits).toEqual([]);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
  });

  test("the carrier's code for the do-not-disturb list is known", async ({ db, startPeer, startWorker }) => {
    const peer = await startPeer();
    await startWorker({ carriers: [{ ...peer.settings(), dndErrorCodes: ["088"] }] });
    const message = await buildMessage(db, { recipientCount: 1 });
    await untilCounts(db, message, { sent: 1 });
    peer.receipt({ id: "1", phoneNo: String(message.phoneNos[0]), word: "REJECTD", errorCode: "088" });
    await untilCounts(db, message, { dnd: 1 });
  });

  test("a worker that lost its lease starts anew and goes on", async ({ db, startPeer, startWorker }) => {
    const peer = await startPeer();
    const worker = await startWorker({ carriers: [peer.settings()] });
    await db.query("delete from delivery_worker");
    const { workerId } = worker.stats();
    await until("it has a new session", () => worker.stats().workerId !== workerId);
    const message = await buildMessage(db, { recipientCount: 10 });
    await untilCounts(db, message, { sent: 10 });
  });

  test("sessions of the database that are cut again and again lose nothing", async ({ db, startPeer, startWorker }) => {
    const peer = await startPeer();
    await startWorker({ carriers: [peer.settings({ window: 100 })] });
    const message = await buildMessage(db, { recipientCount: 3_000 });
    for (let cut = 0; cut < 15; cut += 1) {
      await db
        .query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
        )
        .catch((error: unknown) => error);
      await new Promise((done) => setTimeout(done, 30));
    }
    await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);
    expect(await readCounts(db, message)).toMatchObject({ sent: 3_000 });
    expect(new Set(peer.submits.map(({ phoneNo }) => phoneNo)).size).toBe(peer.submits.length);
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
  });
});
