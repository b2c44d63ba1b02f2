import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../db/pool.ts";
import { withTransaction } from "../db/transaction.ts";
import { expect, test } from "../testing/database.ts";
import { buildUser } from "../testing/factories.ts";
import { buildHold, buildUserWithUnits, topUpUser } from "../testing/ledger-factories.ts";
import type { Movement } from "./index.ts";
import {
  chargeHolds,
  eachMovement,
  holdUnits,
  listMovements,
  moveHolds,
  type MovementFilter,
  readBalance,
  releaseHolds,
  selectDayBalances,
  settleHold,
} from "./index.ts";

async function listAll(db: Db, userId: string, limit: number, filter: MovementFilter = {}): Promise<Movement[]> {
  const all: Movement[] = [];
  for (;;) {
    const after = all.at(-1);
    const page = await listMovements(db, userId, { limit, ...(after && { after }), ...filter });
    all.push(...page);
    if (page.length < limit) return all;
  }
}

const amountsOf = (lines: Movement[]): [string, number, number][] =>
  lines.map((line) => [line.cause, line.amountMilli, line.balanceMilli]);

test("a customer who never had units has an empty statement", async ({ db }) => {
  const { userId } = await buildUser(db);
  expect(await listMovements(db, userId, { limit: 10 })).toEqual([]);
});

test("newest first, and each line's balance is the one below it plus its own amount", async ({ db }) => {
  const { userId } = await buildUser(db);
  await topUpUser(db, userId, 20_000, { source: "card", reference: "paid" });
  const hold = await buildHold(db, { userId, amountMilli: 5_900 });
  await topUpUser(db, userId, 1_000, { source: "bank", reference: "deposit" });
  const lines = await listMovements(db, userId, { limit: 10 });
  expect(amountsOf(lines)).toEqual([
    ["deposit", 1_000, 15_100],
    ["message", -5_900, 14_100],
    ["payment", 20_000, 20_000],
  ]);
  expect(lines.map(({ reference }) => reference)).toEqual(["deposit", hold.holdId, "paid"]);
  expect(lines[1]).toMatchObject({ movementId: hold.holdId, isFinal: false });
});

test("a send of many flushes is one line, which shrinks by what comes back and is final at the end", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
  const hold = await buildHold(db, { userId, amountMilli: 60_000 });
  await topUpUser(db, userId, 1_000);
  for (let flush = 0; flush < 20; flush += 1) {
    await withTransaction(db, (tx) => moveHolds(tx, [{ ...hold, chargeMilli: 2_000, releaseMilli: 500 }]));
  }
  const running = await listMovements(db, userId, { limit: 10 });
  expect(amountsOf(running)).toEqual([
    ["credit", 1_000, 51_000],
    ["message", -50_000, 50_000],
    ["credit", 100_000, 100_000],
  ]);
  await withTransaction(db, (tx) => settleHold(tx, hold));
  const settled = await listMovements(db, userId, { limit: 10 });
  expect(amountsOf(settled).slice(0, 2)).toEqual([
    ["credit", 1_000, 61_000],
    ["message", -40_000, 60_000],
  ]);
  expect(settled[1]).toMatchObject({ isFinal: true });
  expect((await readBalance(db, userId)).freeMilli).toBe(61_000);
});

test("a send that was given up stays, with nothing charged", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db);
  const hold = await buildHold(db, { userId });
  await withTransaction(db, (tx) => releaseHolds(tx, [hold]));
  expect((await listMovements(db, userId, { limit: 1 }))[0]).toMatchObject({
    cause: "message",
    amountMilli: 0,
    isFinal: true,
  });
});

test("a movement stands where it happened, not where its transaction began", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 1_000 });
  await withTransaction(db, async (tx) => {
    await tx.query("select now()");
    await topUpUser(db, userId, 9_000);
    await holdUnits(tx, { userId, holdId: uuidv7(), amountMilli: 10_000 });
  });
  expect(amountsOf(await listMovements(db, userId, { limit: 10 }))).toEqual([
    ["message", -10_000, 0],
    ["credit", 9_000, 10_000],
    ["credit", 1_000, 1_000],
  ]);
});

