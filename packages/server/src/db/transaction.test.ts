import { setTimeout as sleep } from "node:timers/promises";
import { describe } from "vitest";
import { expect, overlap, test } from "../testing/database.ts";
import type { Db } from "./pool.ts";
import { createPool } from "./pool.ts";
import type { Tx } from "./transaction.ts";
import { CommitUnknownError, TRANSACTION_ATTEMPTS_MAX, withTransaction } from "./transaction.ts";
import { SQL_STATE, isConnectionLost, sqlStateOf } from "./sql-state.ts";

async function createCounters(db: Db): Promise<void> {
  await db.query("create table counter (id integer primary key, value integer not null)");
  await db.query("insert into counter values (1, 0), (2, 0)");
}

async function readValues(db: Db): Promise<unknown[]> {
  const { rows } = await db.query<{ value: number }>("select value from counter order by id");
  return rows.map((row) => row.value);
}

const increment = async (tx: Tx, id: number): Promise<void> => {
  await tx.query("update counter set value = value + 1 where id = $1", [id]);
};

const conflict = (code: string): Error => Object.assign(new Error("conflict"), { code });

const killOwnSession = (tx: Tx): Promise<unknown> => tx.query("select pg_terminate_backend(pg_backend_pid())");

test("work that throws is rolled back, and its error arrives unchanged", async ({ db }) => {
  await createCounters(db);
  const refusal = new Error("refused");
  const run = withTransaction(db, async (tx) => {
    await increment(tx, 1);
    throw refusal;
  });
  await expect(run).rejects.toBe(refusal);
  expect(await readValues(db)).toEqual([0, 0]);
  expect(db.idleCount).toBe(db.totalCount);
});

test("a statement error that the work swallows does not pass for a commit", async ({ db }) => {
  await createCounters(db);
  const run = withTransaction(db, async (tx) => {
    await increment(tx, 1);
    await tx.query("select 1 / 0").catch(() => "swallowed");
  });
  await expect(run).rejects.toThrow("rolled back");
  expect(await readValues(db)).toEqual([0, 0]);
});

test("a statement after the end of its transaction is refused", async ({ db }) => {
  await createCounters(db);
  const late = await withTransaction(db, async (tx) => () => increment(tx, 1));
  await expect(late()).rejects.toThrow("has ended");
  expect(await readValues(db)).toEqual([0, 0]);
});

test("a constraint that is checked at COMMIT fails the transaction", async ({ db }) => {
  await db.query(
    "create table pair (id integer primary key, other integer references pair deferrable initially deferred)",
  );
  const run = withTransaction(db, (tx) => tx.query("insert into pair values (1, 2)"));
  expect(sqlStateOf(await run.catch((error: unknown) => error))).toBe(SQL_STATE.foreignKeyViolation);
});

test("work that resolves is stored, and its value returned, at READ COMMITTED", async ({ db, databaseUrl }) => {
  await createCounters(db);
  const serializable = createPool({ url: `${databaseUrl}?options=-c%20default_transaction_isolation%3Dserializable` });
  const level = await withTransaction(serializable, async (tx) => {
    await increment(tx, 1);
    const { rows } = await tx.query<{ transaction_isolation: string }>("show transaction_isolation");
    return rows[0]?.transaction_isolation;
  });
  await serializable.end();
  expect(level).toBe("read committed");
  expect(await readValues(db)).toEqual([1, 0]);
});

describe("conflicts", () => {
  test("are not tried again unless the caller says that the work is repeatable", async ({ db }) => {
    let attemptCount = 0;
    const work = (): Promise<never> => {
      attemptCount += 1;
      return Promise.reject(conflict(SQL_STATE.deadlockDetected));
    };
    await expect(withTransaction(db, work)).rejects.toThrow("conflict");
    expect(attemptCount).toBe(1);
  });

  test("are tried again up to the limit when it is", async ({ db }) => {
    let attemptCount = 0;
    const work = (): Promise<never> => {
      attemptCount += 1;
      return Promise.reject(conflict(SQL_STATE.serializationFailure));
    };
    await expect(withTransaction(db, work, { repeatable: true })).rejects.toThrow("conflict");
    expect(attemptCount).toBe(TRANSACTION_ATTEMPTS_MAX);
  });

  test("other errors are never tried again", async ({ db }) => {
    let attemptCount = 0;
    const work = (): Promise<never> => {
      attemptCount += 1;
      return Promise.reject(conflict(SQL_STATE.uniqueViolation));
    };
    await expect(withTransaction(db, work, { repeatable: true })).rejects.toThrow("conflict");
    expect(attemptCount).toBe(1);
  });

  test("two repeatable transactions that deadlock both succeed in the end", async ({ db }) => {
    await createCounters(db);
    const bothHold = Promise.withResolvers<void>();
    let holderCount = 0;
    const lockBoth = (ids: [number, number]): Promise<void> =>
      withTransaction(
        db,
        async (tx) => {
          await increment(tx, ids[0]);
          holderCount += 1;
          if (holderCount === 2) bothHold.resolve();
          await bothHold.promise;
          // PostgreSQL looks for a deadlock once, after a second of waiting. The first has looked and waits on when the second
          // closes the circle: if both looked then, both might find it, and PostgreSQL would end both.
          if (ids[0] === 2 && holderCount === 2) await sleep(2_000);
          await increment(tx, ids[1]);
        },
        { repeatable: true },
      );
    await Promise.all([lockBoth([1, 2]), lockBoth([2, 1])]);
    expect(await readValues(db)).toEqual([2, 2]);
    // A cluster looks for deadlocks as well, and may end the other one in the same moment.
    expect([3, 4]).toContain(holderCount);
  });
});

describe("lost connections", () => {
  test("during the work: the error says so, nothing is stored, the pool goes on", async ({ db }) => {
    await createCounters(db);
    const run = withTransaction(db, async (tx) => {
      await increment(tx, 1);
      await killOwnSession(tx);
    });
    expect(isConnectionLost(await run.catch((error: unknown) => error))).toBe(true);
    expect(await readValues(db)).toEqual([0, 0]);
  });

  test("between two statements: the process lives and the transaction fails", async ({ db }) => {
    await createCounters(db);
    const run = withTransaction(db, async (tx) => {
      const { rows } = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
      await db.query("select pg_terminate_backend($1::integer, 5000)", [rows[0]?.pid]);
      await increment(tx, 1);
    });
    expect(isConnectionLost(await run.catch((error: unknown) => error))).toBe(true);
    expect(await readValues(db)).toEqual([0, 0]);
  });

  test("during COMMIT: the outcome is said to be unknown", async ({ db }) => {
    // A deferred trigger runs inside COMMIT, so the session dies there and nowhere else.
    await db.query(`
      create table fragile (id integer);
      create function die() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5); return null; end $$;
      create constraint trigger die after insert on fragile deferrable initially deferred
        for each row execute function die()`);
    const run = withTransaction(db, (tx) => tx.query("insert into fragile values (1)"), { repeatable: true });
    await expect(run).rejects.toThrow(CommitUnknownError);
    expect((await db.query("select from fragile")).rowCount).toBe(0);
  });
});

test("two transactions that change one row are serialized by its lock", async ({ db }) => {
  await createCounters(db);
  const results = await overlap(
    db,
    (tx) => increment(tx, 1),
    (tx) => increment(tx, 1),
  );
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await readValues(db)).toEqual([2, 0]);
});
