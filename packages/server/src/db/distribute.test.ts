// Goal: the command makes a distributed database of an empty one and of one with rows, and a send goes through it. Method: a coordinator and
// two workers of the test's own, where this machine has a PostgreSQL with Citus. The suites on such a database: `npm run test:citus`.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { describe, beforeAll, afterAll } from "vitest";
import {
  CITUS_MISSING,
  createClusterDatabase,
  findCitus,
  startCitusCluster,
  urlOf,
  withClient,
  type CitusCluster,
} from "../testing/citus-cluster.ts";
import { buildMessage } from "../testing/delivery-factories.ts";
import { assertLedgerInvariants, expect, test } from "../testing/database.ts";
import { ensurePartitions } from "../features/delivery/index.ts";
import { readBalance, readLedgerInvariants } from "../ledger/index.ts";
import { SendMark } from "../features/delivery/send-mark/send-mark.ts";
import { FakeCarrier } from "../features/delivery/testing/fake-carrier.ts";
import { untilCounts } from "../features/delivery/testing/worker-test.ts";
import { insertWorker } from "../features/delivery/engine/worker-store.ts";
import { isFlushCommitted, markFlush, moveCounts } from "../features/delivery/outcomes/flush-store.ts";
import { WorkerSession } from "../features/delivery/engine/worker-session.ts";
import { installJobs } from "../jobs/install-jobs.ts";
import { jobQueues } from "../main/job-queues.ts";
import { readCounter } from "./counters.ts";
import { distribute } from "./distribute.ts";
import { isDistributed, noteDistribution } from "./distribution.ts";
import { notify } from "./listen.ts";
import { migrate } from "./migrate.ts";
import { createPool, type Db } from "./pool.ts";
import { CommitUnknownError, withTransaction, type Tx } from "./transaction.ts";

const workerId = "01890000-0000-7000-8000-000000000001";
const COMMAND = fileURLToPath(new URL("../main/distribute-command.ts", import.meta.url));

