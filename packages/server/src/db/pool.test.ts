import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { describe } from "vitest";
import { expect, test } from "../testing/database.ts";
import { createPool } from "./pool.ts";
import { SQL_STATE, isConnectionLost, sqlStateOf } from "./sql-state.ts";
import { withTransaction } from "./transaction.ts";

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** A message of PostgreSQL's protocol: a letter, the length with itself, the content. */
function message(letter: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(letter), length, content]);
}

/** Lets everybody in and ends their session in the same packet, as a server does that is told to stop in that moment. */
async function startServerThatEndsSessions(): Promise<{ port: number; close: () => Promise<void> }> {
  const authenticated = message("R", Buffer.alloc(4));
  const ready = message("Z", Buffer.from("I"));
  const fatal = message(
    "E",
    Buffer.from(`SFATAL\0C${SQL_STATE.adminShutdown}\0Mterminating connection due to administrator command\0\0`),
  );
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([authenticated, ready, fatal])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

describe("values", () => {
  test("a bigint beyond 2^53 is refused, alone and in an array", async ({ db }) => {
    await expect(db.query("select 9007199254740992::bigint as value")).rejects.toThrow(RangeError);
    await expect(db.query("select -9007199254740992::bigint as value")).rejects.toThrow(RangeError);
    await expect(db.query("select array[9007199254740992]::bigint[] as value")).rejects.toThrow(RangeError);
  });

  test("a connection survives a value that was refused", async ({ db }) => {
    await expect(db.query("select 9007199254740992::bigint as value")).rejects.toThrow(RangeError);
    expect((await db.query("select 1 as value")).rows).toEqual([{ value: 1 }]);
  });

  test("bigint is a number, numeric text, date text and timestamptz a Date", async ({ db }) => {
    const { rows } = await db.query(`
      select 9007199254740991::bigint as big, array[1, null, -2]::bigint[] as bigs, count(*) as counted,
             12.50::numeric as exact, '2026-02-28'::date as day, array['2026-02-28']::date[] as days,
             '2026-02-28 23:30:00+01'::timestamptz as at`);
    expect(rows).toEqual([
      {
        big: Number.MAX_SAFE_INTEGER,
        bigs: [1, null, -2],
        counted: 1,
        exact: "12.50",
        day: "2026-02-28",
        days: ["2026-02-28"],
        at: new Date("2026-02-28T22:30:00Z"),
      },
    ]);
  });
});

describe("limits", () => {
  test("a statement over its time limit is cancelled by the server", async ({ databaseUrl }) => {
    const pool = createPool({ url: databaseUrl, statementTimeoutMs: 50 });
    expect(sqlStateOf(await rejection(pool.query("select pg_sleep(5)")))).toBe(SQL_STATE.queryCanceled);
    await pool.end();
  });

  test("a statement that waits too long for a lock says so", async ({ db, databaseUrl }) => {
    await db.query("create table resource (id integer)");
    const holder = await db.connect();
    await holder.query("begin; lock table resource");
    const pool = createPool({ url: databaseUrl, lockTimeoutMs: 50 });
    expect(sqlStateOf(await rejection(pool.query("select from resource")))).toBe(SQL_STATE.lockNotAvailable);
    await pool.end();
    await holder.query("rollback");
    holder.release();
  });

  test("waiting for a free connection ends with an error, not never", async ({ databaseUrl }) => {
    const pool = createPool({ url: databaseUrl, connectionsMax: 1, connectTimeoutMs: 1_000 });
    const client = await pool.connect();
    await expect(pool.query("select 1")).rejects.toThrow("timeout exceeded when trying to connect");
    client.release();
    await pool.end();
  });
});

describe("lost connections", () => {
  test("an idle connection that breaks is reported and replaced", async ({ db, databaseUrl }) => {
    const lost: Error[] = [];
    const pool = createPool({
      url: databaseUrl,
      applicationName: "victim",
      onConnectionLost: (error) => lost.push(error),
    });
    await pool.query("select 1");
    await db.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'victim'");
    await expect.poll(() => lost.length).toBe(1);
    expect((await pool.query("select 2 as value")).rows).toEqual([{ value: 2 }]);
    await pool.end();
  });

  test("a session that is ended in the moment it begins is a lost connection, and not the end of the process", async () => {
    const server = await startServerThatEndsSessions();
    const pool = createPool({ url: `postgres://nobody@127.0.0.1:${server.port}/none` });
    expect(isConnectionLost(await rejection(withTransaction(pool, async (tx) => await tx.query("select 1"))))).toBe(
      true,
    );
    expect(isConnectionLost(await rejection(pool.query("select 1")))).toBe(true);
    await pool.end();
    await server.close();
  });

  test("a server that is not there is a lost connection", async () => {
    const pool = createPool({ url: "postgres://nobody@127.0.0.1:1/none" });
    expect(isConnectionLost(await rejection(pool.query("select 1")))).toBe(true);
    await pool.end();
  });

  test("a session that is terminated under a statement is a lost connection", async ({ databaseUrl }) => {
    const pool = createPool({ url: databaseUrl });
    expect(isConnectionLost(await rejection(pool.query("select pg_terminate_backend(pg_backend_pid())")))).toBe(true);
    await pool.end();
  });
});
