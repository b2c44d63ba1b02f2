/**
 * `npm start`: the first process. It prepares (configuration, database, migrations, pages), then keeps one child for
 * each role and one for the carrier simulator alive until it is told to stop. It does no work of its own, so that a
 * fault in a role never takes the database or the other roles along.
 */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino, type Logger } from "pino";
import { ConfigError, readConfig, type Config } from "../base/config.ts";
import { refuseMoved, watchForMove } from "../base/moved-mark.ts";
import { findFreePort } from "@ewebal/embedded-postgres";
import { startProcessTree, type ProcessTree } from "../process-tree/process-tree.ts";
import { refuseMissingParts } from "../base/trial-parts.ts";

const startedAt = Date.now();
// Other users read what is built here; private files set their own modes.
process.umask(0o022);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Ends with one sentence instead of a stack trace: the operator can mend this. */
function giveUp(error: unknown, log: Logger | undefined): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  log?.debug({ err: error }, "start failed");
  process.exit(1);
}

/** Chooses a free port once: mails and callbacks contain it, and a restarted web process listens on it again. */
async function readConfigOrGiveUp(): Promise<Config> {
  try {
    const config = readConfig(process.env);
    return config.port === 0 ? readConfig({ ...process.env, PORT: String(await findFreePort(config.host)) }) : config;
  } catch (error) {
    if (error instanceof ConfigError) giveUp(error, undefined);
    throw error;
  }
}

/** After a kill the web process of the last start needs a moment to notice and to close its port. */
const PORT_TIMEOUT_MS = 3_000;
const PORT_POLL_DELAY_MS = 100;

/** Runs before anything is started, so that a second copy fails early and names the port. */
async function refuseTakenPort({ host, port, roles }: Config): Promise<void> {
  if (!roles.has("web")) return;
  const deadlineMs = Date.now() + PORT_TIMEOUT_MS;
  for (;;) {
    const code = await probePort(host, port);
    if (code === undefined) return;
    if (code !== "EADDRINUSE" || Date.now() > deadlineMs) {
      const reason = code === "EADDRINUSE" ? "is in use by another program" : `cannot be used (${code})`;
      throw new Error(`Port ${port} on ${host} ${reason}. Set PORT to another one, or to 0 for a free one.`);
    }
    await sleep(PORT_POLL_DELAY_MS);
  }
}

/** @returns the system's error code when the port cannot be used; undefined when it is free. */
async function probePort(host: string, port: number): Promise<string | undefined> {
  const probe = createServer();
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  probe.listen({ host, port }, () => probe.close(() => resolve(undefined)));
  return await promise;
}

/** True when the embedded database does not exist yet. */
function isDatabaseToBeMade({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl === undefined && !existsSync(join(dataDir, "postgres-password"));
}

/**
 * For all processes that this one starts. The C library keeps a pool of memory for each thread that ever asked for some, and gives little of it
 * back: the three Node processes held 507 MB at the highest of a send to 1,000,000, and 438 MB with one pool for all threads (23 November 2026). An
 * operator's own setting wins.
 */
function shareMemoryPools(): void {
  process.env["MALLOC_ARENA_MAX"] ??= "1";
}

/**
 * A signal may arrive while the tree starts: what runs by then is stopped, and no more is started. So it is for a move of the embedded database,
 * which copies what nobody writes to any more.
 */
function stopWhenTold(
  { databaseUrl, dataDir }: Config,
  starting: Promise<ProcessTree>,
  stopping: AbortController,
  log: Logger,
): void {
  const stop = (signal: NodeJS.Signals | "move"): void => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ signal }, "stopping");
    starting
      .then(
        (tree) => tree.stop(),
        (error: unknown) => {
          // The start has ended itself.
          if (error !== stopping.signal.reason) throw error;
        },
      )
      .then(
        () => process.exit(0),
        (error: unknown) => giveUp(error, log),
      );
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
  if (databaseUrl !== undefined) return;
  watchForMove(dataDir, (to) => {
    say(`The database is being moved to ${to}; stopping.`);
    stop("move");
  });
}

const config = await readConfigOrGiveUp();
const stopping = new AbortController();
const log = pino({ level: config.logLevel, base: { process: "main" } });
try {
  // For an existing database the preparing process checks this, because carriers may be kept there.
  if (isDatabaseToBeMade(config)) refuseMissingParts(config, false);
  if (config.databaseUrl === undefined) refuseMoved(config.dataDir);
  await refuseTakenPort(config);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  shareMemoryPools();
  const starting = startProcessTree(config, log, say, stopping.signal);
  stopWhenTold(config, starting, stopping, log);
  const tree = await starting;
  if (config.roles.has("web")) say(`\nEwebal is ready at http://${displayHost(config.host)}:${config.port}`);
  for (const line of tree.notes) say(line);
  say(`Started in ${((Date.now() - startedAt) / 1000).toFixed(1)} s. Press Ctrl-C to stop.\n`);
} catch (error) {
  if (!stopping.signal.aborted) giveUp(error, log);
}

function displayHost(host: string): string {
  if (host === "127.0.0.1" || host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
