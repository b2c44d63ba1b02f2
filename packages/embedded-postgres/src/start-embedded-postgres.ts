/**
 * Finds, starts, keeps alive and stops the PostgreSQL that comes with the program.
 *
 *     starting -> serving -> stopped
 *                  |  ^
 *                  v  | with back-off, on the same port
 *                 lost
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { findNativeFolder, prepareBinaries } from "./binaries.ts";
import { bringUp } from "./bring-up.ts";
import type { Cluster, RunningServer } from "./bring-up.ts";
import { exists, openClusterHome, readPassword } from "./cluster-home.ts";
import { assertSameMajorVersion, createCluster } from "./create-cluster.ts";
import { ensureProgramDatabase, isLastGuard } from "./guard.ts";
import { readPidFile, stopPostmaster } from "./postmaster.ts";
import { trimLog } from "./server-log.ts";
import type { Settings, EmbeddedLog } from "./settings.ts";

export type EmbeddedPostgresOptions = {
  /** The program's name, of a-z and _. Its database, its role and a system account that an operator may make have this name. */
  program: string;
  /** Created when it is missing. `cluster-home.ts` lists its contents. */
  dataDir: string;
  log: EmbeddedLog;
  /** 0 or undefined: the port of the last start, or a free one. */
  port?: number;
  /** `off` loses data in a power cut. For tests only. */
  fsync?: boolean;
  /** Override `settings.ts`. They take effect when the server is started, not when it is adopted. */
  settings?: Settings;
  /** The folder with `bin`, `lib` and `share`. Default: that of the npm package. */
  nativeFolder?: string;
  /** See `cluster-home.ts`. */
  locationParents?: string[];
};

export type EmbeddedPostgres = {
  /** The address for the program's role and database. It stays the same until `stop`, also when the server is restarted. */
  url: string;
  /** The server was running already. */
  adopted: boolean;
  /** The database holds no table yet. */
  isNew: boolean;
  /** Call this when the program has drained. The server keeps running if another program with this data directory uses it. */
  stop: () => Promise<void>;
  /** Called each time the server is lost while it should run. The server is restarted in any case, and pools reconnect by themselves. */
  onExit: (listener: () => void) => void;
};

const RESTART_DELAY_MS_MIN = 100;
const RESTART_DELAY_MS_MAX = 30_000;
/** A server that ran for this long did not fail at its start, so its next restart has no extra delay. */
const STABLE_MS = 60_000;
const TRIM_LOG_INTERVAL_MS = 60_000;

/**
 * Starts the embedded server of a data directory, or adopts the one that a killed program left running.
 *
 * @throws Error with a sentence for the operator when it cannot run.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { program } = options;
  const cluster = await prepareCluster(options);
  const supervisor = new Supervisor(cluster);
  const server = await supervisor.start(options.port === 0 ? undefined : options.port);
  try {
    await ensureProgramDatabase(server.guard, program, cluster.password);
    const url = `postgres://${program}:${cluster.password}@127.0.0.1:${server.port}/${program}`;
    return {
      url,
      adopted: server.isAdopted,
      isNew: await isEmpty(url, program),
      stop: () => supervisor.stop(),
      onExit: (listener) => supervisor.onExit(listener),
    };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

async function prepareCluster(options: EmbeddedPostgresOptions): Promise<Cluster> {
  const { program, dataDir, log, locationParents, fsync = true } = options;
  const home = await openClusterHome({
    program,
    dataDir,
    log,
    ...(locationParents !== undefined && { locationParents }),
  });
  const password = await readPassword(home);
  const nativeFolder = options.nativeFolder ?? findNativeFolder();
  const binaries = await prepareBinaries({ nativeFolder, cacheFolder: home.folder, identity: home.identity });
  if (!(await exists(home.clusterFolder))) await createCluster(home, binaries, password, fsync);
  await assertSameMajorVersion(home, binaries);
  return {
    home,
    binaries,
    password,
    log,
    settings: { ...(!fsync && { fsync, full_page_writes: false }), ...options.settings },
  };
}

class Supervisor {
  readonly #cluster: Cluster;
  readonly #stopping = new AbortController();
  readonly #exitListeners: (() => void)[] = [];
  readonly #trimTimer: NodeJS.Timeout;
  #server: RunningServer | undefined;
  #servesSinceMs = 0;
  #restartDelayMs = RESTART_DELAY_MS_MIN;
  #recovery: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#trimTimer = setInterval(() => this.#trimLog(), TRIM_LOG_INTERVAL_MS).unref();
  }

  async start(port: number | undefined): Promise<RunningServer> {
    this.#trimLog();
    try {
      const server = await bringUp(this.#cluster, port, this.#stopping.signal);
      this.#keep(server);
      return server;
    } catch (error) {
      clearInterval(this.#trimTimer);
      throw error;
    }
  }

  onExit(listener: () => void): void {
    this.#exitListeners.push(listener);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  #keep(server: RunningServer): void {
    this.#server = server;
    this.#servesSinceMs = Date.now();
    server.guard.once("end", () => this.#onLost(server.port));
  }

  #onLost(port: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#cluster.log.error("PostgreSQL is lost; restarting it");
    if (Date.now() - this.#servesSinceMs > STABLE_MS) this.#restartDelayMs = RESTART_DELAY_MS_MIN;
    this.#recovery = this.#recover(port);
    for (const listener of this.#exitListeners) listener();
  }

  async #recover(port: number): Promise<void> {
    const { log } = this.#cluster;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await sleep(this.#restartDelayMs, undefined, { signal });
        this.#restartDelayMs = Math.min(this.#restartDelayMs * 2, RESTART_DELAY_MS_MAX);
        this.#keep(await bringUp(this.#cluster, port, signal));
        log.info("PostgreSQL serves again");
        return;
      } catch (error) {
        if (signal.aborted) return;
        const reason = error instanceof Error ? error.message : String(error);
        log.error(`PostgreSQL could not be restarted, trying again in ${this.#restartDelayMs} ms: ${reason}`);
      }
    }
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#trimTimer);
    await this.#recovery;
    if (this.#server === undefined) return;
    const { guard, run } = this.#server;
    const { home, log } = this.#cluster;
    if (await this.#mayStop(guard)) await stopPostmaster(home.clusterFolder, run, log);
    else log.info("PostgreSQL stays up: another program on this data directory uses it");
    await guard.end();
  }

  async #mayStop(guard: Client): Promise<boolean> {
    try {
      return await isLastGuard(guard);
    } catch (error) {
      // The server was lost at this moment. If it still runs, no other session could be opened either.
      const reason = error instanceof Error ? error.message : String(error);
      this.#cluster.log.warn(`PostgreSQL was lost while it was to be stopped: ${reason}`);
      return (await readPidFile(this.#cluster.home.clusterFolder)) !== undefined;
    }
  }

  #trimLog(): void {
    trimLog(this.#cluster.home.logPath).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.#cluster.log.warn(`The log of PostgreSQL could not be trimmed: ${reason}`);
    });
  }
}

async function isEmpty(url: string, program: string): Promise<boolean> {
  const client = new Client({ connectionString: url, application_name: `${program} supervisor` });
  await client.connect();
  try {
    const { rows } = await client.query<{ empty: boolean }>(
      "select not exists (select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')) as empty",
    );
    return rows[0]?.empty === true;
  } finally {
    await client.end();
  }
}
