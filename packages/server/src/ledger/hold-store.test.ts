import { v7 as uuidv7 } from "uuid";
import { withTransaction } from "../db/transaction.ts";
import { expect, test } from "../testing/database.ts";
import { buildHold, buildUserWithUnits } from "../testing/ledger-factories.ts";
import { moveHolds, readHoldOutcomes, refundUnits } from "./index.ts";

test("a hold's outcome says what was charged, is reserved and came back, to the thousandth, and adds up to its amount", async ({
  db,
}) => {
  const { userId } = await buildUserWithUnits(db);
  const { holdId } = await buildHold(db, { userId, amountMilli: 10_000 });
  expect(await readHoldOutcomes(db, [{ userId, holdId }])).toEqual([
    { chargedMilli: 0, reservedMilli: 10_000, returnedMilli: 0 },
  ]);
  await withTransaction(db, (tx) => moveHolds(tx, [{ userId, holdId, chargeMilli: 5_925, releaseMilli: 75 }]));
  expect(await readHoldOutcomes(db, [{ userId, holdId }])).toEqual([
    { chargedMilli: 5_925, reservedMilli: 4_000, returnedMilli: 75 },
  ]);
  const refund = { userId, holdId, reference: `${holdId}:0`, amountMilli: 925 };
  await withTransaction(db, async (tx) => void (await refundUnits(tx, [refund])));
  expect(await readHoldOutcomes(db, [{ userId, holdId }])).toEqual([
    { chargedMilli: 5_000, reservedMilli: 4_000, returnedMilli: 1_000 },
  ]);
});

test("outcomes stand in the order of the keys; another customer's hold, an unknown one and none are nothing", async ({
  db,
}) => {
  const [owner, other] = [await buildUserWithUnits(db), await buildUserWithUnits(db)];
  const first = await buildHold(db, { userId: owner.userId, amountMilli: 1_000 });
  const second = await buildHold(db, { userId: owner.userId, amountMilli: 2_000 });
  const outcomes = await readHoldOutcomes(db, [
    second,
    { userId: owner.userId, holdId: undefined },
    { userId: other.userId, holdId: first.holdId },
    { userId: owner.userId, holdId: uuidv7() },
    first,
  ]);
  expect(outcomes.map(({ reservedMilli }) => reservedMilli)).toEqual([2_000, 0, 0, 0, 1_000]);
  expect(await readHoldOutcomes(db, [])).toEqual([]);
});
