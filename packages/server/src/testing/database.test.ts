import { Client } from "pg";
import { describe, inject } from "vitest";
import type { Tx } from "../db/transaction.ts";
import { assertLedgerInvariants, expect, overlap, test } from "./database.ts";
import { buildUserWithUnits } from "./ledger-factories.ts";
import { databaseUrl as urlOf, prepareTestDatabases, testDatabaseName } from "./test-databases.ts";

describe("overlap", () => {
  test("the second transaction waits for the row of the first and then sees its change", async ({ db }) => {
    await db.query("create table counter (id integer primary key, value bigint not null)");
    await db.query("insert into counter values (1, 0)");
    const order: string[] = [];
    const add = (name: string) => async (tx: Tx) => {
      const { rows } = await tx.query<{ value: number }>(
        "update counter set value = value + 1 where id = 1 returning value",
      );
      order.push(name);
      return rows[0]?.value;
    };

    const [first, second] = await overlap(db, add("first"), add("second"));

    expect(order).toEqual(["first", "second"]);
    expect(first).toEqual({ status: "fulfilled", value: 1 });
    expect(second).toEqual({ status: "fulfilled", value: 2 });
  });

  test("a second transaction that needs no lock of the first ends before the first commits", async ({ db }) => {
    const [first, second] = await overlap(
      db,
      async () => "one",
      async () => "two",
    );
    expect([first, second]).toEqual([
      { status: "fulfilled", value: "one" },
      { status: "fulfilled", value: "two" },
    ]);
  });

  test("a first transaction that fails is reported, and the second still runs", async ({ db }) => {
    const [first, second] = await overlap(
      db,
      () => Promise.reject(new Error("refused")),
      async () => "two",
    );
    expect(first).toMatchObject({ status: "rejected", reason: { message: "refused" } });
    expect(second).toMatchObject({ status: "fulfilled" });
  });
});

test("each test has an empty database of its own", async ({ db }) => {
  const { rows } = await db.query<{ exists: boolean }>("select to_regclass('counter') is not null as exists");
  expect(rows[0]?.exists).toBe(false);
});

test("a ledger that does not add up is named by rule and count", async ({ db }) => {
  await assertLedgerInvariants(db);
  await buildUserWithUnits(db);
  await assertLedgerInvariants(db);
  await db.query("update ledger_account set balance_milli = balance_milli + 1 where balance_milli > 0");
  await expect(assertLedgerInvariants(db)).rejects.toThrow("each balance is the sum of its entries: 1");
  await db.query("update ledger_account set balance_milli = balance_milli - 1 where balance_milli > 0");
});

test("databases of a killed run are dropped by the next one, those of a living run are kept", async ({
  databaseUrl,
}) => {
  const { url, template, runKey } = inject("testDatabaseServer");
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const orphan = testDatabaseName({ url, template, runKey: runKey === 1 ? 2 : runKey - 1 }, "orphan");
  await admin.query(`create database ${orphan}`);

  const { end } = await prepareTestDatabases(url);

  const { rows } = await admin.query<{ datname: string }>("select datname from pg_database");
  const names = rows.map((row) => row.datname);
  expect(names).not.toContain(orphan);
  expect(names.some((name) => urlOf(url, name) === databaseUrl)).toBe(true);
  await end();
  await admin.end();
});
