/** Finds what is there (nothing, a running server, a dead one) and makes a serving server of ours of it. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Binaries } from "./binaries.ts";
import type { ClusterHome } from "./postmaster.ts";
import { readPort, writePort } from "./cluster-home.ts";
import { configureCluster } from "./create-cluster.ts";
import { findFreePort, isPortFree } from "./free-port.ts";
import { openGuard } from "./guard.ts";
import type { Launch, PidFile } from "./postmaster.ts";
import { describeProcess, isProcessAlive, launchPostmaster, readPidFile } from "./postmaster.ts";
import type { Settings, EmbeddedLog } from "./settings.ts";
import { chooseSharedMemory } from "./shared-memory.ts";

export type Cluster = {
  home: ClusterHome;
  binaries: Binaries;
  password: string;
  settings: Settings;
  log: EmbeddedLog;
};

export type RunningServer = {
  guard: Client;
  port: number;
  run: string;
  /** The server ran before: a killed program left it running, or another program keeps it. */
  isAdopted: boolean;
};

/** A server listens within milliseconds of writing its lock file. A process that is silent for longer is no server. */
const SILENCE_TIMEOUT_MS = 2_000;
/** How long the recovery of a server may take that another program started. `postmaster.ts` has the limit for our own. */
const BUSY_TIMEOUT_MS = 10 * 60_000;
/** How long orphans may take: a backend in a long statement notices the death of its server when the statement ends. */
const ORPHANS_TIMEOUT_MS = 60_000;
/**
 * A killed server keeps its lock file until its parent has collected the process. That takes seconds on a busy machine, and in
 * containers whose first process collects children only now and then. This limit is longer than a service manager's first retry.
 */
const LAUNCHES_TIMEOUT_MS = 30_000;
const LAUNCH_DELAY_MS_MIN = 50;
const LAUNCH_DELAY_MS_MAX = 2_000;
const POLL_DELAY_MS = 25;
const ORPHANS_POLL_DELAY_MS = 200;

/**
 * Adopts the server of this cluster if it runs, else starts it. PostgreSQL alone judges its lock file; nothing here
 * deletes or rewrites one.
 *
 * @param fixedPort the port that the program's pools use. Without it, the server gets the port of the last start or a free one.
 * @throws Error for the operator when no server can be started or adopted.
 */
export async function bringUp(
  cluster: Cluster,
  fixedPort: number | undefined,
  signal: AbortSignal,
): Promise<RunningServer> {
  const { home, log } = cluster;
  let launchedRun: string | undefined;
  let orphansSinceMs: number | undefined;
  const patience = new Patience(home, log);
  for (;;) {
    // A launch is awaited even when the program wants to stop: only a server that has been launched can be stopped.
    const found = await lookForServer(cluster, launchedRun === undefined ? signal : undefined);
    if (found.kind === "ours") return { ...found.server, isAdopted: found.server.run !== launchedRun };

    signal.throwIfAborted();
    const launch = await launchOnPort(cluster, fixedPort);
    switch (launch.kind) {
      case "ready":
        launchedRun = (await readPidFile(home.clusterFolder))?.run;
        await patience.pause(launch, signal);
        break;
      case "port taken":
        await patience.pause(launch, signal);
        break;
      case "locked":
        // Another program has started its server at the same moment. The next round finds that server.
        await assertNotForeign(home, found);
        await patience.pause(launch, signal);
        break;
      case "orphans":
        if (orphansSinceMs === undefined) log.info("Waiting for the sessions of the PostgreSQL that was killed to end");
        orphansSinceMs ??= Date.now();
        if (Date.now() - orphansSinceMs > ORPHANS_TIMEOUT_MS) {
          throw new Error(
            `Sessions of a PostgreSQL that was killed still use ${home.clusterFolder}; end those processes first`,
          );
        }
        await sleep(ORPHANS_POLL_DELAY_MS, undefined, { signal });
        break;
      default:
        launch satisfies never;
    }
  }
}

/** Counts launches after which no server stayed. Each is followed by a longer pause, and after a while by an error. */
class Patience {
  readonly #home: ClusterHome;
  readonly #log: EmbeddedLog;
  #sinceMs: number | undefined;
  #hasBeenReady = false;
  #delayMs = LAUNCH_DELAY_MS_MIN;
  #told: string | undefined;

  constructor(home: ClusterHome, log: EmbeddedLog) {
    this.#home = home;
    this.#log = log;
  }

