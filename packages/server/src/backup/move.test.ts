// Goal: a move loses nothing, sends nothing twice, and at no moment leaves two databases that may be worked with.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { describe, vi } from "vitest";
import { readMovedMark, refuseMoved, writeMovedMark } from "../base/moved-mark.ts";
import { createPool, type Db } from "../db/pool.ts";
import { FakeCarrier } from "../features/delivery/testing/fake-carrier.ts";
import {
  expect,
  readCounts,
  test as workerTest,
  until,
  untilCounts,
} from "../features/delivery/testing/worker-test.ts";
import { installJobs } from "../jobs/install-jobs.ts";
import { openJobs } from "../jobs/open-jobs.ts";
import { readLedgerInvariants } from "../ledger/index.ts";
import { jobQueues } from "../main/job-queues.ts";
import { buildMessage } from "../testing/delivery-factories.ts";
import { selectTables } from "./backup-store.ts";
import { assertSame, assertTargetFits, cancelMove, move, type Move } from "./move.ts";
import { digestTable, readMoveNote, refuseHalfMoved, selectWaitingJobs, writeMoveNote } from "./move-store.ts";

const log = pino({ level: "silent" });

const test = workerTest.extend<{ moving: Move }>({
  moving: async ({ db, emptyDatabaseUrl }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "ewebal-move-"));
    const target = createPool({ url: emptyDatabaseUrl, connectTimeoutMs: 60_000 });
    await installJobs(db, jobQueues);
    await use({ source: db, target, to: "postgres://ewebal@db1/ewebal", dataDir, log, onProgress: () => undefined });
    await target.end();
    await rm(dataDir, { recursive: true });
  },
});

/** The test's own idle connections are programs that still use the database. */
async function endOtherSessions({ source, target }: Pick<Move, "source" | "target">): Promise<void> {
  // A connection that the call before has ended may still look alive to its pool.
  const ask = async (): Promise<{ rows: { name: string }[] }> =>
    await source.query("select current_database() as name");
  const { rows } = await ask().catch(ask);
  await target.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name <> 'ewebal move'",
    [rows[0]?.name],
  );
}

async function run(moving: Move): Promise<string> {
  await endOtherSessions(moving);
  return await move(moving).then(
    ({ rowCount, wasDone }) => (wasDone ? "done before" : `${rowCount > 0 ? "some" : "no"} rows`),
    (error: unknown) => (error as Error).message,
  );
}

async function digestAll(db: Db): Promise<unknown[]> {
  const digests: unknown[] = [];
  for (const table of await selectTables(db))
    // The mark of the server that a worker sends from is the one thing that a move changes.
    if (table.name !== "send_epoch") digests.push({ table: table.name, ...(await digestTable(db, table)) });
  return digests;
}

describe("a move is refused, and the old database may go on", () => {
  test("into a target that holds a table, or that does not fit", async ({ moving }) => {
    await moving.target.query("create table of_somebody (id integer)");
    expect(await run(moving)).toBe("the target is not empty; make a new database for it");
    expect(readMovedMark(moving.dataDir)).toBeUndefined();
    expect(await selectTables(moving.target)).toMatchObject([{ name: "of_somebody" }]);

    const good = {
      versionNumber: 150_000,
      version: "15.0",
      isStandby: false,
      isUtf8: true,
      hasTrigrams: true,
      isOwner: true,
      role: "ewebal",
    };
    const fits = async (facts: object): Promise<void> =>
      await assertTargetFits({ query: vi.fn().mockResolvedValue({ rows: [{ ...good, ...facts }] }) });
    await fits({});
    await expect(fits({ versionNumber: 140_013, version: "14.13" })).rejects.toThrow(
      "the target is PostgreSQL 14.13, and 15 is the oldest that will do",
    );
    await expect(fits({ isStandby: true })).rejects.toThrow(/standby/);
    await expect(fits({ isUtf8: false })).rejects.toThrow(/UTF8/);
    await expect(fits({ hasTrigrams: false })).rejects.toThrow(/pg_trgm/);
    await expect(fits({ isOwner: false })).rejects.toThrow(/ewebal does not own/);
  });

  test("when it fails on the way: the target is empty again, the old database takes writes", async ({ db, moving }) => {
    await buildMessage(db, { recipientCount: 20 });
    const broken = {
      ...moving,
      onProgress: (line: unknown) => {
        if (line === "Checking") throw new Error("the disk is full");
      },
    };
    expect(await run(broken)).toBe("the disk is full");
    expect(readMovedMark(moving.dataDir)).toBeUndefined();
    expect(await selectTables(moving.target)).toEqual([]);
    await endOtherSessions(moving);
    await until(
      "the old database takes writes",
      async () =>
        await db.query("create table t (id integer)").then(
          () => true,
          () => false,
        ),
    );
  });

  test("when the same row is not the same on both sides", () => {
    assertSame("message", { rowCount: 1, digest: "7" }, { rowCount: 1, digest: "7" });
    for (const other of [
      { rowCount: 2, digest: "7" },
      { rowCount: 1, digest: "8" },
    ])
      expect(() => assertSame("message", { rowCount: 1, digest: "7" }, other)).toThrow("message is not the same");
  });
});

