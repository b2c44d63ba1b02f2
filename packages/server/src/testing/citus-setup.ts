import { randomInt } from "node:crypto";
import type { TestProject } from "vitest/node";
import { distribute } from "../db/distribute.ts";
import { migrate } from "../db/migrate.ts";
import { createPool } from "../db/pool.ts";
import {
  createClusterDatabase,
  findCitus,
  startCitusCluster,
  urlOf,
  withClient,
  type CitusCluster,
} from "./citus-cluster.ts";

const TEMPLATE = "ewebal_template_cluster";
/** Each shard is a file of its own in every copy; two for each worker are enough to be on several. */
const SHARD_COUNT = 4;

/** A cluster for the run, whose tests get distributed databases. Without Citus there is none, and the tests say so. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const bin = await findCitus();
  if (bin === undefined) return async () => await Promise.resolve();
  const cluster = await startCitusCluster(bin);
  try {
    const url = await buildTemplate(cluster);
    project.provide("testDatabaseServer", {
      url,
      template: TEMPLATE,
      runKey: randomInt(1, 2 ** 31),
      clusterUrls: cluster.adminUrls,
    });
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster.stop;
}

/** @returns the maintenance database as the tests' role sees it. */
async function buildTemplate(cluster: CitusCluster): Promise<string> {
  const url = await createClusterDatabase(cluster, TEMPLATE);
  const db = createPool({ url, applicationName: "ewebal-test-template", connectionsMax: 2 });
  try {
    await migrate(db);
    await distribute(db, { shardCount: SHARD_COUNT });
  } finally {
    await db.end();
  }
  for (const adminUrl of cluster.adminUrls) await closeForCopies(adminUrl);
  return urlOf(url, "postgres");
}

/** Nobody may be connected to what is copied, the cluster's own housekeeping included. */
async function closeForCopies(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`alter database ${TEMPLATE} with allow_connections false`);
    const others = `from pg_stat_activity where datname = '${TEMPLATE}'`;
    while (((await client.query(`select pg_terminate_backend(pid) ${others}`)).rowCount ?? 0) > 0)
      await client.query("select pg_sleep(0.05)");
  });
}
