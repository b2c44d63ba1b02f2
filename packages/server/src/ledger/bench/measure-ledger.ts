/**
 * Measures the ledger on a scratch database, which it makes and drops: docs/ledger.md quotes what it prints.
 *
 *   DATABASE_URL=postgres://... node packages/server/src/ledger/bench/measure-ledger.ts
 */
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
const PHASE_MS = 5_000;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs `work` on so many connections for `PHASE_MS`. @returns calls a second, and the median and 99th percentile in ms. */
async function repeat(clientCount: number, work: (client: number) => Promise<unknown>): Promise<string> {
  const startedMs = performance.now();
  const callsMs: number[] = [];
  const loops = Array.from({ length: clientCount }, async (_, client) => {
    while (performance.now() - startedMs < PHASE_MS) {
      const beganMs = performance.now();
      await work(client);
      callsMs.push(performance.now() - beganMs);
    }
  });
  await Promise.all(loops);
  const perSecond = callsMs.length / ((performance.now() - startedMs) / 1_000);
  const sorted = callsMs.toSorted((one, other) => one - other);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
  return `${perSecond.toFixed(0)} calls/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
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
  print(`flush of 1 hold, 1 connection: ${await repeat(1, () => flush(db, [one]))}`);
  print(`flush of 1 hold, the same customer on 4 connections: ${await repeat(4, () => flush(db, [one]))}`);
  print(`flush of 4 holds of 4 customers, 1 connection: ${await repeat(1, () => flush(db, holds.slice(0, 4)))}`);
  print(
    `flush of 4 holds of 4 customers, 4 connections with customers of their own: ${await repeat(4, (client) => flush(db, holds.slice(client * 4, client * 4 + 4)))}`,
  );
}

async function measureHolds(db: Db): Promise<void> {
  const userId = await buildRich(db);
  const hold = (): Promise<unknown> => withTransaction(db, (tx) => holdUnits(tx, { userId, holdId: uuidv7(), amountMilli: 3_000 }));
  print(`hold, one customer on 1 connection: ${await repeat(1, hold)}`);
  print(`hold, one customer on 8 connections: ${await repeat(8, hold)}`);
}

async function measureInvariants(db: Db, entryCount: number): Promise<void> {
  const userIds = await Promise.all(Array.from({ length: 200 }, () => buildRich(db)));
  const holds = await Promise.all(userIds.map((userId) => buildBigHold(db, userId)));
  const { rows } = await db.query<{ count: number }>("select count(*) as count from journal_entry");
  for (let count = rows[0]?.count ?? 0; count < entryCount; count += 2 * holds.length) await flush(db, holds);
  await db.query("vacuum analyze");
  const since = new Date();
  for (let round = 0; round < 10; round += 1) await flush(db, holds);
  const full = await repeat(1, () => readLedgerInvariants(db));
  print(`ledger_invariants at ${entryCount} entries, ${holds.length} customers: ${full}`);
  print(`ledger_invariants_since the last ${20 * holds.length} entries: ${await repeat(1, () => readLedgerInvariants(db, { since }))}`);
}

async function measureStatement(db: Db, movementCount: number): Promise<void> {
  const userId = await buildRich(db);
  const holdMany = async (): Promise<void> => {
    for (let count = 0; count < movementCount; count += 1_000) {
      await withTransaction(db, async (tx) => {
        for (let index = 0; index < 1_000; index += 1) await holdUnits(tx, { userId, holdId: uuidv7(), amountMilli: 3_000 });
      });
    }
  };
  await holdMany();
  await db.query("vacuum analyze");
  const [last] = (await listMovements(db, userId, { limit: movementCount })).slice(-60);
  if (last === undefined) throw new Error("unreachable");
  print(`statement page of 50, newest of ${movementCount}: ${await repeat(1, () => listMovements(db, userId, { limit: 50 }))}`);
  print(`statement page of 50, oldest of ${movementCount}: ${await repeat(1, () => listMovements(db, userId, { limit: 50, after: last }))}`);
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
