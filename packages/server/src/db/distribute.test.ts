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
import { readCounts, until, untilCounts } from "../features/delivery/testing/worker-test.ts";
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
import { isConnectionLost } from "./sql-state.ts";
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
  expect((await runCommand("--help")).out).toMatch(/^npm run distribute -- DATABASE_URL \[--shards N\]\n/);
  expect(await runCommand()).toMatchObject({
    code: 1,
    err: expect.stringContaining("name the address of one database"),
  });
  for (const shards of ["0", "513", "many"])
    expect(await runCommand("postgres://127.0.0.1:1/x", "--shards", shards)).toMatchObject({
      code: 1,
      err: "Nothing was distributed: --shards takes a whole number from 1 to 512.\n",
    });
});

const bin = await findCitus();
const skipReason = bin === undefined ? CITUS_MISSING : undefined;

describe.skipIf(skipReason !== undefined)(
  skipReason === undefined ? "on a cluster" : `on a cluster (${skipReason})`,
  () => {
    let cluster: CitusCluster;
    beforeAll(async () => {
      // A commit is on its server's disk before it is answered, or a server that is killed would go back in time, which workers notice and stop at;
      // and it waits for no standby but where a test says so.
      cluster = await startCitusCluster(bin ?? "", ["synchronous_commit=local"]);
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
        const { rows: shards } = await db.query(
          "select count(*)::integer as count from pg_dist_shard where logicalrelid = 'message'::regclass",
        );
        expect(shards).toEqual([{ count: 8 }]);
        const { rows: settings } = await withClient(url, async (client) =>
          client.query("show citus.executor_slow_start_interval"),
        );
        expect(settings).toEqual([{ "citus.executor_slow_start_interval": "500ms" }]);
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

    // Goal: whichever server dies at whichever moment of a flush, the worker writes it once. Method: a flush is stopped at that moment, the server
    // killed, and then done what a worker does: asked whether the flush is committed, and written again when it is not.
    test(
      "a flush is written once, whichever server dies before, in or between its commits",
      { timeout: 240_000 },
      async () => {
        await withClusterDatabase("crashed_one", async (db, url) => {
          await buildCluster(db);
          const { userId, messageId } = await buildMessage(db, { recipientCount: 30 });
          await insertWorker(db, { workerId, lockKey: 1 });
          const urls = cluster.adminUrls.map((admin) => urlOf(admin, new URL(url).pathname.slice(1)));
          const [coordinator = "", ...others] = urls;
          const server = await findServer(db, userId, urls);
          let flushNumber = 0;
          const write = async (tx: Tx): Promise<void> => {
            await markFlush(tx, { workerId, flushNumber });
            await moveCounts(tx, [{ userId, messageId, moves: { waiting: -3, sent: 3 } }]);
          };
          /** The flush is under way until it waits as `isWaiting` says; then `kill` runs. @returns how the flush ended. */
          const flushUntil = async (
            flush: (tx: Tx) => Promise<void>,
            isWaiting: string,
            kill: () => Promise<void>,
          ): Promise<PromiseSettledResult<unknown>[]> => {
            flushNumber += 1;
            const flushed = Promise.allSettled([withTransaction(db, flush)]);
            await untilOne([coordinator], isWaiting);
            await kill();
            return await flushed;
          };
          /** As a worker does whose COMMIT was not answered; what a crash has left prepared is decided meanwhile. */
          const expectOnce = async (isCommitted: boolean): Promise<void> => {
            expect(await untilAnswered(() => isFlushCommitted(db, { workerId, flushNumber }))).toBe(isCommitted);
            if (!isCommitted) await untilAnswered(() => withTransaction(db, write));
            await untilOne(others, "select where not exists (select from pg_prepared_xacts)");
            const { rows } = await db.query("select waiting, sent from message_count where user_id = $1", [userId]);
            expect(rows).toEqual([{ waiting: 30 - 3 * flushNumber, sent: 3 * flushNumber }]);
          };
          // Waits for the lock of those who notify, which comes after the servers have prepared and before the coordinator's own commit.
          const writeAndNotify = async (tx: Tx): Promise<void> => {
            await write(tx);
            await notify(tx, "probe", [""]);
          };
          const NOTIFIES = "select from pg_locks where locktype = 'object' and not granted";
          const unknown = [{ status: "rejected", reason: expect.any(CommitUnknownError) }];

          // All servers have prepared it, and the coordinator dies before its own commit.
          let letGo = await lockNotify(coordinator);
          expect(
            await flushUntil(writeAndNotify, NOTIFIES, async () => await letGo(async () => await cluster.kill(0))),
          ).toMatchObject(unknown);
          await expectOnce(false);

          // The coordinator has committed it and dies before it has told any other server.
          await withClient(coordinator, async (client) => {
            await client.query("alter system set synchronous_standby_names = 'nobody'");
            await client.query("select pg_reload_conf()");
            // A new session has it when every process was told, and the checkpointer, who makes commits wait, heeds it before its next checkpoint.
            const read = async (): Promise<unknown> =>
              await withClient(
                coordinator,
                async (other) => (await other.query("show synchronous_standby_names")).rows,
              );
            await expect.poll(read, { timeout: 20_000 }).toEqual([{ synchronous_standby_names: "nobody" }]);
            await client.query("checkpoint");
          });
          const writeAndWait = async (tx: Tx): Promise<void> => {
            await write(tx);
            await tx.query("set local synchronous_commit = on");
          };
          expect(
            await flushUntil(writeAndWait, WAITS_FOR_STANDBY, async () => {
              await withClient(coordinator, async (client) => {
                await client.query("set synchronous_commit = off");
                await client.query("alter system reset synchronous_standby_names");
              });
              await cluster.kill(0);
            }),
          ).toMatchObject(unknown);
          await expectOnce(true);

          // The customer's server dies when it has prepared it; the coordinator commits all the same, and the rest comes when the server is back.
          letGo = await lockNotify(coordinator);
          expect(
            await flushUntil(writeAndNotify, NOTIFIES, async () => {
              await cluster.kill(server);
              await letGo(
                async () => await withClient(coordinator, async (client) => void (await client.query(END_WAIT))),
              );
            }),
          ).toMatchObject([{ status: "fulfilled" }]);
          await expectOnce(true);

          // The customer's server dies before it has prepared it, and says so in words alone: nothing is committed.
          flushNumber += 1;
          const killBefore = async (work: (tx: Tx) => Promise<void>): Promise<unknown> =>
            await withTransaction(db, async (tx) => {
              await work(tx);
              await cluster.kill(server);
            }).catch((error: unknown) => error);
          expect(await killBefore(write)).toBeInstanceOf(CommitUnknownError);
          await expectOnce(false);

          // The same with nothing written at the coordinator: the other server alone would know.
          const moveBack = async (tx: Tx): Promise<void> =>
            await moveCounts(tx, [{ userId, messageId, moves: { waiting: 1, sent: -1 } }]);
          expect(await killBefore(moveBack)).toBeInstanceOf(CommitUnknownError);
          await expectOnce(true);
        });
      },
    );

    // Goal: servers that die under a worker cost nobody a message, a unit or an operator's time. Method: each is killed once while a carrier in this
    // process takes messages, whose list says what was handed over.
    test(
      "a worker goes on when the servers die under it: nobody twice, nothing held back",
      { timeout: 240_000 },
      async () => {
        await withClusterDatabase("stormy_one", async (db) => {
          await buildCluster(db);
          const messages = await Promise.all(
            [1, 2, 3].map(async () => await buildMessage(db, { recipientCount: 400 })),
          );
          const carrier = new FakeCarrier({ windowSize: 20, messagesPerSecond: 400 });
          const log = pino({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" });
          const worker = new WorkerSession(db, log, {
            mark: new SendMark(db, log, undefined),
            readCarriers: async () => await Promise.resolve([carrier.definition]),
            isRefundingFailed: false,
            onChange: () => undefined,
          });
          await worker.start();
          for (const index of cluster.adminUrls.keys()) {
            const before = carrier.taken.length;
            await until(`it goes on before the kill of server ${index}`, () => carrier.taken.length > before + 100);
            await cluster.kill(index);
          }
          for (const message of messages)
            await until("nobody waits", async () => (await untilAnswered(() => readCounts(db, message))).waiting === 0);
          await worker.end();
          for (const { userId, messageId, heldMilli, priceMilli } of messages) {
            const counts = await readCounts(db, { userId, messageId });
            expect(counts.sent + counts.unknown).toBe(400);
            expect(await readBalance(db, userId)).toMatchObject({
              balanceMilli: 1_000_000_000 - heldMilli + counts.unknown * priceMilli,
              heldMilli: counts.unknown * priceMilli,
            });
          }
          const texts = carrier.taken.map(({ phoneNo, context }) => `${context.batch.message.messageId} ${phoneNo}`);
          expect(new Set(texts).size).toBe(texts.length);
          await assertLedgerInvariants(db);
        });
      },
    );

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

const WAITS_FOR_STANDBY = "select from pg_stat_activity where wait_event = 'SyncRep'";
const END_WAIT = "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";

async function buildCluster(db: Db): Promise<void> {
  await migrate(db);
  await ensurePartitions(db, new Date());
  await distribute(db, { shardCount: 4 });
  await noteDistribution(db);
}

/** @returns which of the servers has a customer's rows. */
async function findServer(db: Db, userId: string, urls: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ port: number }>(
    `select nodeport::integer as port from pg_dist_shard_placement
     where shardid = get_shard_id_for_distribution_column('message_count', $1::uuid)`,
    [userId],
  );
  return urls.findIndex((url) => Number(new URL(url).port) === rows[0]?.port);
}

/** Asks again while the servers are coming back. */
async function untilAnswered<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

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
  await untilOne([coordinator], WAITS_FOR_STANDBY);
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
