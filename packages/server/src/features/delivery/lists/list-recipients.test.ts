import { describe } from "vitest";
import type { RecipientState } from "@ewebal/contract";
import { withTransaction } from "../../../db/transaction.ts";
import { buildMessage, testPhoneNos, type BuiltMessage } from "../../../testing/delivery-factories.ts";
import { buildUser } from "../../../testing/factories.ts";
import type { Db } from "../../../db/pool.ts";
import { listRecipients, type Recipient } from "./list-recipients.ts";
import { cancelMessage } from "../queue/manage-message.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { expect, readCounts, test, until } from "../testing/worker-test.ts";

async function listAll(db: Db, message: BuiltMessage, limit: number, state?: RecipientState): Promise<Recipient[]> {
  const all: Recipient[] = [];
  let after: string | undefined;
  do {
    const { rows, next } = await listRecipients(db, { ...message, limit, after, state });
    all.push(...rows);
    after = next ?? undefined;
  } while (after !== undefined);
  return all;
}

describe("refusals", () => {
  test("another customer's message is not found", async ({ db }) => {
    const message = await buildMessage(db);
    const stranger = await buildUser(db);
    await expect(listRecipients(db, { ...message, userId: stranger.userId, limit: 5 })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test.for(["x", "-1", "1e3", "99999999", "1;"])("the cursor %s is none", async (after, { db }) => {
    const message = await buildMessage(db);
    await expect(listRecipients(db, { ...message, limit: 5, after })).rejects.toMatchObject({ code: "VALIDATION" });
  });
});

describe("recipients", () => {
  test("come in the order they were given, page by page, across batches", async ({ db }) => {
    const message = await buildMessage(db, { phoneNos: testPhoneNos(1_203).toReversed() });
    for (const limit of [1_000, 500, 100, 7]) {
      const all = await listAll(db, message, limit);
      expect(all.map(({ phoneNo }) => phoneNo)).toEqual(message.phoneNos);
      expect(all.map(({ position }) => position)).toEqual(message.phoneNos.map((_, position) => position));
    }
  });

  test("of a month whose partition was dropped are no longer kept, and nobody waits", async ({ db, startSession }) => {
    const phoneNos = testPhoneNos(600);
    const message = await buildMessage(db, { phoneNos, dndPhoneNos: phoneNos.slice(0, 1) });
    await startSession([new FakeCarrier({ windowSize: 500 })]);
    await until("all are sent", async () => (await readCounts(db, message)).sent === 599);
    const { rows } = await db.query<{ name: string }>("select distinct tableoid::regclass::text as name from delivery");
    expect(rows).toHaveLength(1);
    // A server of a cluster names its part of the table.
    await db.query(`drop table ${rows[0]?.name.replace(/_\d{6,}$/, "") ?? ""}`);
    const all = await listAll(db, message, 250);
    expect(all[0]).toMatchObject({ state: "dnd" });
    const rest = all.slice(1);
    expect(new Set(rest.map(({ state, reason }) => `${state}: ${reason}`))).toEqual(
      new Set(["notKept: The result is no longer kept; the totals of the message are"]),
    );
    expect(rest.map(({ phoneNo }) => phoneNo)).toEqual(phoneNos.slice(1));
    expect(await readCounts(db, message)).toMatchObject({ sent: 599, waiting: 0 });
    expect(await listAll(db, message, 250, "waiting")).toEqual([]);
  });

  // A batch that was cancelled half-way keeps who was cancelled; who had been sent to before that is not one of them.
  test("of a cancelled message whose partition was dropped were cancelled only where nothing was handed over", async ({
    db,
    startSession,
  }) => {
    const message = await buildMessage(db, { phoneNos: testPhoneNos(400) });
    const carrier = new FakeCarrier({ windowSize: 10 });
    await startSession([carrier]);
    await until("some are sent", () => carrier.taken.length > 50);
    await withTransaction(db, (tx) => cancelMessage(tx, message, new Date()));
    await until("the others are cancelled", async () => (await readCounts(db, message)).waiting === 0);
    const { sent, cancelled } = await readCounts(db, message);
    expect(sent).toBeGreaterThan(50);
    expect(cancelled).toBeGreaterThan(0);
    await db.query("delete from delivery where message_id = $1", [message.messageId]);
    const states = (await listAll(db, message, 150)).map(({ state }) => state);
    expect(states.filter((state) => state === "notKept")).toHaveLength(sent);
    expect(states.filter((state) => state === "cancelled")).toHaveLength(cancelled);
    expect(await listAll(db, message, 150, "cancelled")).toHaveLength(cancelled);
  });

  test("of each state add up to all of them", async ({ db, startSession }) => {
    const phoneNos = testPhoneNos(2_000);
    const message = await buildMessage(db, { phoneNos, dndPhoneNos: phoneNos.filter((_, index) => index % 100 === 7) });
    const carrier = new FakeCarrier({
      windowSize: 50,
      behaviour: ({ phoneNo }) => {
        if (phoneNo.endsWith("3")) return { kind: "refused", reason: "status:11" };
        return phoneNo.endsWith("50") ? { kind: "unknown" } : "accept";
      },
    });
    await startSession([carrier]);
    await until("some are taken", () => carrier.taken.length > 300);
    await withTransaction(db, (tx) => cancelMessage(tx, message, new Date()));
    await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);
    for (const { key } of carrier.taken.slice(0, 20)) carrier.report({ key });
    const struckOff = carrier.taken.slice(20).find(({ phoneNo }) => !phoneNo.endsWith("3") && !phoneNo.endsWith("50"));
    carrier.report({ key: struckOff?.key ?? "", state: "dnd", errorCode: "report:rejected:088" });
    await until("reports are recorded", async () => (await readCounts(db, message)).dnd === 21);

    const counts = await readCounts(db, message);
    const everybody = await listAll(db, message, 300);
    for (const [state, count] of Object.entries(counts)) {
      const ofState = await listAll(db, message, 90, state as RecipientState);
      expect([state, ofState.length]).toEqual([state, count]);
      expect(ofState).toEqual(everybody.filter((recipient) => recipient.state === state));
    }
    expect(counts.cancelled).toBeGreaterThan(0);
    expect(counts.unknown).toBeGreaterThan(0);
  });
});
