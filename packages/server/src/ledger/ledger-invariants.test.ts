import { readFile } from "node:fs/promises";
import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "../db/pool.ts";
import { withTransaction, type Tx } from "../db/transaction.ts";
import { expect, test } from "../testing/database.ts";
import { buildHold, buildUserWithUnits } from "../testing/ledger-factories.ts";
import { chargeHolds, holdUnits, moveHolds, readLedgerInvariants, refundUnits, topUpUnits } from "./index.ts";

const LONG_AGO = new Date(0);

/** @returns the names of the rules that do not hold. */
async function brokenRules(db: Queryable, since?: Date): Promise<string[]> {
  const checks = await readLedgerInvariants(db, since ? { since } : {});
  return checks.filter(({ violations }) => violations !== 0).map(({ name }) => name);
}

/** The triggers stay and refuse nothing, which a cluster tells all its servers. */
const guardsAway = [
  "create or replace function refuse_ledger_change() returns trigger language plpgsql as $$ begin return case when tg_level = 'ROW' then new end; end $$",
  "create or replace function refuse_unbalanced_entries() returns trigger language plpgsql as $$ begin return null; end $$",
  "alter table hold drop constraint hold_refunds_only_what_it_captured",
  "alter table ledger_account drop constraint ledger_account_never_negative",
];

// Goal: the view sees every kind of damage. Method: in one transaction the guards are taken away, one thing is damaged, both
// checks are asked, and everything is rolled back.
describe("damage is seen", () => {
  const sums = "all entries sum to zero";
  const balanced = "each journal balances and has two entries or more";
  const balances = "each balance is the sum of its entries";
  const chain = "journals are numbered without gaps and carry their balance";
  const held = "held units are the open holds";
  const negative = "no customer is negative";
  const settlements = "each hold is captured, released and open, as its journals say";
  const statement = "each statement ends at the free units";
  const once = "each payment and deposit reached one customer";

  test.for([
    {
      damage: "update journal_entry set amount_milli = amount_milli + 1 where account = 'sales'",
      full: [sums, balanced],
      period: [sums, balanced],
    },
    { damage: "delete from journal_entry where account = 'sales'", full: [sums, balanced], period: [sums, balanced] },
    {
      damage: "update journal_entry set amount_milli = amount_milli * 2 where number = 1",
      full: [balances, chain, statement],
      period: [chain],
    },
    {
      damage: "delete from journal_entry where number = 1",
      full: [balances, balanced, chain, statement],
      period: [balanced, chain],
    },
    {
      damage: "update ledger_account set balance_milli = balance_milli + 1",
      full: [balances, statement],
      period: [balances],
    },
    { damage: "update ledger_account set journal_count = journal_count + 1", full: [balances], period: [balances] },
    {
      damage: "update journal set balance_after_milli = balance_after_milli + 1 where number = 2",
      full: [chain],
      period: [chain],
    },
    { damage: "update ledger_account set held_milli = held_milli - 1", full: [held, statement], period: [held] },
    { damage: "update hold set released_milli = released_milli + 1", full: [held, statement], period: [held] },
    { damage: "update hold set amount_milli = amount_milli + 1", full: [held, statement], period: [held] },
    {
      damage: "update ledger_account set held_milli = balance_milli + 1",
      full: [held, negative, statement],
      period: [held, negative],
    },
    {
      damage: "update hold set captured_milli = captured_milli - 1, released_milli = released_milli + 1",
      full: [settlements, statement],
      period: [settlements],
    },
    {
      damage: "update hold set refunded_milli = refunded_milli - 1",
      full: [settlements, statement],
      period: [settlements],
    },
    {
      damage: "update journal set hold_total_milli = hold_total_milli + 1 where kind = 'charge'",
      full: [],
      period: [settlements],
    },
  ])("$damage", async ({ damage, full, period }, { db }) => {
    const { userId } = await buildUserWithUnits(db);
    const hold = await buildHold(db, { userId, amountMilli: 10_000 });
    await withTransaction(db, (tx) => moveHolds(tx, [{ ...hold, chargeMilli: 4_000, releaseMilli: 1_000 }]));
    await withTransaction(db, (tx) => refundUnits(tx, [{ ...hold, reference: "recipient", amountMilli: 3_000 }]));
    const rollBack = new Error("roll back");
    const attempt = withTransaction(db, async (tx) => {
      for (const change of guardsAway) await tx.query(change);
      await tx.query(damage);
      expect(new Set(await brokenRules(tx))).toEqual(new Set(full));
      expect(new Set(await brokenRules(tx, LONG_AGO))).toEqual(new Set(period));
      throw rollBack;
    });
    await expect(attempt).rejects.toBe(rollBack);
  });

  test("one payment credited to two customers", async ({ db }) => {
    const [one, other] = [await buildUserWithUnits(db), await buildUserWithUnits(db)];
    const rollBack = new Error("roll back");
    const attempt = withTransaction(db, async (tx) => {
      for (const { userId } of [one, other])
        await topUpUnits(tx, { userId, amountMilli: 1_000, source: "card", reference: "paid" });
      expect(await brokenRules(tx)).toEqual([once]);
      throw rollBack;
    });
    await expect(attempt).rejects.toBe(rollBack);
  });

  test("a journal that is missing from the middle", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db);
    for (const reference of ["a", "b"]) {
      await withTransaction(db, (tx) => topUpUnits(tx, { userId, amountMilli: 1_000, source: "card", reference }));
    }
    const rollBack = new Error("roll back");
    const attempt = withTransaction(db, async (tx) => {
      for (const change of guardsAway) await tx.query(change);
      await tx.query("delete from journal_entry where number = 2");
      await tx.query("delete from journal where number = 2");
      expect(await brokenRules(tx)).toEqual([balances, statement, chain].toSorted());
      expect(await brokenRules(tx, LONG_AGO)).toEqual([chain]);
      throw rollBack;
    });
    await expect(attempt).rejects.toBe(rollBack);
  });
});