test("nobody sees another customer's movements", async ({ db }) => {
  const [one, other] = [await buildUserWithUnits(db), await buildUserWithUnits(db)];
  await buildHold(db, { userId: other.userId });
  expect(await listMovements(db, one.userId, { limit: 10 })).toHaveLength(1);
});

describe("pages", () => {
  test.for([1, 2, 7, 100])("of %s lines give every line once, with the balances of one page", async (limit, { db }) => {
    const { userId } = await buildUserWithUnits(db);
    for (let index = 0; index < 6; index += 1) {
      const hold = await buildHold(db, { userId, amountMilli: 1_000 + index });
      await withTransaction(db, (tx) => chargeHolds(tx, [{ ...hold, amountMilli: 500 }]));
      await topUpUser(db, userId, 300 + index);
    }
    const whole = await listMovements(db, userId, { limit: 100 });
    expect(whole).toHaveLength(13);
    expect(await listAll(db, userId, limit)).toEqual(whole);
  });

  test("movements of the same millisecond are told apart", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db);
    const insert = `insert into hold (user_id, hold_id, amount_milli, released_milli, created_at)
      select $1, id, 5, 5, '2026-01-01T00:00:00.123456Z'::timestamptz + index * interval '1 microsecond'
      from unnest($2::uuid[]) with ordinality as new (id, index)`;
    await db.query(insert, [userId, Array.from({ length: 9 }, () => uuidv7())]);
    const lines = await listAll(db, userId, 2);
    expect(new Set(lines.map(({ movementId }) => movementId)).size).toBe(10);
    expect(lines).toHaveLength(10);
  });

  test("a message that shrinks between two pages moves the balances of the next page with it", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
    const hold = await buildHold(db, { userId, amountMilli: 10_000 });
    await topUpUser(db, userId, 1_000);
    const [newest] = await listMovements(db, userId, { limit: 1 });
    await withTransaction(db, (tx) => releaseHolds(tx, [{ ...hold, amountMilli: 4_000 }]));
    const next = await listMovements(db, userId, { limit: 2, ...(newest && { after: newest }) });
    expect(amountsOf(next)).toEqual([
      ["message", -6_000, 94_000],
      ["credit", 100_000, 100_000],
    ]);
  });
});

test("an export reads the same lines forwards, thousands of them", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 100_000 });
  const insert = `insert into hold (user_id, hold_id, amount_milli, released_milli, created_at)
    select $1, gen_random_uuid(), index, index, now() + index % 7 * interval '1 microsecond' from generate_series(1, 2500) index`;
  await db.query(insert, [userId]);
  await buildHold(db, { userId, amountMilli: 30_000 });
  const forwards: Movement[] = [];
  for await (const movement of eachMovement(db, userId)) forwards.push(movement);
  expect(forwards).toHaveLength(2_502);
  expect(forwards.toReversed()).toEqual(await listMovements(db, userId, { limit: 5_000 }));
});

test("units that are frozen for a payment are a line that names it, and come back into it", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db);
  const hold = await buildHold(db, { userId, amountMilli: 40_000, freezeReference: "paid" });
  const frozen = { cause: "freeze", reference: "paid" };
  expect((await listMovements(db, userId, { limit: 1 }))[0]).toMatchObject({
    ...frozen,
    amountMilli: -40_000,
    balanceMilli: 60_000,
    isFinal: false,
  });
  await withTransaction(db, (tx) => settleHold(tx, hold));
  expect((await listMovements(db, userId, { limit: 1 }))[0]).toMatchObject({
    ...frozen,
    amountMilli: 0,
    balanceMilli: 100_000,
    isFinal: true,
  });
});

