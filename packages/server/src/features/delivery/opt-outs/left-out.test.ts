/** Words that end and begin messages, over real SMPP, and who opts out while a worker has the message in hand. */
import { encodeGsm7Unpacked } from "@ewebal/gsm";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { buildFundedUser, buildMessage } from "../../../testing/delivery-factories.ts";
import { pauseMessage, resumeMessage } from "../queue/manage-message.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { buildInbound } from "../testing/build-inbound.ts";
import { test as smppTest } from "../testing/smpp-test.ts";
import { expect, readSpent, test, until, untilCounts } from "../testing/worker-test.ts";
import { addOptOuts, findOptedOut } from "./opt-outs.ts";

const NUMBER = "2347000000001";
const PERSON = "2348030000001";

async function giveNumber(db: Db, userId: string, keyword = ""): Promise<void> {
  await db.query(
    "insert into inbound_number (number_id, number, keyword, user_id, created_at) values (gen_random_uuid(), $1, $2, $3, now())",
    [NUMBER, keyword, userId],
  );
}

async function isOut(db: Db, userId: string): Promise<boolean> {
  return (await findOptedOut(db, userId, [Number(PERSON)])).size === 1;
}

describe("what a person writes", () => {
  test.for([
    ["STOP", true],
    ["stop.", true],
    ["  «Stop» ", true],
    ["Stop, please", true],
    ["unsubscribe", true],
    ["Cancel!", true],
    ["END", true],
    ["quit now", true],
    ["OptOut", true],
    ["STOPPED", false],
    ["please stop", false],
    ["Cancelled?", false],
    ["stopgap", false],
    ["", false],
  ] as const)("%j opts out: %s", async ([text, expected], { db }) => {
    const { userId } = await buildFundedUser(db);
    await giveNumber(db, userId);
    await buildInbound(db, [{ from: PERSON, to: NUMBER, text }]);
    expect(await isOut(db, userId)).toBe(expected);
    // It is in the inbox like any message.
    expect((await db.query("select from inbox_message where user_id = $1", [userId])).rowCount).toBe(1);
  });

  test("at a number that customers share goes to whose keyword follows the word, and to nobody without one", async ({
    db,
  }) => {
    const [pizza, pasta] = [await buildFundedUser(db), await buildFundedUser(db)];
    await giveNumber(db, pizza.userId, "PIZZA");
    await giveNumber(db, pasta.userId, "PASTA");
    await buildInbound(db, [{ from: PERSON, to: NUMBER, text: "Stop" }]);
    expect((await db.query("select from opt_out")).rowCount).toBe(0);
    expect((await db.query("select from message")).rowCount).toBe(0);
    await buildInbound(db, [{ from: PERSON, to: NUMBER, text: "Stop pasta" }]);
    expect([await isOut(db, pizza.userId), await isOut(db, pasta.userId)]).toEqual([false, true]);
  });

  smppTest(
    "is answered once, from the number itself and at nobody's cost, until a START",
    async ({ db, startPeer, startWorker }) => {
      const { userId } = await buildFundedUser(db);
      await giveNumber(db, userId);
      const peer = await startPeer();
      await startWorker({ carriers: [peer.settings()] });
      await until("the worker is bound", () => peer.sessions.some((session) => session.canDeliver()));
      const write = async (text: string) => {
        const before = peer.acknowledged.length;
        peer.bring({ id: text, body: Buffer.from(encodeGsm7Unpacked(text)), from: `+${PERSON}`, to: NUMBER });
        await until(`${text} is acknowledged`, () => peer.acknowledged.length > before);
      };
      await write("STOP");
      expect(await isOut(db, userId)).toBe(true);
      await write("stop");
      await until("it is answered", () => peer.submits.length === 1);
      expect(peer.submits[0]).toMatchObject({ phoneNo: PERSON, sender: NUMBER });
      expect(peer.submits[0]?.body.toString("latin1")).toContain("START");
      await write("start");
      expect(await isOut(db, userId)).toBe(false);
      await write("Quit");
      await until("it is answered again", () => peer.submits.length === 2);
      expect(await readSpent(db, userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
      await until("all is recorded", async () => {
        const { rows } = await db.query("select from message_count where sent = 1");
        return rows.length === 2;
      });
      expect(peer.submits).toHaveLength(2);
    },
  );
});

describe("who opts out after the message was accepted", () => {
  test("is left out of the batch that a worker has in hand, and the units come back", async ({ db, startSession }) => {
    // One message is on the wire and has no answer; the others wait behind it in this worker.
    const carrier = new FakeCarrier({ windowSize: 1, behaviour: () => "silent" });
    await startSession([carrier]);
    const message = await buildMessage(db, { recipientCount: 5 });
    await until("the first is handed over", () => carrier.taken.length === 1);
    const { userId, phoneNos } = message;
    const [, second, , , last] = phoneNos;
    await withTransaction(db, (tx) =>
      addOptOuts(tx, { userId, phoneNos: [second ?? 0, last ?? 0, 2_348_099_999_999], source: "page" }),
    );
    // The worker hears of it at once; its next look comes within a second in any case.
    await new Promise((done) => setTimeout(done, 1_500));
    carrier.facts.behaviour = () => "accept";
    const [first] = carrier.taken;
    if (first !== undefined) carrier.answer(first, "accept");
    await untilCounts(db, message, { sent: 3, optedOut: 2 });
    expect(carrier.taken.map(({ phoneNo }) => Number(phoneNo))).toEqual([phoneNos[0], phoneNos[2], phoneNos[3]]);
    expect(await readSpent(db, userId)).toEqual({ spentMilli: 9_000, heldMilli: 0 });
  });

  test("is left out of a paused message when it goes on", async ({ db, startSession }) => {
    const message = await buildMessage(db, { recipientCount: 3 });
    await withTransaction(db, async (tx) => await pauseMessage(tx, message, new Date()));
    const { userId, phoneNos } = message;
    await withTransaction(db, (tx) => addOptOuts(tx, { userId, phoneNos: [phoneNos[1] ?? 0], source: "link" }));
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await withTransaction(db, async (tx) => await resumeMessage(tx, message, new Date()));
    await untilCounts(db, message, { sent: 2, optedOut: 1 });
    expect(carrier.taken.map(({ phoneNo }) => Number(phoneNo))).toEqual([phoneNos[0], phoneNos[2]]);
    expect(await readSpent(db, userId)).toEqual({ spentMilli: 6_000, heldMilli: 0 });
  });

  test("keeps another customer's messages", async ({ db, startSession }) => {
    const [one, other] = [await buildMessage(db, { recipientCount: 1 }), await buildMessage(db, { recipientCount: 1 })];
    await withTransaction(db, (tx) => addOptOuts(tx, { userId: one.userId, phoneNos: one.phoneNos, source: "api" }));
    const carrier = new FakeCarrier();
    await startSession([carrier]);
    await untilCounts(db, one, { optedOut: 1 });
    await untilCounts(db, other, { sent: 1 });
    expect(carrier.taken).toHaveLength(1);
  });
});
