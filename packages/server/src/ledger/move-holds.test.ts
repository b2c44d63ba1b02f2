import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { Db } from "../db/pool.ts";
import { withTransaction, type Tx } from "../db/transaction.ts";
import { expect, overlap, test } from "../testing/database.ts";
import { buildHold, buildUserWithUnits } from "../testing/ledger-factories.ts";
import type { HoldMove } from "./index.ts";
import { chargeHolds, moveHolds, readBalance, releaseHolds, settleHold } from "./index.ts";

const move = (db: Db, moves: HoldMove[]): Promise<void> => withTransaction(db, (tx) => moveHolds(tx, moves));

/** @returns what a hold has become, and its charge journals in order. */
async function readHold(db: Db, holdId: string): Promise<unknown> {
  const { rows } = await db.query(
    `select captured_milli as captured, released_milli as released, open_milli as open, is_open as "isOpen" from hold where hold_id = $1`,
    [holdId],
  );
  return rows[0];
}

async function readCharges(db: Db): Promise<unknown[]> {
  const { rows } = await db.query(
    `select j.reference, json_object_agg(e.account, e.amount_milli) as entries
     from journal j join journal_entry e using (user_id, number) where j.kind = 'charge'
     group by j.user_id, j.number order by j.user_id, j.number`,
  );
  return rows;
}

describe("refusals", () => {
  test.for([
    { chargeMilli: 10_001, releaseMilli: 0 },
    { chargeMilli: 0, releaseMilli: 10_001 },
    { chargeMilli: 5_000, releaseMilli: 5_001 },
  ])("a hold of 10 units cannot be moved by %o", async (amounts, { db }) => {
    const { userId } = await buildUserWithUnits(db);
    const { holdId } = await buildHold(db, { userId, amountMilli: 10_000 });
    await expect(move(db, [{ userId, holdId, ...amounts }])).rejects.toThrow("1 of 1 holds");
    expect(await readHold(db, holdId)).toEqual({ captured: 0, released: 0, open: 10_000, isOpen: true });
  });

  test("one bad hold undoes the whole flush", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db);
    const good = await buildHold(db, { userId });
    const flush = [
      { userId, holdId: good.holdId, chargeMilli: 1_000, releaseMilli: 0 },
      { userId, holdId: uuidv7(), chargeMilli: 1_000, releaseMilli: 0 },
    ];
    await expect(move(db, flush)).rejects.toThrow("1 of 2 holds");
    expect(await readHold(db, good.holdId)).toMatchObject({ captured: 0 });
    expect(await readCharges(db)).toEqual([]);
  });

  test("another customer's hold is unknown", async ({ db }) => {
    const [owner, other] = [await buildUserWithUnits(db), await buildUserWithUnits(db)];
    const { holdId } = await buildHold(db, { userId: owner.userId });
    await expect(move(db, [{ userId: other.userId, holdId, chargeMilli: 1, releaseMilli: 0 }])).rejects.toThrow(
      "1 of 1 holds",
    );
  });

  test.for([-1, 0.1, Number.NaN])("%s is not an amount", async (amount, { db }) => {
    const hold = { userId: uuidv7(), holdId: uuidv7() };
    await expect(move(db, [{ ...hold, chargeMilli: amount, releaseMilli: 0 }])).rejects.toThrow("not an amount");
    await expect(move(db, [{ ...hold, chargeMilli: 0, releaseMilli: amount }])).rejects.toThrow("not an amount");
  });
});

test("a flush charges and releases; each charge is a journal from the customer to sales", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
  const { holdId } = await buildHold(db, { userId, amountMilli: 10_000 });
  await move(db, [{ userId, holdId, chargeMilli: 5_900, releaseMilli: 100 }]);
  await move(db, [{ userId, holdId, chargeMilli: 3_000, releaseMilli: 0 }]);
  expect(await readHold(db, holdId)).toEqual({ captured: 8_900, released: 100, open: 1_000, isOpen: true });
  expect(await readBalance(db, userId)).toEqual({ balanceMilli: 91_100, heldMilli: 1_000, freeMilli: 90_100 });
  expect(await readCharges(db)).toEqual([
    { reference: `${holdId}:1`, entries: { customer: -5_900, sales: 5_900 } },
    { reference: `${holdId}:2`, entries: { customer: -3_000, sales: 3_000 } },
  ]);
});

test("a release alone writes no journal: no unit has moved", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
  const hold = await buildHold(db, { userId, amountMilli: 10_000 });
  await withTransaction(db, (tx) => releaseHolds(tx, [{ ...hold, amountMilli: 10_000 }]));
  expect(await readHold(db, hold.holdId)).toEqual({ captured: 0, released: 10_000, open: 0, isOpen: false });
  expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 100_000, heldMilli: 0 });
  expect(await readCharges(db)).toEqual([]);
});

test("moves of one hold in one flush are added up, also when they only fit together", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db);
  const { holdId } = await buildHold(db, { userId, amountMilli: 10_000 });
  await move(db, [
    { userId, holdId, chargeMilli: 4_000, releaseMilli: 0 },
    { userId, holdId, chargeMilli: 4_000, releaseMilli: 1_000 },
    { userId, holdId, chargeMilli: 0, releaseMilli: 1_000 },
  ]);
  expect(await readHold(db, holdId)).toMatchObject({ captured: 8_000, released: 2_000 });
  expect(await readCharges(db)).toHaveLength(1);
});