/** Twelve days, each with a message at its very start and a deposit in its last millisecond, by the time of Lagos. */
async function buildDays(db: Db): Promise<string> {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 500_000 });
  for (const table of ["hold", "journal"]) await db.query(`alter table ${table} disable trigger user`);
  await db.query("update journal set created_at = '2026-02-28T12:00:00+01:00'");
  for (let day = 1; day <= 12; day += 1) {
    const hold = await buildHold(db, { userId, amountMilli: 10_000 + day });
    await topUpUser(db, userId, 700 * day, { source: "bank", reference: `deposit ${day}` });
    const date = `2026-03-${String(day).padStart(2, "0")}`;
    await db.query("update hold set created_at = $2 where hold_id = $1", [hold.holdId, `${date}T00:00:00+01:00`]);
    await db.query("update journal set created_at = $2 where reference = $1", [
      `deposit ${day}`,
      `${date}T23:59:59.999+01:00`,
    ]);
    if (day % 3 === 0)
      await withTransaction(db, (tx) => moveHolds(tx, [{ ...hold, chargeMilli: 5_000, releaseMilli: 1_000 }]));
  }
  for (const table of ["hold", "journal"]) await db.query(`alter table ${table} enable trigger user`);
  return userId;
}

describe("a filter", () => {
  const third = { from: new Date("2026-03-03T00:00:00+01:00"), to: new Date("2026-03-04T00:00:00+01:00") };

  test.for<[string, MovementFilter, number]>([
    ["a cause", { causes: ["deposit"] }, 12],
    ["two causes", { causes: ["message", "credit"] }, 13],
    ["a cause that nothing has", { causes: ["reversal"] }, 0],
    ["a day with its first and last millisecond", third, 2],
    ["a cause on a day", { ...third, causes: ["deposit"] }, 1],
    ["a day before everything", { to: new Date("2026-02-01T00:00:00Z") }, 0],
    ["everything since a moment", { from: new Date("2026-03-12T00:00:00+01:00") }, 2],
  ])("by %s leaves out lines and changes no balance, whatever the page holds", async ([, filter, count], { db }) => {
    const userId = await buildDays(db);
    const { from, to, causes } = filter;
    const expected = (await listMovements(db, userId, { limit: 100 })).filter(
      ({ createdAt, cause }) =>
        (from === undefined || createdAt >= from) &&
        (to === undefined || createdAt < to) &&
        (causes === undefined || causes.includes(cause)),
    );
    expect(expected).toHaveLength(count);
    for (const limit of [1, 2, 5, 100]) expect(await listAll(db, userId, limit, filter)).toEqual(expected);
    const forwards: Movement[] = [];
    for await (const movement of eachMovement(db, userId, filter)) forwards.push(movement);
    expect(forwards.toReversed()).toEqual(expected);
  });

  test("a cursor from behind the end of the range does not widen the range", async ({ db }) => {
    const userId = await buildDays(db);
    const [newest] = await listMovements(db, userId, { limit: 1 });
    const lines = await listMovements(db, userId, { limit: 100, ...(newest && { after: newest }), ...third });
    expect(lines).toEqual(await listMovements(db, userId, { limit: 100, ...third }));
  });
});

describe("the balances of days", () => {
  test("end as the last line of each day in Lagos does, whatever came after the last day", async ({ db }) => {
    const userId = await buildDays(db);
    const lines = await listMovements(db, userId, { limit: 100 });
    const endOf = (day: string): number =>
      lines.find(({ createdAt }) => createdAt < new Date(`${day}T24:00:00+01:00`))?.balanceMilli ?? 0;
    const days = await selectDayBalances(db, userId, { first: "2026-02-27", last: "2026-03-10" });
    expect(days.map(({ day }) => day)).toEqual([
      "2026-02-27",
      "2026-02-28",
      ...Array.from({ length: 10 }, (_, index) => `2026-03-${String(index + 1).padStart(2, "0")}`),
    ]);
    expect(days.map(({ balanceMilli }) => balanceMilli)).toEqual(days.map(({ day }) => endOf(day)));
    expect(days.slice(0, 2).map(({ balanceMilli }) => balanceMilli)).toEqual([0, 500_000]);
  });

  test("of a customer who never had units are none", async ({ db }) => {
    const { userId } = await buildUser(db);
    expect(await selectDayBalances(db, userId, { first: "2026-03-01", last: "2026-03-02" })).toEqual([]);
  });
});
