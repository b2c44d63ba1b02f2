/**
 * Measures the ledger on a scratch database, which it makes and drops: docs/ledger.md quotes what it prints.
 *
 *   DATABASE_URL=postgres://... node packages/server/src/ledger/bench/measure-ledger.ts
 */
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { Client } from "pg";
import { v7 as uuidv7 } from "uuid";
import { migrate } from "../../db/migrate.ts";
import type { Db } from "../../db/pool.ts";
import { createPool } from "../../db/pool.ts";
import { withTransaction } from "../../db/transaction.ts";
import { buildUser } from "../../testing/factories.ts";
import { topUpUser } from "../../testing/ledger-factories.ts";
import { databaseUrl } from "../../testing/test-databases.ts";
import type { HoldRequest } from "../index.ts";
import { holdUnits, listMovements, moveHolds, readLedgerInvariants } from "../index.ts";

const DATABASE = "ewebal_measure_ledger";
const AMPLE_MILLI = 4_000_000_000_000;
const ROUND_MS = 2_000;
/** The best round is reported: whatever else the machine does can only make a round slower. */
const ROUND_COUNT = 3;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

type Round = { perSecond: number; callsMs: number[]; serverMs: number };

/** Runs `work` on so many connections. @returns the best round: calls a second, their times, the server's processor time. */
async function repeat(db: Db, clientCount: number, work: (client: number) => Promise<unknown>): Promise<string> {
  const rounds: Round[] = [];
  for (let count = 0; count < ROUND_COUNT; count += 1) rounds.push(await runRound(db, clientCount, work));
  const [best] = rounds.toSorted((one, other) => other.perSecond - one.perSecond);
  if (best === undefined) throw new Error("unreachable");
  const sorted = best.callsMs.toSorted((one, other) => one - other);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
  const serverMs = Math.min(...rounds.map((round) => round.serverMs).filter(Number.isFinite)).toFixed(2);
  return `${best.perSecond.toFixed(1)} calls/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, server ${serverMs} ms of processor each`;
}

async function runRound(db: Db, clientCount: number, work: (client: number) => Promise<unknown>): Promise<Round> {
  await Promise.all(Array.from({ length: clientCount }, (_, client) => work(client)));
  const { rows } = await db.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
    [DATABASE],
  );
  const before = processorMs(rows.map(({ pid }) => pid));
  const startedMs = performance.now();
  const callsMs: number[] = [];
  const loops = Array.from({ length: clientCount }, async (_, client) => {
    while (performance.now() - startedMs < ROUND_MS) {
      const beganMs = performance.now();
      await work(client);
      callsMs.push(performance.now() - beganMs);
    }
  });
  await Promise.all(loops);
  const perSecond = callsMs.length / ((performance.now() - startedMs) / 1_000);
  return { perSecond, callsMs, serverMs: (processorMs(rows.map(({ pid }) => pid)) - before) / callsMs.length };
}

const CLOCK_TICK_MS = 10;

/**
 * Processor time of the server's sessions; not a number unless they run on this Linux machine. Unlike calls a second it says
 * the same on a machine that is busy with other things.
 */
function processorMs(pids: number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    try {
      const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
      const [userTicks, systemTicks] = fields.split(" ").slice(11, 13);
      ticks += Number(userTicks) + Number(systemTicks);
    } catch {
      return Number.NaN; // Elsewhere, or the session has ended.
    }
  }
  return ticks * CLOCK_TICK_MS;
}

async function buildRich(db: Db): Promise<string> {
  const { userId } = await buildUser(db);
  await topUpUser(db, userId, AMPLE_MILLI);
  return userId;
}

async function buildBigHold(db: Db, userId: string): Promise<HoldRequest> {
  const hold = { userId, holdId: uuidv7(), amountMilli: AMPLE_MILLI / 100 };
  await withTransaction(db, (tx) => holdUnits(tx, hold));
  return hold;
}

/** A flush charges 97 of 100 recipients at 3 units and releases 3. */
function flush(db: Db, holds: HoldRequest[]): Promise<void> {
  return withTransaction(db, (tx) =>
    moveHolds(
      tx,
      holds.map(({ userId, holdId }) => ({ userId, holdId, chargeMilli: 97 * 3_000, releaseMilli: 3 * 3_000 })),
    ),
  );
}