test("while messages are sent: the worker stops, everything is the same there, nobody gets a message twice", async ({
  db,
  moving,
  startSession,
}) => {
  const carrier = new FakeCarrier({ messagesPerSecond: 1_000, windowSize: 20 });
  const session = await startSession([carrier], { dataDir: moving.dataDir });
  const message = await buildMessage(db, { recipientCount: 1_500 });
  const { jobs, stop } = await openJobs(db, log);
  await jobs.enqueue(db, "send-mail", { mailId: "one" }, { startAfterMs: 3_600_000 });
  await stop();
  await until("it is under way", () => carrier.taken.length >= 150);

  const moved = move(moving);
  // What the first process does.
  await until("the mark is there", () => existsSync(join(moving.dataDir, "moved.json")));
  await session.stop();
  expect(() => refuseMoved(moving.dataDir)).toThrow(/is being moved to postgres:\/\/ewebal@db1\/ewebal: wait/);
  const before = await digestAll(db);
  await endOtherSessions(moving);
  expect(await moved).toMatchObject({ jobCount: 1, wasDone: false });

  expect(await digestAll(moving.target)).toEqual(before);
  expect(await selectWaitingJobs(moving.target, ["send-mail"])).toMatchObject([{ data: { mailId: "one" } }]);
  expect(await readMoveNote(moving.target)).toBeUndefined();
  expect(() => refuseMoved(moving.dataDir)).toThrow(
    /was moved to postgres:\/\/ewebal@db1\/ewebal on .*: set DATABASE_URL/,
  );
  await endOtherSessions(moving);
  await until(
    "the old database takes no writes",
    async () =>
      await db.query("create table t (id integer)").then(
        () => false,
        (error: unknown) => /read-only/.test(String(error)),
      ),
  );

  const taken = carrier.taken.length;
  expect(taken).toBeLessThan(1_500);
  const next = new FakeCarrier();
  const nextSession = await startSession([next], { db: moving.target, dataDir: moving.dataDir });
  await untilCounts(moving.target, message, { sent: 1_500 });
  expect(taken + next.taken.length).toBe(1_500);
  expect((await readLedgerInvariants(moving.target)).filter(({ violations }) => violations > 0)).toEqual([]);
  await nextSession.stop();
  expect(await run(moving)).toBe("done before");
  await expect(cancelMove(db, moving.dataDir)).rejects.toThrow(/is done/);
});

test("one that was killed goes on: half a target is emptied, a whole one is kept, and another target is refused", async ({
  db,
  moving,
}) => {
  const message = await buildMessage(db, { recipientCount: 20 });
  const moveId = "01980000-0000-7000-8000-000000000001";
  const killed = { moveId, to: moving.to, isDone: false, at: new Date().toISOString() };
  writeMovedMark(moving.dataDir, killed);
  await writeMoveNote(moving.target, { moveId, isWhole: false });
  await moving.target.query("create table half (id integer)");
  await expect(refuseHalfMoved(moving.target)).rejects.toThrow(/was interrupted: run "npm run move" again/);
  expect(await run({ ...moving, to: "postgres://ewebal@db2/ewebal" })).toMatch(
    /^a move to postgres:\/\/ewebal@db1\/ewebal has begun/,
  );

  expect(await run(moving)).toBe("some rows");
  await refuseHalfMoved(moving.target);
  expect((await selectTables(moving.target)).map(({ name }) => name)).not.toContain("half");

  // As a kill between the commit and the last mark leaves it; meanwhile somebody may have worked there.
  writeMovedMark(moving.dataDir, killed);
  await writeMoveNote(moving.target, { moveId, isWhole: true });
  await moving.target.query("create table worked_since (id integer)");
  expect(await run(moving)).toBe("done before");
  expect((await selectTables(moving.target)).map(({ name }) => name)).toContain("worked_since");
  expect(readMovedMark(moving.dataDir)).toMatchObject({ moveId, isDone: true });
  expect(await readCounts(moving.target, message)).toMatchObject({ waiting: 20 });
});

test("one that was killed may be given up", async ({ db, moving }) => {
  expect(await cancelMove(db, moving.dataDir)).toBeUndefined();
  writeMovedMark(moving.dataDir, {
    moveId: "01980000-0000-7000-8000-000000000002",
    to: moving.to,
    isDone: false,
    at: new Date().toISOString(),
  });
  await endOtherSessions(moving);
  expect(await cancelMove(db, moving.dataDir)).toBe(moving.to);
  refuseMoved(moving.dataDir);
});
