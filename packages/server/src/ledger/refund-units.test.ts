import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../db/pool.ts";
import { isCheckViolation } from "../db/sql-state.ts";
import { withTransaction, type Tx } from "../db/transaction.ts";
import { expect, overlap, test } from "../testing/database.ts";
import { buildHold, buildUserWithUnits } from "../testing/ledger-factories.ts";
import type { HoldRequest, Refund } from "./index.ts";
import { chargeHolds, listMovements, lockAccounts, readBalance, refundUnits } from "./index.ts";

/** A send of ten recipients at 3 units, charged in full; the customer has 70 units left. */
async function buildChargedSend(db: Db): Promise<HoldRequest> {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
  const hold = await buildHold(db, { userId, amountMilli: 30_000 });
  await withTransaction(db, (tx) => chargeHolds(tx, [hold]));
  return hold;
}

const refundOf = ({ userId, holdId }: HoldRequest, position: number): Refund => ({
  userId,
  holdId,
  reference: `${holdId}:${position}`,
  amountMilli: 3_000,
});
const refund = (refunds: Refund[]) => (tx: Tx) => refundUnits(tx, refunds);

describe("refusals", () => {
  test("no more is refunded than was charged", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
    const hold = await buildHold(db, { userId, amountMilli: 30_000 });
    await withTransaction(db, (tx) => chargeHolds(tx, [{ ...hold, amountMilli: 5_000 }]));
    const both = withTransaction(db, refund([refundOf(hold, 0), refundOf(hold, 1)]));
    expect(isCheckViolation(await both.catch((error: unknown) => error), "hold_refunds_only_what_it_captured")).toBe(
      true,
    );
    expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 95_000 });
  });

  test("a hold or a customer that does not exist", async ({ db }) => {
    const send = await buildChargedSend(db);
    await expect(withTransaction(db, refund([refundOf({ ...send, userId: uuidv7() }, 0)]))).rejects.toThrow(
      "no account",
    );
    await expect(withTransaction(db, refund([refundOf({ ...send, holdId: uuidv7() }, 0)]))).rejects.toThrow("journal");
  });

  test.for([0, -1, 0.5])("%s is not an amount", async (amountMilli, { db }) => {
    const send = await buildChargedSend(db);
    await expect(withTransaction(db, refund([{ ...refundOf(send, 0), amountMilli }]))).rejects.toThrow("not an amount");
  });
});

test("each recipient is refunded once, however often and in whatever company the failure is reported", async ({
  db,
}) => {
  const send = await buildChargedSend(db);
  expect(await withTransaction(db, refund([refundOf(send, 0), refundOf(send, 1), refundOf(send, 0)]))).toBe(6_000);
  expect(await withTransaction(db, refund([refundOf(send, 1), refundOf(send, 2)]))).toBe(3_000);
  expect(await withTransaction(db, refund([refundOf(send, 2)]))).toBe(0);
  expect(await withTransaction(db, refund([]))).toBe(0);
  expect(await readBalance(db, send.userId)).toMatchObject({ balanceMilli: 79_000 });
});

test("a refund is a journal of its own from the refunds account; the charge stays as it is", async ({ db }) => {
  const send = await buildChargedSend(db);
  await withTransaction(db, refund([refundOf(send, 4)]));
  const { rows } = await db.query(
    `select j.kind, j.reference, json_object_agg(e.account, e.amount_milli) as entries
     from journal j join journal_entry e using (user_id, number) where hold_id is not null group by j.user_id, j.number order by j.number`,
  );
  expect(rows).toEqual([
    { kind: "charge", reference: `${send.holdId}:1`, entries: { customer: -30_000, sales: 30_000 } },
    { kind: "refund", reference: `${send.holdId}:4`, entries: { customer: 3_000, refunds: -3_000 } },
  ]);
});

test("all refunds of a message are one line of the statement", async ({ db }) => {
  const send = await buildChargedSend(db);
  await withTransaction(db, refund([refundOf(send, 0), refundOf(send, 1)]));
  await withTransaction(db, refund([refundOf(send, 2)]));
  const [line] = await listMovements(db, send.userId, { limit: 10 });
  expect(line).toMatchObject({ cause: "refund", reference: send.holdId, amountMilli: 9_000, balanceMilli: 79_000 });
});

test("one call refunds sends of several customers", async ({ db }) => {
  const [one, other] = [await buildChargedSend(db), await buildChargedSend(db)];
  expect(await withTransaction(db, refund([refundOf(one, 0), refundOf(other, 0), refundOf(other, 1)]))).toBe(9_000);
  expect(await readBalance(db, one.userId)).toMatchObject({ balanceMilli: 73_000 });
  expect(await readBalance(db, other.userId)).toMatchObject({ balanceMilli: 76_000 });
});

test("one failure is reported twice at once: it is refunded once", async ({ db }) => {
  const send = await buildChargedSend(db);
  const [first, second] = await overlap(
    db,
    refund([refundOf(send, 0)]),
    refund([refundOf(send, 0), refundOf(send, 1)]),
  );
  expect([first, second]).toEqual([
    { status: "fulfilled", value: 3_000 },
    { status: "fulfilled", value: 3_000 },
  ]);
  expect(await readBalance(db, send.userId)).toMatchObject({ balanceMilli: 76_000 });
});

// Goal: flushes that charge some customers and refund others never end each other. Method: pairs that charge one customer and
// refund the other, crosswise; without the lock on both at the start PostgreSQL ends one of a pair (40P01).
test("a transaction that charges and refunds locks all its customers first", async ({ db }) => {
  const sends = [await buildChargedSend(db), await buildChargedSend(db)];
  const holds = await Promise.all(sends.map(({ userId }) => buildHold(db, { userId, amountMilli: 20_000 })));
  const flush = (charged: number, refunded: number, position: number): Promise<void> =>
    withTransaction(db, async (tx) => {
      const [hold, send] = [holds[charged], sends[refunded]];
      if (hold === undefined || send === undefined) throw new Error("unreachable");
      await lockAccounts(tx, [hold.userId, send.userId]);
      await chargeHolds(tx, [{ ...hold, amountMilli: 2_000 }]);
      await refundUnits(tx, [refundOf(send, position)]);
    });
  const crosswise = Array.from({ length: 10 }, (_, position) => [flush(0, 1, position), flush(1, 0, position)]).flat();
  await Promise.all(crosswise);
  for (const { userId } of sends)
    expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 80_000, heldMilli: 0 });
});
