import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { Db } from "../db/pool.ts";
import { isCheckViolation, isUniqueViolation, sqlStateOf } from "../db/sql-state.ts";
import { withTransaction } from "../db/transaction.ts";
import { expect, test } from "../testing/database.ts";
import { buildHold, buildUserWithUnits, topUpUser } from "../testing/ledger-factories.ts";
import { chargeHolds, refundUnits } from "./index.ts";

// Goal: the database itself keeps the books, whoever writes. Method: the owner of the tables tries by hand.

const RESTRICT_VIOLATION = "23001";

async function buildBooks(db: Db): Promise<{ userId: string; holdId: string }> {
  const { userId } = await buildUserWithUnits(db);
  const hold = await buildHold(db, { userId, amountMilli: 10_000 });
  await withTransaction(db, (tx) => chargeHolds(tx, [{ ...hold, amountMilli: 6_000 }]));
  await withTransaction(db, (tx) => refundUnits(tx, [{ ...hold, reference: `${hold.holdId}:0`, amountMilli: 1_000 }]));
  return hold;
}

async function errorOf(db: Db, sql: string, values: unknown[] = []): Promise<unknown> {
  return await db.query(sql, values).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("refused by trigger, for the owner of the tables too", () => {
  test.for([
    "update journal set note = 'nicer'",
    "update journal set created_at = now() where number < 0",
    "delete from journal",
    "truncate journal cascade",
    "update journal_entry set amount_milli = amount_milli + 1",
    "delete from journal_entry where account = 'sales'",
    "truncate journal_entry",
    "truncate app_user cascade",
    "delete from hold where is_open",
    "truncate hold cascade",
    "update hold set amount_milli = 1000000000000",
    "update hold set hold_id = user_id",
    "update hold set created_at = now()",
    "update hold set freeze_reference = 'paid'",
    "update hold set captured_milli = captured_milli - 1",
    "update hold set released_milli = -1",
    "update hold set refunded_milli = 0, refund_id = null, refunded_at = null",
    "delete from ledger_account",
  ])("%s", async (sql, { db }) => {
    await buildBooks(db);
    expect(sqlStateOf(await errorOf(db, sql))).toBe(RESTRICT_VIOLATION);
  });

  // A session in replica mode skips ordinary triggers, and anybody could use that to evade them.
  test("every one of these triggers fires always", async ({ db }) => {
    const { rows } = await db.query<{ trigger: string; fires: string }>(
      `select tgname as trigger, tgenabled as fires from pg_trigger
       where not tgisinternal and tgrelid = any ('{ledger_account, hold, journal, journal_entry}'::regclass[])`,
    );
    expect(rows).toHaveLength(7);
    expect(rows.filter(({ fires }) => fires !== "A")).toEqual([]);
  });
});

describe("refused by constraint", () => {
  test.for([
    ["update ledger_account set held_milli = balance_milli + 1", "ledger_account_never_negative"],
    ["update ledger_account set balance_milli = held_milli - 1", "ledger_account_never_negative"],
    ["update ledger_account set held_milli = -1", "ledger_account_never_negative"],
    ["update hold set captured_milli = amount_milli + 1", "hold_never_overdrawn"],
    ["update hold set released_milli = amount_milli", "hold_never_overdrawn"],
    ["update hold set refunded_milli = captured_milli + 1", "hold_refunds_only_what_it_captured"],
  ] as const)("%s", async ([sql, constraint], { db }) => {
    await buildBooks(db);
    expect(isCheckViolation(await errorOf(db, sql), constraint)).toBe(true);
  });

  test("a second journal of one kind and reference", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db);
    await topUpUser(db, userId, 1_000, { source: "card", reference: "paid" });
    const insert = `insert into journal (user_id, number, journal_id, kind, reference, balance_after_milli, created_at)
      values ($1, 9, $2, 'card_payment', 'paid', 0, now())`;
    expect(isUniqueViolation(await errorOf(db, insert, [userId, uuidv7()]), "journal_happens_once")).toBe(true);
  });

  test("a charge without its hold, and a top-up with one", async ({ db }) => {
    const { userId, holdId } = await buildBooks(db);
    const insert = `insert into journal (user_id, number, journal_id, kind, reference, hold_id, balance_after_milli, created_at)
      values ($1, 9, $2, $3, 'x', $4, 0, now())`;
    for (const [kind, hold] of [
      ["charge", null],
      ["card_payment", holdId],
    ]) {
      const error = await errorOf(db, insert, [userId, uuidv7(), kind, hold]);
      expect(isCheckViolation(error, "journal_of_a_send_names_its_hold")).toBe(true);
    }
  });
});

describe("entries that do not balance are refused when they are written", () => {
  const journal = `insert into journal (user_id, number, journal_id, kind, reference, balance_after_milli, created_at)
    values ($1, 9, gen_random_uuid(), 'manual_credit', 'by hand', 0, now())`;

  test.for([
    ["one entry alone", "values ($1, 9, 'customer', 5)"],
    ["two that do not sum to zero", "values ($1, 9, 'customer', 5), ($1, 9, 'sales', -4)"],
    ["two journals that only balance together", "values ($1, 9, 'customer', 5), ($1, 1, 'sales', -5)"],
  ] as const)("%s", async ([, values], { db }) => {
    const { userId } = await buildUserWithUnits(db);
    const write = withTransaction(db, async (tx) => {
      await tx.query(journal, [userId]);
      await tx.query(`insert into journal_entry (user_id, number, account, amount_milli) ${values}`, [userId]);
    });
    const error = await write.catch((thrown: unknown) => thrown);
    expect(isCheckViolation(error)).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining("does not balance") as string });
  });

  test("an entry of nothing", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db);
    const insert =
      "insert into journal_entry (user_id, number, account, amount_milli) values ($1, 1, 'sales', 0), ($1, 1, 'refunds', 0)";
    expect(isCheckViolation(await errorOf(db, insert, [userId]))).toBe(true);
  });
});

// A distributed PostgreSQL keeps a customer's rows on one node only when every key begins with the customer's id.
test("every key of the ledger's tables begins with user_id", async ({ db }) => {
  const { rows } = await db.query<{ table: string; key: string; first: string }>(
    `select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as key, a.attname as first
     from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
     where i.indisunique and i.indrelid = any ('{ledger_account, hold, journal, journal_entry}'::regclass[])
     union all
     select c.conrelid::regclass::text, c.conname, a.attname
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.conrelid = any ('{ledger_account, hold, journal, journal_entry}'::regclass[])`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(11);
  expect(rows.filter(({ first }) => first !== "user_id")).toEqual([]);
});