  /** @throws Error for the operator when this has lasted too long. */
  async pause(launch: Launch, signal: AbortSignal): Promise<void> {
    this.#sinceMs ??= Date.now();
    // The other program's server most likely serves, so the next round starts at once. A server that did not stay gets more time.
    if (launch.kind === "ready" && !this.#hasBeenReady) {
      this.#hasBeenReady = true;
      return;
    }
    const hindrance = await this.#describe(launch);
    if (Date.now() - this.#sinceMs > LAUNCHES_TIMEOUT_MS) {
      throw new Error(
        `PostgreSQL could not be started within ${LAUNCHES_TIMEOUT_MS / 1_000} s: ${hindrance}; see ${this.#home.logPath}`,
      );
    }
    if (hindrance !== this.#told)
      this.#log.info(`PostgreSQL cannot start yet: ${hindrance}. Trying again for ${LAUNCHES_TIMEOUT_MS / 1_000} s`);
    this.#told = hindrance;
    await sleep(this.#delayMs, undefined, { signal });
    this.#delayMs = Math.min(this.#delayMs * 2, LAUNCH_DELAY_MS_MAX);
  }

  async #describe(launch: Launch): Promise<string> {
    if (launch.kind === "ready") return "it was started and did not stay";
    if (launch.kind === "port taken") return "its port is in use";
    const path = join(this.#home.clusterFolder, "postmaster.pid");
    const pidFile = await readPidFile(this.#home.clusterFolder);
    if (pidFile === undefined) return `another start holds ${path}, or one that was killed left it half written`;
    const { isZombie } = await describeProcess(pidFile.pid);
    if (!isZombie) return `process ${pidFile.pid}, which ${path} names, is still ending`;
    return `process ${pidFile.pid}, which ${path} names, was killed, and its parent process has not collected it`;
  }
}

type Found =
  | { kind: "ours"; server: Omit<RunningServer, "isAdopted"> }
  /**
   * `pidFile` names a living process that does not look like our server from outside. `hasAnswered` means that another server
   * answered. Silence proves nothing: a killed server that is still ending is silent, too.
   */
  | { kind: "none"; pidFile: PidFile | undefined; hasAnswered: boolean };

async function lookForServer({ home, password }: Cluster, signal: AbortSignal | undefined): Promise<Found> {
  const startedAtMs = Date.now();
  for (;;) {
    const pidFile = await readPidFile(home.clusterFolder);
    if (pidFile === undefined || !(await isProcessAlive(pidFile.pid)))
      return { kind: "none", pidFile: undefined, hasAnswered: false };
    const attempt = await openGuard(home, password, pidFile);
    if (attempt.kind === "ours") {
      const { guard } = attempt;
      return { kind: "ours", server: { guard, port: guard.port, run: pidFile.run } };
    }
    const timeoutMs = { foreign: 0, silent: SILENCE_TIMEOUT_MS, busy: BUSY_TIMEOUT_MS }[attempt.kind];
    if (Date.now() - startedAtMs >= timeoutMs)
      return { kind: "none", pidFile, hasAnswered: attempt.kind === "foreign" };
    await sleep(POLL_DELAY_MS, undefined, signal === undefined ? {} : { signal });
  }
}

async function launchOnPort(cluster: Cluster, fixedPort: number | undefined): Promise<Launch> {
  const { home, binaries, log } = cluster;
  const port = fixedPort ?? (await readPort(home)) ?? (await findFreePort());
  if (!(await isPortFree(port))) {
    if (fixedPort !== undefined)
      throw new Error(`Port ${port} on 127.0.0.1, which PostgreSQL had, is in use by another program`);
    // Only this data directory uses the port, so any other port will do.
    await writePort(home, await findFreePort());
    return { kind: "port taken" };
  }
  await configureCluster(home, {
    cluster_name: home.program,
    ...(await chooseSharedMemory(home.identity)),
    ...cluster.settings,
  });
  await writePort(home, port);
  return await launchPostmaster({ home, binaries, port, log });
}

async function assertNotForeign(home: ClusterHome, found: Extract<Found, { kind: "none" }>): Promise<void> {
  const pidFile = await readPidFile(home.clusterFolder);
  if (found.pidFile === undefined || pidFile?.run !== found.pidFile.run || !(await isProcessAlive(pidFile.pid))) return;
  const { name } = await describeProcess(pidFile.pid);
  if (name === "postgres" && !found.hasAnswered) return;
  throw new Error(
    `PostgreSQL refuses to start: ${join(home.clusterFolder, "postmaster.pid")} names process ${pidFile.pid}` +
      `${name === undefined ? "" : ` (${name})`}, which is alive but does not answer as the server of this folder. ` +
      "If no PostgreSQL uses the folder, delete that file and start again.",
  );
}
