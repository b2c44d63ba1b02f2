/** The product's database on a Citus cluster of its own, for the fault tests: `CITUS=on`. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  CITUS_MISSING,
  createClusterDatabase,
  findCitus,
  startCitusCluster,
} from "@ewebal/server/src/testing/citus-cluster.ts";
import { repository } from "./product.ts";

export type ClusterDatabase = {
  url: string;
  serverCount: number;
  /** Kills one server, the coordinator being 0, and waits until it answers again. */
  kill: (server: number) => Promise<void>;
  stop: () => Promise<void>;
};

const bin = await findCitus();

export const isClusterWanted = process.env["CITUS"] === "on";

export const reasonWithoutCluster = isClusterWanted && bin === undefined ? CITUS_MISSING : undefined;

/**
 * Starts a coordinator and two workers with an empty distributed database, made as an operator makes it. What was committed outlives a kill.
 *
 * @throws Error when this machine has no Citus, or the database cannot be distributed.
 */
export async function startClusterDatabase(): Promise<ClusterDatabase> {
  if (bin === undefined) throw new Error(CITUS_MISSING);
  const cluster = await startCitusCluster(bin, ["synchronous_commit=on"]);
  try {
    const url = await createClusterDatabase(cluster, "ewebal");
    const command = join(repository, "packages/server/src/main/distribute-command.ts");
    await promisify(execFile)(process.execPath, [command, url], { cwd: repository });
    return { url, serverCount: cluster.adminUrls.length, kill: cluster.kill, stop: cluster.stop };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