test("an empty list of moves does nothing and locks nothing", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db);
  const { holdId } = await buildHold(db, { userId });
  const nothing = (tx: Tx) => moveHolds(tx, [{ userId, holdId, chargeMilli: 0, releaseMilli: 0 }]);
  const [, second] = await overlap(db, (tx) => chargeHolds(tx, [{ userId, holdId, amountMilli: 1_000 }]), nothing);
  expect(second).toMatchObject({ status: "fulfilled" });
  await move(db, []);
});

test("one flush settles sends of several customers, each with its own numbers and balance", async ({ db }) => {
  const users = await Promise.all(Array.from({ length: 5 }, () => buildUserWithUnits(db, { balanceMilli: 50_000 })));
  const holds = await Promise.all(
    [...users, ...users].map(({ userId }) => buildHold(db, { userId, amountMilli: 10_000 })),
  );
  await move(
    db,
    holds.map(({ userId, holdId }, index) => ({ userId, holdId, chargeMilli: 1_000 + index, releaseMilli: index })),
  );
  for (const [index, { userId }] of users.entries()) {
    const charged = 2_000 + index + index + 5;
    expect(await readBalance(db, userId)).toMatchObject({
      balanceMilli: 50_000 - charged,
      heldMilli: 20_000 - charged - (index + index + 5),
    });
    const { rows } = await db.query(
      "select number, balance_after_milli as balance from journal where user_id = $1 order by number",
      [userId],
    );
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(rows.at(-1)).toMatchObject({ balance: 50_000 - charged });
  }
});

describe("settleHold", () => {
  test("releases what is left, and nothing when it is called again", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
    const hold = await buildHold(db, { userId, amountMilli: 10_000 });
    await move(db, [{ ...hold, chargeMilli: 3_000, releaseMilli: 1_000 }]);
    expect(await withTransaction(db, (tx) => settleHold(tx, hold))).toBe(6_000);
    expect(await withTransaction(db, (tx) => settleHold(tx, hold))).toBe(0);
    expect(await readHold(db, hold.holdId)).toEqual({ captured: 3_000, released: 7_000, open: 0, isOpen: false });
  });

  test("an unknown hold is a broken assumption", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db);
    await expect(withTransaction(db, (tx) => settleHold(tx, { userId, holdId: uuidv7() }))).rejects.toThrow(
      "There is no hold",
    );
  });

  test("waits for a flush that is still open, and releases only what that leaves", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db);
    const hold = await buildHold(db, { userId, amountMilli: 10_000 });
    const flush = (tx: Tx) => chargeHolds(tx, [{ ...hold, amountMilli: 7_000 }]);
    const [, second] = await overlap(db, flush, (tx) => settleHold(tx, hold));
    expect(second).toEqual({ status: "fulfilled", value: 3_000 });
    expect(await readHold(db, hold.holdId)).toMatchObject({ captured: 7_000, released: 3_000 });
  });

  test("a flush that comes after it finds nothing to charge", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db);
    const hold = await buildHold(db, { userId, amountMilli: 10_000 });
    const [, second] = await overlap(
      db,
      (tx) => settleHold(tx, hold),
      (tx) => chargeHolds(tx, [{ ...hold, amountMilli: 1 }]),
    );
    expect(second).toMatchObject({ status: "rejected" });
    expect(await readHold(db, hold.holdId)).toMatchObject({ captured: 0, released: 10_000 });
  });
});

describe("overlaps", () => {
  test("two flushes of one hold are both recorded", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
    const hold = await buildHold(db, { userId, amountMilli: 10_000 });
    const flush = (amountMilli: number) => (tx: Tx) => chargeHolds(tx, [{ ...hold, amountMilli }]);
    const results = await overlap(db, flush(4_000), flush(6_000));
    expect(results).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }]);
    expect(await readHold(db, hold.holdId)).toMatchObject({ captured: 10_000, open: 0 });
    expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 90_000, heldMilli: 0 });
  });

  test("two flushes that want the last of one hold: the second is refused", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
    const hold = await buildHold(db, { userId, amountMilli: 10_000 });
    const flush = (tx: Tx) => chargeHolds(tx, [{ ...hold, amountMilli: 6_000 }]);
    const [first, second] = await overlap(db, flush, flush);
    expect([first.status, second.status]).toEqual(["fulfilled", "rejected"]);
    expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 94_000, heldMilli: 4_000 });
  });

  test("flushes of two holds of one customer number their journals one after the other", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db);
    const [one, other] = [await buildHold(db, { userId }), await buildHold(db, { userId })];
    const charge = (holdId: string) => (tx: Tx) => chargeHolds(tx, [{ userId, holdId, amountMilli: 1_000 }]);
    const results = await overlap(db, charge(one.holdId), charge(other.holdId));
    expect(results).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }]);
    const { rows } = await db.query("select number from journal order by number");
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  // Goal: no deadlock, whatever order callers list customers in. Method: many flushes over the same ten customers in random
  // order at once; without one lock order PostgreSQL ends some of them (40P01) within the first few.
  test("flushes that name the same customers in any order wait for each other and all succeed", async ({ db }) => {
    const users = await Promise.all(
      Array.from({ length: 10 }, () => buildUserWithUnits(db, { balanceMilli: 1_000_000 })),
    );
    const holds = await Promise.all(users.map(({ userId }) => buildHold(db, { userId, amountMilli: 1_000_000 })));
    const flushes = Array.from({ length: 200 }, () => {
      const shuffled = holds.toSorted(() => Math.random() - 0.5);
      return move(
        db,
        shuffled.map(({ userId, holdId }) => ({ userId, holdId, chargeMilli: 1_000, releaseMilli: 0 })),
      );
    });
    const results = await Promise.allSettled(flushes);
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    for (const { userId } of users)
      expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 800_000, heldMilli: 800_000 });
  });
});