async function runCommand(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return await new Promise((done) => {
    execFile(process.execPath, [COMMAND, ...args], { env: { PATH: process.env["PATH"] } }, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

test("a database without Citus is refused, and stays as it is", async ({ db, databaseUrl }) => {
  expect(await runCommand(databaseUrl)).toEqual({
    code: 1,
    out: "",
    err: "Nothing was distributed: this PostgreSQL has no Citus in this database; let a superuser run `create extension citus` and add the workers with `citus_add_node`.\n",
  });
  await noteDistribution(db);
  expect(isDistributed(db)).toBe(false);
});

test("the command says how it is used", async () => {
  expect((await runCommand("--help")).out).toMatch(/^npm run distribute -- DATABASE_URL\n/);
  expect(await runCommand()).toMatchObject({
    code: 1,
    err: expect.stringContaining("name the address of one database"),
  });
});

const bin = await findCitus();
const skipReason = bin === undefined ? CITUS_MISSING : undefined;

describe.skipIf(skipReason !== undefined)(
  skipReason === undefined ? "on a cluster" : `on a cluster (${skipReason})`,
  () => {
    let cluster: CitusCluster;
    beforeAll(async () => {
      cluster = await startCitusCluster(bin ?? "");
    });
    afterAll(async () => await cluster.stop());

    async function withClusterDatabase(name: string, work: (db: Db, url: string) => Promise<void>): Promise<void> {
      const url = await createClusterDatabase(cluster, name);
      const db = createPool({ url, connectionsMax: 4 });
      try {
        await work(db, url);
      } finally {
        await db.end();
      }
    }

    const readDistributed = async (db: Db): Promise<Record<string, string>> => {
      const { rows } = await db.query<{ table: string; way: string }>(
        `select logicalrelid::text as table, partmethod::text || repmodel::text as way from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
       where not relispartition`,
      );
      return Object.fromEntries(rows.map(({ table, way }) => [table, way]));
    };

    test("an empty database becomes a distributed one; again nothing happens", { timeout: 240_000 }, async () => {
      await withClusterDatabase("empty_one", async (db, url) => {
        expect(await runCommand(url)).toMatchObject({
          code: 0,
          err: "",
          out: expect.stringMatching(/^\d+ tables are distributed now: /),
        });
        const { rows } = await db.query<{ table: string }>(
          `select relname as table from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
           and obj_description(oid, 'pg_class') like 'tenant%'`,
        );
        const distributed = await readDistributed(db);
        expect(rows.length).toBeGreaterThan(20);
        for (const { table } of rows) expect([table, distributed[table]]).toEqual([table, "hs"]);
        expect(distributed).toMatchObject({ app_user: "nt", dnd_number: "nt" });
        expect((await runCommand(url)).out).toBe("The database is distributed already; nothing was changed.\n");
      });
    });

    test("rows, keys and the ledger's rules of a living database move along", { timeout: 240_000 }, async () => {
      await withClusterDatabase("living_one", async (db) => {
        await migrate(db);
        await installJobs(db, jobQueues);
        await ensurePartitions(db, new Date());
        const before = await buildMessage(db, { recipientCount: 7 });
        const { rows: keysBefore } = await db.query<{ name: string }>(KEYS_AMONG_TENANTS);
        await distribute(db, { shardCount: 4 });
        await noteDistribution(db);
        expect(isDistributed(db)).toBe(true);
        expect((await db.query<{ name: string }>(KEYS_AMONG_TENANTS)).rows).toEqual(keysBefore);
        expect(await readBalance(db, before.userId)).toMatchObject({ heldMilli: before.heldMilli });
        await expect(db.query("delete from journal where user_id = $1", [before.userId])).rejects.toThrow(
          /append-only/,
        );
        const later = await buildMessage(db, { userId: before.userId, recipientCount: 3 });
        expect(await readCounter(db, "messages")).toBe(2);
        expect(await readLedgerInvariants(db, { since: new Date(0) })).toEqual(
          (await readLedgerInvariants(db, { since: new Date(0) })).map(({ name }) => ({ name, violations: 0 })),
        );
        await assertLedgerInvariants(db);

        const log = pino({ level: "silent" });
        const carrier = new FakeCarrier();
        const worker = new WorkerSession(db, log, {
          mark: new SendMark(db, log, undefined),
          readCarriers: async () => await Promise.resolve([carrier.definition]),
          isRefundingFailed: false,
          onChange: () => undefined,
        });
        await worker.start();
        await untilCounts(db, before, { sent: 7 });
        await untilCounts(db, later, { sent: 3 });
        await worker.end();
        expect(carrier.taken.length).toBe(10);
        expect(await readBalance(db, before.userId)).toMatchObject({ heldMilli: 0 });
        await assertLedgerInvariants(db);
      });
    });

    test("a flush is there whole or not at all when the coordinator dies between two commits", async () => {
      await withClusterDatabase("crashed_one", async (db, url) => {
        await migrate(db);
        await ensurePartitions(db, new Date());
        await distribute(db, { shardCount: 4 });
        await noteDistribution(db);
        const { userId, messageId } = await buildMessage(db, { recipientCount: 9 });
        await insertWorker(db, { workerId, lockKey: 1 });
        const flush = async (tx: Tx): Promise<void> => {
          await markFlush(tx, { workerId, flushNumber: 1 });
          await moveCounts(tx, [{ userId, messageId, moves: { waiting: -3, sent: 3 } }]);
          // Waits for the lock of those who notify, which is the last thing before the coordinator's own commit.
          await notify(tx, "probe", [""]);
        };
        const urls = cluster.adminUrls.map((admin) => urlOf(admin, new URL(url).pathname.slice(1)));
        const letGo = await lockNotify(urls[0] ?? "");
        const flushed = Promise.allSettled([withTransaction(db, flush)]);
        await untilOne(urls.slice(0, 1), "select from pg_locks where locktype = 'object' and not granted");
        await letGo(async () => await cluster.kill(0));
        expect(await flushed).toMatchObject([{ status: "rejected", reason: expect.any(CommitUnknownError) }]);
        // As a worker does whose COMMIT was not answered.
        expect(await readBalance(db, userId)).toBeDefined();
        await untilOne(urls.slice(1), "select where not exists (select from pg_prepared_xacts)");
        if (!(await isFlushCommitted(db, { workerId, flushNumber: 1 }))) await withTransaction(db, flush);
        const { rows } = await db.query("select waiting, sent from message_count where user_id = $1", [userId]);
        expect(rows).toEqual([{ waiting: 6, sent: 3 }]);
      });
    });

    test("while a role is connected nothing is done", { timeout: 240_000 }, async () => {
      await withClusterDatabase("used_one", async (db, url) => {
        await migrate(db);
        const role = createPool({ url, applicationName: "ewebal worker", connectionsMax: 1 });
        try {
          await role.query("select 1");
          await expect(distribute(db)).rejects.toThrow(
            "still connected: ewebal worker; stop the product on every machine",
          );
        } finally {
          await role.end();
        }
        expect(await readDistributed(db)).toEqual({});
      });
    });
  },
);

/**
 * Another session keeps the lock of those who notify: its COMMIT waits for a standby that is not there.
 *
 * @returns what runs `work` that ends that session, after which no commit waits for a standby.
 */
async function lockNotify(coordinator: string): Promise<(work: () => Promise<void>) => Promise<void>> {
  await withClient(coordinator, async (client) => {
    await client.query("alter system set synchronous_standby_names = 'nobody'");
    await client.query("select pg_reload_conf()");
  });
  const notified = Promise.allSettled([
    withClient(coordinator, async (client) => {
      client.on("error", () => undefined);
      await client.query("set synchronous_commit = on");
      // The server has read its settings when one of these does not return; a transaction that logs nothing would not wait.
      for (;;) await client.query("select pg_logical_emit_message(true, 'probe', ''); notify probe");
    }),
  ]);
  await untilOne([coordinator], "select from pg_stat_activity where wait_event = 'SyncRep'");
  return async (work) => {
    // In the file alone: who waits does not hear of it, and the next start does.
    await withClient(coordinator, async (client) => {
      await client.query("set synchronous_commit = off");
      await client.query("alter system reset synchronous_standby_names");
    });
    await work();
    expect(await notified).toMatchObject([{ status: "rejected" }]);
  };
}

/** Waits until a statement has a row on each server. */
async function untilOne(urls: readonly string[], statement: string): Promise<void> {
  for (const url of urls)
    await withClient(url, async (client) => {
      await expect.poll(async () => (await client.query(statement)).rowCount, { timeout: 20_000 }).toBe(1);
    });
}

const KEYS_AMONG_TENANTS = `select conname as name from pg_constraint
  where contype = 'f' and conparentid = 0 and conrelid::regclass::text in ('hold', 'journal', 'journal_entry', 'contact_sheet', 'card_payment_claim')
  order by 1`;
