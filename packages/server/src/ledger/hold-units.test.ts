import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { withTransaction, type Tx } from "../db/transaction.ts";
import { expect, overlap, test } from "../testing/database.ts";
import { buildUser } from "../testing/factories.ts";
import { buildHold, buildUserWithUnits, topUpUser } from "../testing/ledger-factories.ts";
import { chargeHolds, holdUnits, readBalance, topUpUnits } from "./index.ts";

const hold = (userId: string, amountMilli: number, holdId: string = uuidv7()) => {
  return (tx: Tx) => holdUnits(tx, { userId, holdId, amountMilli });
};

describe("refusals", () => {
  test("a customer who never had units is refused, and no account is made", async ({ db }) => {
    const { userId } = await buildUser(db);
    await expect(withTransaction(db, hold(userId, 1))).rejects.toMatchObject({
      code: "UNITS_REQUIRED",
      extra: { available: 0 },
    });
    expect((await db.query("select from ledger_account")).rowCount).toBe(0);
  });

  test("one thousandth more than is free is refused with what is free; nothing is written", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
    await buildHold(db, { userId, amountMilli: 80_500 });
    await expect(withTransaction(db, hold(userId, 19_501))).rejects.toMatchObject({
      code: "UNITS_REQUIRED",
      extra: { available: 19.5 },
    });
    expect(await readBalance(db, userId)).toEqual({ balanceMilli: 100_000, heldMilli: 80_500, freeMilli: 19_500 });
    expect((await db.query("select from hold")).rowCount).toBe(1);
  });

  test("a refused hold may be tried again under the same id after a top-up", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 5_000 });
    const attempt = hold(userId, 6_000);
    await expect(withTransaction(db, attempt)).rejects.toMatchObject({ code: "UNITS_REQUIRED" });
    await topUpUser(db, userId, 1_000);
    expect(await withTransaction(db, attempt)).toMatchObject({ isRepeat: false, balance: { freeMilli: 0 } });
  });

  test("the same hold with another amount is a conflict, whether or not the other amount is free", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 10_000 });
    const first = await buildHold(db, { userId, amountMilli: 4_000 });
    for (const amountMilli of [3_999, 4_001, 10_000, 10_001]) {
      const attempt = withTransaction(db, hold(userId, amountMilli, first.holdId));
      await expect(attempt).rejects.toMatchObject({ code: "IDEMPOTENCY_CONFLICT" });
    }
    expect(await readBalance(db, userId)).toMatchObject({ heldMilli: 4_000 });
  });

  test.for([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    "%s is not an amount",
    async (amountMilli, { db }) => {
      const { userId } = await buildUserWithUnits(db);
      await expect(withTransaction(db, hold(userId, amountMilli))).rejects.toThrow("not an amount");
    },
  );
});

test("all that is free can be held, to the last thousandth", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
  const held = await withTransaction(db, hold(userId, 100_000));
  expect(held).toMatchObject({ isRepeat: false, balance: { balanceMilli: 100_000, heldMilli: 100_000, freeMilli: 0 } });
});

test("a repeated hold returns the first one and takes nothing, also when nothing is free any more", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 10_000 });
  const first = await buildHold(db, { userId, amountMilli: 4_000 });
  expect(await withTransaction(db, hold(userId, 4_000, first.holdId))).toMatchObject({ isRepeat: true });
  await buildHold(db, { userId, amountMilli: 6_000 });
  expect(await withTransaction(db, hold(userId, 4_000, first.holdId))).toMatchObject({
    isRepeat: true,
    balance: { freeMilli: 0 },
  });
  expect(await readBalance(db, userId)).toMatchObject({ heldMilli: 10_000 });
});

test("a repeat returns the same hold after it was charged", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 10_000 });
  const first = await buildHold(db, { userId, amountMilli: 4_000 });
  await withTransaction(db, (tx) => chargeHolds(tx, [first]));
  expect(await withTransaction(db, hold(userId, 4_000, first.holdId))).toMatchObject({
    isRepeat: true,
    amountMilli: 4_000,
  });
});

test("two customers may use the same hold id", async ({ db }) => {
  const [one, other] = [await buildUserWithUnits(db), await buildUserWithUnits(db)];
  const { holdId } = await buildHold(db, { userId: one.userId, amountMilli: 1_000 });
  expect(await withTransaction(db, hold(other.userId, 2_000, holdId))).toMatchObject({ isRepeat: false });
});

// Goal: no overlap of two sends can spend the same units. Method: start the second hold while the first is uncommitted;
// each fits alone, the two do not.
describe("overlaps", () => {
  test("two sends race for the last units: the first holds, the second is refused", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
    const [first, second] = await overlap(db, hold(userId, 80_000), hold(userId, 80_000));
    expect(first).toMatchObject({ status: "fulfilled", value: { balance: { freeMilli: 20_000 } } });
    expect(second).toMatchObject({ reason: { code: "UNITS_REQUIRED", extra: { available: 20 } } });
    expect(await readBalance(db, userId)).toEqual({ balanceMilli: 100_000, heldMilli: 80_000, freeMilli: 20_000 });
  });

  test("one send arrives twice: the units are held once", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
    const send = hold(userId, 30_000);
    const [first, second] = await overlap(db, send, send);
    expect(first).toMatchObject({ value: { isRepeat: false } });
    expect(second).toMatchObject({ value: { isRepeat: true, balance: { heldMilli: 30_000 } } });
    expect(await readBalance(db, userId)).toMatchObject({ heldMilli: 30_000 });
  });

  test("one send arrives twice and takes everything: the second gets the first hold, not a refusal", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 30_000 });
    const send = hold(userId, 30_000);
    const [first, second] = await overlap(db, send, send);
    expect([first, second]).toMatchObject([{ value: { isRepeat: false } }, { value: { isRepeat: true } }]);
  });

  test("units that are still being credited cannot be spent yet: the send is refused at once", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 1_000 });
    const topUp = (tx: Tx) => topUpUnits(tx, { userId, amountMilli: 9_000, source: "card", reference: "paid" });
    const [, second] = await overlap(db, topUp, hold(userId, 10_000));
    expect(second).toMatchObject({ reason: { code: "UNITS_REQUIRED", extra: { available: 1 } } });
    expect(await withTransaction(db, hold(userId, 10_000))).toMatchObject({ balance: { freeMilli: 0 } });
  });
});

test("1,000 parallel sends on a balance worth 33: exactly 33 are accepted", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
  const sends = Array.from({ length: 1_000 }, () => withTransaction(db, hold(userId, 3_000)));
  const results = await Promise.allSettled(sends);
  const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  expect(refusals).toHaveLength(1_000 - 33);
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: "UNITS_REQUIRED", extra: { available: 1 } });
  expect(await readBalance(db, userId)).toEqual({ balanceMilli: 100_000, heldMilli: 99_000, freeMilli: 1_000 });
});
