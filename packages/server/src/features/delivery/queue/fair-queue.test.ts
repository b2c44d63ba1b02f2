import { describe } from "vitest";
import { pino } from "pino";
import { v7 as uuidv7 } from "uuid";
import { buildFundedUser, buildMessage } from "../../../testing/delivery-factories.ts";
import { SendMark } from "../send-mark/send-mark.ts";
import { claimBatches } from "./batch-store.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { expect, readCounts, test, until } from "../testing/worker-test.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { insertWorker } from "../engine/worker-store.ts";
import type { Db } from "../../../db/pool.ts";

async function claimer(
  db: Db,
): Promise<(isExpress: boolean, batchCount?: number, blockedLanes?: number[]) => Promise<string[]>> {
  const workerId = uuidv7();
  await insertWorker(db, { workerId, lockKey: 1 });
  const mark = new SendMark(db, pino({ level: "silent" }));
  await mark.take();
  return async (isExpress, batchCount = 1, blockedLanes = []) => {
    const rows = await claimBatches(db, {
      workerId,
      line: isExpress ? "express" : "bulk",
      batchCount,
      blockedLanes,
      quietLanes: [],
      firstIntents: 0,
      mark: mark.known,
    });
    return rows.map((row) => `${row.messageId}:${row.batchIndex}`);
  };
}

describe("the order of claims", () => {
  test("shares bulk among customers, batch by batch, whoever came first", async ({ db }) => {
    const claim = await claimer(db);
    const busy = await buildMessage(db, { recipientCount: 3_000 });
    expect(await claim(false)).toEqual([`${busy.messageId}:0`]);
    expect(await claim(false)).toEqual([`${busy.messageId}:1`]);
    const quiet = await buildMessage(db, { recipientCount: 1_000 });
    expect(await claim(false, 4)).toEqual([
      `${quiet.messageId}:0`,
      `${busy.messageId}:2`,
      `${quiet.messageId}:1`,
      `${busy.messageId}:3`,
    ]);
  });

  test("does not put a customer's second send before other customers' first", async ({ db }) => {
    const claim = await claimer(db);
    const user = await buildFundedUser(db);
    const first = await buildMessage(db, { userId: user.userId, recipientCount: 1_000 });
    const second = await buildMessage(db, { userId: user.userId, recipientCount: 1_000 });
    const other = await buildMessage(db, { recipientCount: 500 });
    const order = (await claim(false, 10)).map((name) =>
      [first, second, other].findIndex(({ messageId }) => name.startsWith(messageId)),
    );
    expect(order).toEqual([0, 2, 0, 1, 1]);
  });

  test("gives a customer who waited long no more than its turn", async ({ db }) => {
    const claim = await claimer(db);
    const busy = await buildMessage(db, { recipientCount: 50_000 });
    await claim(false, 60);
    const one = await buildMessage(db, { recipientCount: 1_500 });
    const again = await buildMessage(db, { userId: busy.userId, recipientCount: 1_500 });
    const order = (await claim(false, 10)).map((name) =>
      name.startsWith(one.messageId) ? "one" : name.startsWith(again.messageId) ? "again" : "busy",
    );
    expect(order.slice(0, 6)).toContain("busy");
    expect(order.slice(0, 6).filter((who) => who === "one")).toHaveLength(3);
    expect(order.slice(0, 6)).not.toContain("again");
  });

  test("counts pages, not only recipients", async ({ db }) => {
    const claim = await claimer(db);
    const long = await buildMessage(db, { recipientCount: 1_500, pageCount: 3, priceMilli: 9_000 });
    await buildMessage(db, { recipientCount: 2_000 });
    const order = (await claim(false, 6)).map((name) => (name.startsWith(long.messageId) ? "long" : "short"));
    expect(order).toEqual(["long", "short", "short", "short", "long", "short"]);
  });

  test("leaves blocked lanes to others", async ({ db }) => {
    const claim = await claimer(db);
    const ghana = await buildMessage(db, { recipientCount: 200, code: "233" });
    const nigeria = await buildMessage(db, { recipientCount: 200, code: "234" });
    expect(await claim(false, 5, [233])).toEqual([`${nigeria.messageId}:0`]);
    expect(await claim(false, 5, [])).toEqual([`${ghana.messageId}:0`]);
  });

  test("gives every batch to one worker only", async ({ db }) => {
    const claims = await Promise.all([claimer(db), claimer(db), claimer(db)]);
    await buildMessage(db, { recipientCount: 10_000 });
    const taken = (await Promise.all(claims.map((claim) => claim(false, 10)))).flat();
    expect(new Set(taken).size).toBe(taken.length);
    expect(taken).toHaveLength(20);
  });
});

describe("ten messages during another customer's large send", () => {
  test("are sent while almost all of the large one waits", async ({ db, startSession }) => {
    const large = await buildMessage(db, { recipientCount: 20_000 });
    const carrier = new FakeCarrier({ windowSize: 10, messagesPerSecond: 1_000 });
    await startSession([carrier]);
    await until("the large one is under way", () => carrier.taken.length > 300);
    const startedAt = carrier.taken.length;
    const small = await buildMessage(db, { recipientCount: 10 });
    await until("they are sent", async () => (await readCounts(db, small)).sent === 10);
    // A window and its intents may be ahead of them, and what goes out while they are claimed; not the batches.
    expect(carrier.taken.length - startedAt).toBeLessThan(2_000);
    expect((await readCounts(db, large)).waiting).toBeGreaterThan(10_000);
  });

  test("of the same customer go first as well", async ({ db, startSession }) => {
    const large = await buildMessage(db, { recipientCount: 20_000 });
    const carrier = new FakeCarrier({ windowSize: 10, messagesPerSecond: 1_000 });
    await startSession([carrier]);
    await until("the large one is under way", () => carrier.taken.length > 300);
    const small = await buildMessage(db, { userId: large.userId, recipientCount: 10 });
    await until("they are sent", async () => (await readCounts(db, small)).sent === 10);
    expect((await readCounts(db, large)).waiting).toBeGreaterThan(10_000);
  });
});

describe("the plan of a claim", () => {
  test.for(["express", "bulk", "test"] as const)(
    "walks the ready batches by turn, also in a large table (%s)",
    async (line, { db }) => {
      const message = await buildMessage(db, { recipientCount: 1 });
      await db.query(
        `insert into message_batch (user_id, message_id, batch_index, recipients, recipient_count, state, is_express, turn, lane)
       select $1, $2, index, '{234}', 1, case when index % 50 = 0 then 1 else 3 end, case index % 150 when 0 then true when 50 then false end, index, 234 from generate_series(1, 20000) as index`,
        [message.userId, message.messageId],
      );
      await db.query("analyze message_batch");
      const { claimStatement } = await import("./batch-store.ts");
      const plan = await withTransaction(db, async (tx) => {
        await tx.query(`prepare claim as ${claimStatement(line)}`);
        await tx.query("set local plan_cache_mode = force_generic_plan");
        const { rows } = await tx.query<{ "QUERY PLAN": string }>(
          `explain (costs off) execute claim ('${uuidv7()}', 16, '{}', 10, '${uuidv7()}', 0, '{}')`,
        );
        await tx.query("deallocate claim");
        return rows.map((row) => row["QUERY PLAN"]).join("\n");
      });
      // Those of tests, which are few, may be sorted.
      expect(plan).toMatch(
        line === "test" ? /Index Scan (?:using|on) message_batch_queue/ : /Index Scan using message_batch_queue/,
      );
      expect(plan).not.toMatch(/Seq Scan on message_batch/);
    },
  );
});
