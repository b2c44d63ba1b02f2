/**
 * The same send on a cluster of a coordinator and two workers, on the same with more shards, and on one PostgreSQL, in turns; and a cluster whose
 * servers have a fixed share of a core each, with one worker and with two. `BENCH_CLUSTER` is the number of recipients of each send.
 */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { distribute } from "@ewebal/server/src/db/distribute.ts";
import { migrate } from "@ewebal/server/src/db/migrate.ts";
import { createPool } from "@ewebal/server/src/db/pool.ts";
import {
  CITUS_MISSING,
  createClusterDatabase,
  findCitus,
  startCitusCluster,
  urlOf,
  withClient,
  type CitusCluster,
} from "@ewebal/server/src/testing/citus-cluster.ts";
import {
  equipCustomer,
  findMessage,
  makeNumbers,
  registerCustomer,
  send,
  type ApiClient,
} from "@ewebal/e2e/testing/api-client";
import { carrierSetting, startForeignCarrier } from "@ewebal/e2e/testing/carrier";
import { removeProduct, startProduct, waitUntil } from "@ewebal/e2e/testing/product";
import { printTable, say, type Row } from "./print.ts";

const RECIPIENTS = Number(process.env["BENCH_CLUSTER"] ?? 20_000);
const TURNS = Number(process.env["BENCH_TURNS"] ?? 3);
const SHARD_COUNTS = [8, 32];
/** `shards` or `workers` alone. */
const PART = process.env["BENCH_CLUSTER_PART"];
/** Customers of the runs whose servers have a share of a core each: so many that each worker gets about half of them. */
const CUSTOMERS = 16;
const SHARE_OF_CORE = Number(process.env["BENCH_SHARE"] ?? 0.15);
const DROP_TRIES_MAX = 50;
const CPU_GROUPS = "/sys/fs/cgroup/cpu";

type Run = { rate: number; servers: number[]; duplicates: number };

export async function measureCluster(): Promise<void> {
  const bin = await findCitus();
  if (bin === undefined) return say(CITUS_MISSING);
  const cluster = await startCitusCluster(bin, ["synchronous_commit=on", "shared_buffers=256MB"]);
  try {
    if (PART !== "workers") await compareShards(cluster);
    if (PART !== "shards") await compareWorkers(cluster);
  } finally {
    await cluster.stop();
  }
}

async function compareShards(cluster: CitusCluster): Promise<void> {
  const [coordinator = ""] = cluster.adminUrls;
  const rows: Row[] = [];
  const ratios = new Map(SHARD_COUNTS.map((count) => [count, [] as number[]]));
  for (let turn = 1; turn <= TURNS; turn += 1) {
    const name = `plain_${turn}`;
    await withClient(coordinator, async (client) => {
      await client.query(`create database ${name} template template0 owner ${cluster.role}`);
    });
    const plain = await runSend(cluster, urlOf(coordinator, name, cluster.role), 1);
    rows.push(rowOf(`one PostgreSQL, turn ${turn}`, plain));
    for (const shards of SHARD_COUNTS) {
      const url = await makeDistributed(cluster, `of_${shards}_${turn}`, shards, 2);
      const run = await runSend(cluster, url, 1);
      await drop(cluster, `of_${shards}_${turn}`);
      ratios.get(shards)?.push(run.rate / plain.rate);
      rows.push({ ...rowOf(`${shards} shards, turn ${turn}`, run), ratio: run.rate / plain.rate });
    }
  }
  printTable(
    `${RECIPIENTS.toLocaleString("en")} recipients of one customer, one PostgreSQL and a cluster in turns`,
    rows,
  );
  for (const [shards, own] of ratios)
    say(`${shards} shards: ratios ${own.map((ratio) => ratio.toFixed(2)).join(", ")}`);
}

/** Each worker is given the same share of a core, the coordinator and the product what they need. */
async function compareWorkers(cluster: CitusCluster): Promise<void> {
  const groups = await Promise.all(
    cluster.adminUrls.slice(1).map(async (url) => new CpuGroup(await postmasterOf(url))),
  );
  const rows: Row[] = [];
  try {
    // People who register are no part of what is measured, and would take minutes with such a share.
    const onBegin = (): void => groups.forEach((group) => group.setShare(SHARE_OF_CORE));
    for (let turn = 1; turn <= TURNS; turn += 1) {
      for (const workers of [1, 2]) {
        const url = await makeDistributed(cluster, `with_${workers}_${turn}`, 8, workers);
        const throttledBefore = groups.map((group) => group.throttledSeconds());
        const run = await runSend(cluster, url, CUSTOMERS, onBegin);
        for (const group of groups) group.setShare(undefined);
        await drop(cluster, `with_${workers}_${turn}`);
        rows.push({
          ...rowOf(`${workers} worker${workers === 1 ? "" : "s"}, turn ${turn}`, run),
          "seconds that workers stood at their share": groups
            .map((group, index) => (group.throttledSeconds() - (throttledBefore[index] ?? 0)).toFixed(1))
            .join(", "),
        });
      }
    }
  } finally {
    for (const group of groups) await group.remove();
  }
  printTable(`${CUSTOMERS} customers, ${SHARE_OF_CORE} of a core for each worker`, rows);
}

async function makeDistributed(
  cluster: CitusCluster,
  name: string,
  shardCount: number,
  workers: number,
): Promise<string> {
  const url = await createClusterDatabase({ ...cluster, adminUrls: cluster.adminUrls.slice(0, workers + 1) }, name);
  const db = createPool({ url, connectionsMax: 2, statementTimeoutMs: 0 });
  try {
    await migrate(db);
    await distribute(db, { shardCount });
  } finally {
    await db.end();
  }
  return url;
}

