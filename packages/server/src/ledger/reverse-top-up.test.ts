import { describe } from "vitest";
import { withTransaction, type Tx } from "../db/transaction.ts";
import { expect, overlap, test } from "../testing/database.ts";
import { buildHold, buildUserWithUnits, topUpUser } from "../testing/ledger-factories.ts";
import { listMovements, readBalance, reverseTopUp, topUpUnits } from "./index.ts";

const reverse = (userId: string) => (tx: Tx) =>
  reverseTopUp(tx, { userId, source: "bank", reference: "deposit-1", note: "a mistake" });

describe("refusals", () => {
  test("a reference that was never credited, or to somebody else, or from another source", async ({ db }) => {
    const [one, other] = [await buildUserWithUnits(db), await buildUserWithUnits(db)];
    await topUpUser(db, one.userId, 5_000, { source: "bank", reference: "deposit-1" });
    await expect(withTransaction(db, reverse(other.userId))).rejects.toMatchObject({ code: "NOT_FOUND" });
    const fromCard = withTransaction(db, (tx) =>
      reverseTopUp(tx, { userId: one.userId, source: "card", reference: "deposit-1" }),
    );
    await expect(fromCard).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("units that are spent or held cannot be taken back: a customer never becomes negative", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 1_000 });
    await topUpUser(db, userId, 5_000, { source: "bank", reference: "deposit-1" });
    await buildHold(db, { userId, amountMilli: 1_001 });
    await expect(withTransaction(db, reverse(userId))).rejects.toMatchObject({
      code: "UNITS_REQUIRED",
      extra: { available: 4.99 },
    });
    expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 6_000 });
  });
});

test("a top-up is taken back once, by a journal that names it; both stay in the statement", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 1_000 });
  await topUpUser(db, userId, 5_000, { source: "bank", reference: "deposit-1" });
  expect(await withTransaction(db, reverse(userId))).toMatchObject({
    isRepeat: false,
    balance: { balanceMilli: 1_000 },
  });
  expect(await withTransaction(db, reverse(userId))).toMatchObject({
    isRepeat: true,
    balance: { balanceMilli: 1_000 },
  });
  const lines = await listMovements(db, userId, { limit: 10 });
  expect(lines).toMatchObject([
    { cause: "reversal", reference: "deposit-1", amountMilli: -5_000, balanceMilli: 1_000 },
    { cause: "deposit", reference: "deposit-1", amountMilli: 5_000, balanceMilli: 6_000 },
    { cause: "credit", amountMilli: 1_000, balanceMilli: 1_000 },
  ]);
  const { rows } = await db.query("select number, reverses_number, note from journal where kind = 'reversal'");
  expect(rows).toEqual([{ number: 3, reverses_number: 2, note: "a mistake" }]);
});

test("a reversed top-up is not credited again when its payment is reported once more", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 1_000 });
  await topUpUser(db, userId, 5_000, { source: "bank", reference: "deposit-1" });
  await withTransaction(db, reverse(userId));
  const again = (tx: Tx) => topUpUnits(tx, { userId, amountMilli: 5_000, source: "bank", reference: "deposit-1" });
  expect(await withTransaction(db, again)).toMatchObject({ isRepeat: true, balance: { balanceMilli: 1_000 } });
});

describe("in parts", () => {
  const takePart = (userId: string, key: string, amountMilli: number) => (tx: Tx) =>
    reverseTopUp(tx, { userId, source: "card", reference: "paid", part: { key, amountMilli } });

  test("each part is taken back once, all parts together no more than the top-up, and then not the whole", async ({
    db,
  }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 9_000 });
    await topUpUser(db, userId, 5_000, { source: "card", reference: "paid" });
    expect(await withTransaction(db, takePart(userId, "first", 2_000))).toMatchObject({
      isRepeat: false,
      balance: { balanceMilli: 12_000 },
    });
    expect(await withTransaction(db, takePart(userId, "first", 2_000))).toMatchObject({
      isRepeat: true,
      balance: { balanceMilli: 12_000 },
    });
    await expect(withTransaction(db, takePart(userId, "second", 3_001))).rejects.toMatchObject({
      code: "STATE_CONFLICT",
    });
    const whole = withTransaction(db, (tx) => reverseTopUp(tx, { userId, source: "card", reference: "paid" }));
    await expect(whole).rejects.toMatchObject({ code: "STATE_CONFLICT" });
    await withTransaction(db, takePart(userId, "second", 3_000));
    expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 9_000 });
    const [newest] = await listMovements(db, userId, { limit: 1 });
    expect(newest).toMatchObject({ cause: "reversal", reference: "paid", amountMilli: -3_000 });
  });

  test("two parts at once that do not both fit: the second waits and is refused", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 9_000 });
    await topUpUser(db, userId, 5_000, { source: "card", reference: "paid" });
    const [first, second] = await overlap(db, takePart(userId, "first", 3_000), takePart(userId, "second", 3_000));
    expect([first, second]).toMatchObject([{ value: { isRepeat: false } }, { reason: { code: "STATE_CONFLICT" } }]);
  });

  test.for([0, -1, 1.5])("an amount of %s is a bug", async (amountMilli, { db }) => {
    const { userId } = await buildUserWithUnits(db);
    await expect(withTransaction(db, takePart(userId, "first", amountMilli))).rejects.toThrow("is not an amount");
  });
});

test("two administrators reverse at once: it is taken back once", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 9_000 });
  await topUpUser(db, userId, 5_000, { source: "bank", reference: "deposit-1" });
  const [first, second] = await overlap(db, reverse(userId), reverse(userId));
  expect([first, second]).toMatchObject([{ value: { isRepeat: false } }, { value: { isRepeat: true } }]);
  expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 9_000 });
});
