import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../db/pool.ts";
import { CommitUnknownError, withTransaction, type Tx } from "../db/transaction.ts";
import { expect, test } from "../testing/database.ts";
import { buildHold, buildUserWithUnits } from "../testing/ledger-factories.ts";
import { chargeHolds, holdUnits, refundUnits, reverseTopUp, settleHold, topUpUnits } from "./index.ts";

/** Everything the ledger stores, so that "nothing has changed" means nothing. */
async function readBooks(db: Db): Promise<unknown> {
  const books: unknown[] = [];
  for (const [table, order] of [
    ["ledger_account", "user_id"],
    ["hold", "hold_id"],
    ["journal", "number"],
    ["journal_entry", "number, account"],
  ]) {
    books.push((await db.query(`select * from ${table} order by ${order}`)).rows);
  }
  return books;
}

async function killedAfter(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  return await withTransaction(db, async (tx) => {
    await work(tx);
    const { rows } = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
    // The second argument waits until the session is gone.
    await db.query("select pg_terminate_backend($1::integer, 5000)", [rows[0]?.pid]);
  }).catch((error: unknown) => error);
}

// Goal: a session that dies with its work done and not committed leaves the books as they were, and the same work done again
// succeeds. Method: the server ends the session after the last statement of each movement, so that COMMIT finds nobody: the
// caller cannot know what happened, and only the repetition tells.
describe("killed before COMMIT", () => {
  const movements: Record<string, (hold: { userId: string; holdId: string }) => (tx: Tx) => Promise<unknown>> = {
    topUp:
      ({ userId }) =>
      (tx) =>
        topUpUnits(tx, { userId, amountMilli: 500, source: "card", reference: "paid" }),
    hold: ({ userId }) => {
      const holdId = uuidv7();
      return (tx) => holdUnits(tx, { userId, holdId, amountMilli: 90_000 });
    },
    charge: (hold) => (tx) => chargeHolds(tx, [{ ...hold, amountMilli: 5_000 }]),
    settle: (hold) => (tx) => settleHold(tx, hold),
    refund: (hold) => (tx) => refundUnits(tx, [{ ...hold, reference: "recipient", amountMilli: 1_000 }]),
    reverse:
      ({ userId }) =>
      (tx) =>
        reverseTopUp(tx, { userId, source: "manual", reference: "first" }),
  };

  test.for(Object.entries(movements))("%s", async ([name, movementOf], { db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
    await withTransaction(db, (tx) =>
      topUpUnits(tx, { userId, amountMilli: 700, source: "manual", reference: "first" }),
    );
    const hold = await buildHold(db, { userId, amountMilli: 10_000 });
    await withTransaction(db, (tx) => chargeHolds(tx, [{ ...hold, amountMilli: 2_000 }]));
    const movement = movementOf(hold);
    const before = await readBooks(db);

    expect(await killedAfter(db, movement)).toBeInstanceOf(CommitUnknownError);
    expect(await readBooks(db)).toEqual(before);

    const after = await withTransaction(db, movement);
    if (name === "topUp" || name === "hold" || name === "reverse") expect(after).toMatchObject({ isRepeat: false });
    expect(await readBooks(db)).not.toEqual(before);
  });
});