test("docs/ledger.md lists the rules of the view, and the period checks nothing else", async ({ db }) => {
  await db.query(
    "create or replace view delivery_ledger_invariants (name, violations) as select null::text, 0::bigint where false",
  );
  const page = await readFile(new URL("../../../../docs/ledger.md", import.meta.url), "utf8");
  const [, table = ""] = /\| name \| what would break it \|\n\|---\|---\|\n([^]*?)\n\n/.exec(page) ?? [];
  const documented = [...table.matchAll(/^\| (.*?) \|/gm)].map(([, name]) => name);
  const full = (await readLedgerInvariants(db)).map(({ name }) => name);
  expect(new Set(documented)).toEqual(new Set([...full, "rules of `delivery_ledger_invariants`"]));
  const period = (await readLedgerInvariants(db, { since: LONG_AGO })).map(({ name }) => name);
  expect(period.filter((name) => !full.includes(name))).toEqual([]);
});

test("rules of other tables join the view through delivery_ledger_invariants", async ({ db }) => {
  const rollBack = new Error("roll back");
  const attempt = withTransaction(db, async (tx) => {
    await tx.query(
      "create or replace view delivery_ledger_invariants (name, violations) as select 'prices'::text, 7::bigint",
    );
    expect(await brokenRules(tx)).toEqual(["prices"]);
    throw rollBack;
  });
  await expect(attempt).rejects.toBe(rollBack);
});

test("a period leaves earlier journals alone, and starts from their balance", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db);
  const hold = await buildHold(db, { userId });
  await withTransaction(db, (tx) => chargeHolds(tx, [{ ...hold, amountMilli: 1_000 }]));
  const { rows } = await db.query<{ now: Date }>("select clock_timestamp() + interval '1 ms' as now");
  await db.query("select pg_sleep(0.005)");
  await withTransaction(db, (tx) => chargeHolds(tx, [{ ...hold, amountMilli: 1_000 }]));
  expect(await brokenRules(db, rows[0]?.now)).toEqual([]);
  expect(await brokenRules(db, new Date(Date.now() + 60_000))).toEqual([]);
});

// Goal: zeros at any moment, not only at rest. Method: four clients move units of three customers for a second, some of their
// transactions failing half-way, while both checks are asked again and again.
test("all zeros while units move", async ({ db }) => {
  const users = await Promise.all(Array.from({ length: 3 }, () => buildUserWithUnits(db, { balanceMilli: 50_000 })));
  const endsAtMs = Date.now() + 1_000;
  let movedCount = 0;
  let checkCount = 0;
  const isOver = (): boolean => Date.now() >= endsAtMs && movedCount > 20 && checkCount > 3;
  const moveForAWhile = async (): Promise<void> => {
    while (!isOver()) {
      const user = users[Math.floor(Math.random() * users.length)];
      if (user !== undefined) await withTransaction(db, (tx) => moveAtRandom(tx, user.userId)).catch(expectRefusal);
      movedCount += 1;
    }
  };
  const checkForAWhile = async (): Promise<void> => {
    while (!isOver()) {
      expect(await brokenRules(db)).toEqual([]);
      expect(await brokenRules(db, LONG_AGO)).toEqual([]);
      checkCount += 1;
    }
  };
  await Promise.all([moveForAWhile(), moveForAWhile(), moveForAWhile(), moveForAWhile(), checkForAWhile()]);
  expect(movedCount).toBeGreaterThan(20);
  expect(checkCount).toBeGreaterThan(3);
});

const HALF_WAY = "killed half-way";

async function moveAtRandom(tx: Tx, userId: string): Promise<void> {
  const hold = { userId, holdId: uuidv7(), amountMilli: 3_000 };
  await holdUnits(tx, hold);
  await moveHolds(tx, [{ ...hold, chargeMilli: 2_000, releaseMilli: Math.random() < 0.5 ? 1_000 : 0 }]);
  if (Math.random() < 0.2) throw new Error(HALF_WAY);
  await refundUnits(tx, [{ ...hold, reference: hold.holdId, amountMilli: 500 }]);
  await topUpUnits(tx, { userId, amountMilli: 1_000, source: "manual", reference: uuidv7() });
}

function expectRefusal(error: unknown): void {
  const isExpected =
    error instanceof Error && (error.message === HALF_WAY || ("code" in error && error.code === "UNITS_REQUIRED"));
  if (!isExpected) throw error;
}