/** Each distributed database has a process of its own on each server, which now and then comes back before the database is gone. */
async function drop(cluster: CitusCluster, name: string): Promise<void> {
  for (const url of cluster.adminUrls) {
    for (let tries = 1; ; tries += 1) {
      try {
        await withClient(url, async (client) => await client.query(`drop database if exists ${name} with (force)`));
        break;
      } catch (error) {
        if (tries === DROP_TRIES_MAX) throw error;
        await sleep(100);
      }
    }
  }
}

/** From the first call to the last record. `onBegin` is called before the first call. */
async function runSend(
  cluster: CitusCluster,
  url: string,
  customerCount: number,
  onBegin: () => void = () => undefined,
): Promise<Run> {
  const carrier = await startForeignCarrier({});
  const product = await startProduct({
    environment: {
      CARRIERS: carrierSetting(carrier, { window: 1_000, messagesPerSecond: 1_000_000 }),
      DATABASE_URL: url,
    },
  });
  try {
    const customers: ApiClient[] = [];
    // One after the other: a password's proof takes a core for a moment, and the server refuses who would wait too long for it.
    for (let index = 0; index < customerCount; index += 1) {
      const customer = await registerCustomer(product);
      await equipCustomer(product, customer, RECIPIENTS * 3, "BENCH");
      customers.push(customer);
    }
    const numbers = makeNumbers(RECIPIENTS);
    const each = RECIPIENTS / customerCount;
    onBegin();
    const before = await Promise.all(cluster.adminUrls.map(secondsOf));
    const startedAtMs = performance.now();
    const sent = await Promise.all(
      customers.map(async (customer, index) => {
        const phoneNo = numbers.slice(index * each, (index + 1) * each).join(",");
        const { status, body } = await send(customer, {
          senderName: "BENCH",
          message: "Benchmark",
          phoneNo,
          code: "234",
        });
        if (status !== 200) throw new Error(`The send was answered with ${status}`);
        return { customer, messageId: body.data._id, count: each };
      }),
    );
    for (const { customer, messageId, count } of sent)
      await waitUntil(async () => (await findMessage(customer, messageId))?.counts.delivered === count, "all records", {
        withinMs: 300_000,
        everyMs: 50,
      });
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const after = await Promise.all(cluster.adminUrls.map(secondsOf));
    return {
      rate: RECIPIENTS / seconds,
      servers: after.map((value, index) => ((value - (before[index] ?? 0)) * 1e6) / RECIPIENTS),
      duplicates: (await carrier.stats()).duplicates,
    };
  } finally {
    await removeProduct(product);
    await carrier.stop();
  }
}

function rowOf(name: string, { rate, servers, duplicates }: Run): Row {
  return {
    run: name,
    "recorded and billed/s": Math.round(rate),
    "µs a message, coordinator": servers[0] ?? 0,
    "µs a message, each worker": servers
      .slice(1)
      .map((value) => value.toFixed(0))
      .join(", "),
    duplicates,
  };
}

async function postmasterOf(url: string): Promise<number> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::integer as pid`,
    );
    return rows[0]?.pid ?? 0;
  });
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

/** Processor seconds of a server, of its sessions that have ended as well. */
async function secondsOf(url: string): Promise<number> {
  const postmaster = await postmasterOf(url);
  let ticks = 0;
  for (const pid of [postmaster, ...childrenOf(postmaster)]) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      // The postmaster's fields of its ended children are behind its own.
      const own = pid === postmaster ? fields.slice(11, 15) : fields.slice(11, 13);
      ticks += own.reduce((sum, field) => sum + Number(field), 0);
    } catch {
      // It ended meanwhile, and is in the postmaster's sum.
    }
  }
  return ticks / 100;
}

/** A bound on the processor time of a server, whatever the others leave free: a core of its own, only slower. */
class CpuGroup {
  readonly #folder: string;
  readonly #postmaster: number;

  constructor(postmaster: number) {
    this.#postmaster = postmaster;
    this.#folder = `${CPU_GROUPS}/ewebal-bench-${postmaster}`;
    mkdirSync(this.#folder);
    moveTo(this.#folder, postmaster);
  }

  /** @param share of one core; without it the group takes what it gets. */
  setShare(share: number | undefined): void {
    writeFileSync(`${this.#folder}/cpu.cfs_period_us`, "20000");
    writeFileSync(`${this.#folder}/cpu.cfs_quota_us`, share === undefined ? "-1" : String(Math.round(share * 20_000)));
  }

  throttledSeconds(): number {
    return Number(/throttled_time (\d+)/.exec(readFileSync(`${this.#folder}/cpu.stat`, "utf8"))?.[1] ?? 0) / 1e9;
  }

  async remove(): Promise<void> {
    this.setShare(undefined);
    moveTo(CPU_GROUPS, this.#postmaster);
    for (let tries = 0; readdirSync(this.#folder).length > 0 && tries < 50; tries += 1) {
      try {
        rmdirSync(this.#folder);
        return;
      } catch {
        await sleep(100);
      }
    }
  }
}

/** Sessions that begin later are where the postmaster is. */
function moveTo(folder: string, postmaster: number): void {
  for (const pid of [postmaster, ...childrenOf(postmaster)]) {
    try {
      writeFileSync(`${folder}/cgroup.procs`, String(pid));
    } catch (error) {
      // It ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
