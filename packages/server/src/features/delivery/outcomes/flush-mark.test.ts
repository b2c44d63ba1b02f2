// Goal: a worker knows what became of a COMMIT that was not answered, also when the server crashed meanwhile.
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import { expect, overlap, test } from "../../../testing/database.ts";
import { isFlushCommitted, markFlush } from "./flush-store.ts";
import { insertWorker } from "../engine/worker-store.ts";

const workerId = "01890000-0000-7000-8000-000000000001";

describe("a flush whose COMMIT was not answered", () => {
  test("is committed exactly when its number is there", async ({ db }) => {
    await insertWorker(db, { workerId, lockKey: 1 });
    expect(await isFlushCommitted(db, { workerId, flushNumber: 1 })).toBe(false);
    await withTransaction(db, (tx) => markFlush(tx, { workerId, flushNumber: 1 }));
    expect(await isFlushCommitted(db, { workerId, flushNumber: 1 })).toBe(true);
    expect(await isFlushCommitted(db, { workerId, flushNumber: 2 })).toBe(false);
  });

  test("is waited for while the server is still at it", async ({ db }) => {
    await insertWorker(db, { workerId, lockKey: 1 });
    const [, asked] = await overlap(
      db,
      (tx) => markFlush(tx, { workerId, flushNumber: 1 }),
      (tx) => isFlushCommitted(tx, { workerId, flushNumber: 1 }),
    );
    expect(asked).toMatchObject({ status: "fulfilled", value: true });
  });

  test("of a worker that was struck off is not, and what it carried is another's by now", async ({ db }) => {
    expect(await isFlushCommitted(db, { workerId, flushNumber: 1 })).toBe(false);
  });
});
