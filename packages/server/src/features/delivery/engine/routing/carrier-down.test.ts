import { describe } from "vitest";
import { buildFundedUser, buildMessage, testPhoneNos } from "../../../../testing/delivery-factories.ts";
import { pauseMessage, resumeMessage } from "../../queue/manage-message.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import { FakeCarrier } from "../../testing/fake-carrier.ts";
import { expect, readCounts, test, until, untilCounts } from "../../testing/worker-test.ts";

/** Numbers of another network of the same dialling code. */
function otherPhoneNos(count: number): number[] {
  return testPhoneNos(count).map((phoneNo) => phoneNo + 20_000_000);
}

/** Both of one dialling code; one of them answers nobody's bind. */
function buildCarriers(): { away: FakeCarrier; near: FakeCarrier } {
  return {
    away: new FakeCarrier({ name: "away", prefixes: ["234803"], isUp: false, windowSize: 500 }),
    near: new FakeCarrier({ name: "near", prefixes: ["234805"], windowSize: 500 }),
  };
}

describe("while a carrier is away, with more work for it than a claim brings", () => {
  test("another one of the same dialling code goes on", async ({ db, startSession }) => {
    const { away, near } = buildCarriers();
    const waiting = await buildMessage(db, { recipientCount: 20_000 });
    const large = await buildMessage(db, { phoneNos: otherPhoneNos(20_000) });
    const small = await buildMessage(db, { phoneNos: otherPhoneNos(3) });
    await startSession([away, near]);
    await untilCounts(db, small, { sent: 3 });
    await untilCounts(db, large, { sent: 20_000 });
    expect(await readCounts(db, waiting)).toMatchObject({ waiting: 20_000 });

    away.setUp(true);
    await untilCounts(db, waiting, { sent: 20_000 });
    expect(away.sortedPhoneNos).toEqual(waiting.phoneNos);
    expect(near.taken).toHaveLength(20_003);
  });

  test("a claim of small sends does not find the same ones again", async ({ db, startSession }) => {
    const { away, near } = buildCarriers();
    const { userId } = await buildFundedUser(db);
    const waiting = await Promise.all(
      Array.from({ length: 200 }, (_, index) => buildMessage(db, { userId, phoneNos: testPhoneNos(1, index) })),
    );
    const small = await buildMessage(db, { userId, phoneNos: otherPhoneNos(1) });
    await startSession([away, near]);
    await untilCounts(db, small, { sent: 1 });
    const readAttempts = async (): Promise<number> => {
      const { rows } = await db.query<{ attempts: number }>(
        "select sum(attempt)::integer as attempts from message_batch",
      );
      return rows[0]?.attempts ?? 0;
    };
    await until("all of them have been looked at", async () => (await readAttempts()) === 201);
    // Longer than a lane that was left to other workers used to wait.
    await new Promise((done) => setTimeout(done, 1_500));
    expect(await readAttempts()).toBe(201);

    away.setUp(true);
    for (const message of waiting) await untilCounts(db, message, { sent: 1 });
    expect(away.taken).toHaveLength(200);
  });

  test("a message to both is sent as far as it goes, and the rest when the other is back", async ({
    db,
    startSession,
  }) => {
    const { away, near } = buildCarriers();
    const phoneNos = testPhoneNos(300).flatMap((phoneNo) => [phoneNo, phoneNo + 20_000_000]);
    const message = await buildMessage(db, { phoneNos });
    await startSession([away, near]);
    await untilCounts(db, message, { waiting: 300, sent: 300 });
    away.setUp(true);
    await untilCounts(db, message, { sent: 600 });
    expect([away.taken.length, near.taken.length]).toEqual([300, 300]);
  });

  test("what waits for it can be paused and resumed, and goes to a carrier that is added for it", async ({
    db,
    startSession,
  }) => {
    const { away, near } = buildCarriers();
    const carriers = [away, near];
    const message = await buildMessage(db, { recipientCount: 1_000 });
    await startSession(carriers);
    await until("it waits", async () => {
      const { rows } = await db.query("select from message_batch where waits_for is not null");
      return rows.length === 2;
    });
    await withTransaction(db, (tx) => pauseMessage(tx, message, new Date()));
    await withTransaction(db, (tx) => resumeMessage(tx, message, new Date()));
    const spare = new FakeCarrier({ name: "spare", prefixes: ["2348"], windowSize: 500 });
    carriers.push(spare);
    await untilCounts(db, message, { sent: 1_000 });
    expect(spare.taken).toHaveLength(1_000);
  });

  test("a worker that starts when it is back sends what another one left waiting", async ({ db, startSession }) => {
    const { away, near } = buildCarriers();
    const message = await buildMessage(db, { recipientCount: 1_000 });
    const session = await startSession([away, near]);
    await until("it waits", async () => {
      const { rows } = await db.query("select from message_batch where waits_for is not null");
      return rows.length === 2;
    });
    await session.stop();
    away.facts.isUp = true;
    await startSession([away, near]);
    await untilCounts(db, message, { sent: 1_000 });
  });
});