async function measureFlushes(db: Db): Promise<void> {
  const users = await Promise.all(Array.from({ length: 16 }, () => buildRich(db)));
  const holds = await Promise.all(users.map((userId) => buildBigHold(db, userId)));
  const [one] = holds;
  if (one === undefined) throw new Error("unreachable");
  print(`flush of 1 hold, 1 connection: ${await repeat(db, 1, () => flush(db, [one]))}`);
  print(`flush of 1 hold, the same customer on 4 connections: ${await repeat(db, 4, () => flush(db, [one]))}`);
  print(`flush of 4 holds of 4 customers, 1 connection: ${await repeat(db, 1, () => flush(db, holds.slice(0, 4)))}`);
  print(
    `flush of 4 holds of 4 customers, 4 connections with customers of their own: ${await repeat(db, 4, (client) => flush(db, holds.slice(client * 4, client * 4 + 4)))}`,
  );
}

async function measureHolds(db: Db): Promise<void> {
  const userId = await buildRich(db);
  const hold = (): Promise<unknown> =>
    withTransaction(db, (tx) => holdUnits(tx, { userId, holdId: uuidv7(), amountMilli: 3_000 }));
  print(`hold, one customer on 1 connection: ${await repeat(db, 1, hold)}`);
  print(`hold, one customer on 8 connections: ${await repeat(db, 8, hold)}`);
}

async function measureInvariants(db: Db, entryCount: number): Promise<void> {
  const userIds = await Promise.all(Array.from({ length: 200 }, () => buildRich(db)));
  const holds = await Promise.all(userIds.map((userId) => buildBigHold(db, userId)));
  const { rows } = await db.query<{ count: number }>("select count(*) as count from journal_entry");
  for (let count = rows[0]?.count ?? 0; count < entryCount; count += 2 * holds.length) await flush(db, holds);
  await db.query("vacuum analyze");
  const since = new Date();
  for (let round = 0; round < 10; round += 1) await flush(db, holds);
  const full = await repeat(db, 1, () => readLedgerInvariants(db));
  print(`ledger_invariants at ${entryCount} entries, ${holds.length} customers: ${full}`);
  print(
    `ledger_invariants_since the last ${20 * holds.length} entries: ${await repeat(db, 1, () => readLedgerInvariants(db, { since }))}`,
  );
}

async function measureStatement(db: Db, movementCount: number): Promise<void> {
  const userId = await buildRich(db);
  const holdMany = async (): Promise<void> => {
    for (let count = 0; count < movementCount; count += 1_000) {
      await withTransaction(db, async (tx) => {
        for (let index = 0; index < 1_000; index += 1)
          await holdUnits(tx, { userId, holdId: uuidv7(), amountMilli: 3_000 });
      });
    }
  };
  await holdMany();
  await db.query("vacuum analyze");
  const [last] = (await listMovements(db, userId, { limit: movementCount })).slice(-60);
  if (last === undefined) throw new Error("unreachable");
  print(
    `statement page of 50, newest of ${movementCount}: ${await repeat(db, 1, () => listMovements(db, userId, { limit: 50 }))}`,
  );
  print(
    `statement page of 50, oldest of ${movementCount}: ${await repeat(db, 1, () => listMovements(db, userId, { limit: 50, after: last }))}`,
  );
}

async function main(url: string): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`drop database if exists ${DATABASE} with (force)`);
  await admin.query(`create database ${DATABASE} template template0`);
  const db = createPool({ url: databaseUrl(url, DATABASE), connectionsMax: 16 });
  try {
    await migrate(db);
    await measureFlushes(db);
    await measureHolds(db);
    await measureInvariants(db, 1_000_000);
    await measureStatement(db, 100_000);
  } finally {
    await db.end();
    await admin.query(`drop database if exists ${DATABASE} with (force)`);
    await admin.end();
  }
}

const url = process.env["DATABASE_URL"];
if (url === undefined) throw new Error("DATABASE_URL names no server to measure on");
await main(url);
