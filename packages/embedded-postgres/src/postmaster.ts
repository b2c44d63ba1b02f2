/**
 * One run of the server process: start it, wait until it serves, stop it.
 *
 *     launched -> ready -> stopped
 *        \-> held up; its log names the reason: orphans of a killed server, a lock file, a port; see `Launch`
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import type { EmbeddedLog } from "./settings.ts";
import type { Identity } from "./identity.ts";
import { readLogSize, readLogTail } from "./server-log.ts";

/** The folders of a cluster and its log, and the user of its server. */
export type ClusterHome = {
  program: string;
  /** Absolute, without links. */
  dataDir: string;
  folder: string;
  clusterFolder: string;
  logPath: string;
  identity: Identity | undefined;
};

/** What `postmaster.pid` says about a server that runs, or ran. PostgreSQL alone writes and deletes that file. */
export type PidFile = {
  pid: number;
  port: number | undefined;
  status: string;
  /** Process, folder and start time. Together they identify one run of one server. */
  run: string;
};

export type Launch =
  | { kind: "ready" }
  /** Backends of a server that was killed still use its shared memory; they end by themselves. */
  | { kind: "orphans" }
  /** The lock file names a living process. */
  | { kind: "locked" }
  | { kind: "port taken" };

/** Recovery after a crash reads at most `max_wal_size` of log; a slow disk needs minutes for it. */
const READY_TIMEOUT_MS = 10 * 60_000;
const SLOW_START_NOTICE_MS = 10_000;
const POLL_DELAY_MS = 10;
/** A fast stop ends sessions at once. The last checkpoint takes the rest of this time. */
const FAST_STOP_TIMEOUT_MS = 60_000;
/** PostgreSQL itself kills its children five seconds into an immediate stop. */
const IMMEDIATE_STOP_TIMEOUT_MS = 15_000;

const READY = "ready";
/** Words of PostgreSQL 18, untranslated because the server runs with `lc_messages = C`. */
const HINDRANCES: { words: string; launch: Launch }[] = [
  { words: "pre-existing shared memory block", launch: { kind: "orphans" } },
  { words: 'lock file "postmaster.pid" already exists', launch: { kind: "locked" } },
  { words: 'lock file "postmaster.pid" is empty', launch: { kind: "locked" } },
  { words: "could not create any TCP/IP sockets", launch: { kind: "port taken" } },
];

export async function readPidFile(clusterFolder: string): Promise<PidFile | undefined> {
  let text: string;
  try {
    text = await readFile(join(clusterFolder, "postmaster.pid"), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  return parsePidFile(text);
}

/** @returns undefined for a half-written file. */
export function parsePidFile(text: string): PidFile | undefined {
  const [pid = "", folder = "", startedAt = "", port = "", , , , status = ""] = text
    .split("\n")
    .map((line) => line.trim());
  if (!/^[1-9]\d*$/.test(pid) || !/^\d+$/.test(startedAt)) return undefined;
  return { pid: Number(pid), port: Number(port) || undefined, status, run: [pid, folder, startedAt].join("\n") };
}

/** True also for a process of another user. False for one that has ended, even if its parent has not collected it. */
export async function isProcessAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !(await describeProcess(pid)).isZombie;
}

/** @returns the name of a process where the system tells it (Linux). */
export async function describeProcess(pid: number): Promise<{ name: string | undefined; isZombie: boolean }> {
  try {
    const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(await readFile(`/proc/${pid}/stat`, "utf8")) ?? [];
    return { name, isZombie: state === "Z" };
  } catch {
    return { name: undefined, isZombie: false }; // No /proc here, or the process has just gone.
  }
}

export type LaunchOptions = {
  home: ClusterHome;
  binaries: Binaries;
  port: number;
  log: EmbeddedLog;
};

/**
 * Starts the server and waits until it serves. The server has its own process group: Ctrl-C in the terminal reaches only the
 * program, which drains first and then stops the server. A killed program leaves the server running for the next start.
 *
 * @throws Error with the last lines of its log when it ends for a reason that waiting does not cure.
 */
export async function launchPostmaster({ home, binaries, port, log }: LaunchOptions): Promise<Launch> {
  const logSize = await readLogSize(home.logPath);
  const { child, ended } = await spawnPostmaster(home, binaries, port);
  const startedAtMs = Date.now();
  let nextNoticeMs = startedAtMs + SLOW_START_NOTICE_MS;
  for (;;) {
    const end = await Promise.race([ended, sleep(POLL_DELAY_MS)]);
    if (end !== undefined) return hindranceOf(end, await readLogTail(home.logPath, logSize));
    const pidFile = await readPidFile(home.clusterFolder);
    if (pidFile?.pid === child.pid && pidFile?.status === READY) return { kind: "ready" };
    if (Date.now() > nextNoticeMs) {
      nextNoticeMs += SLOW_START_NOTICE_MS;
      log.info("PostgreSQL is still starting; after a crash it first brings its files in order");
    }
    if (Date.now() - startedAtMs > READY_TIMEOUT_MS) {
      child.kill("SIGQUIT");
      throw new Error(`PostgreSQL was not ready after ${READY_TIMEOUT_MS / 60_000} minutes; see ${home.logPath}`);
    }
  }
}

async function spawnPostmaster(
  home: ClusterHome,
  binaries: Binaries,
  port: number,
): Promise<{ child: ChildProcess; ended: Promise<Error> }> {
  const logFile = await open(home.logPath, "a", 0o600);
  try {
    const child = spawn(binaries.postgres, ["-D", home.clusterFolder, "-p", String(port)], {
      ...home.identity,
      cwd: "/",
      detached: true,
      env: { LC_ALL: "C", TZ: "UTC", ...preloaded() },
      stdio: ["ignore", logFile.fd, logFile.fd],
    });
    child.unref();
    const { promise: ended, resolve } = Promise.withResolvers<Error>();
    child.once("error", resolve);
    child.once("exit", (code, signal) =>
      resolve(new Error(`PostgreSQL ended at its start (${signal ?? `code ${code}`})`)),
    );
    return { child, ended };
  } finally {
    await logFile.close();
  }
}

/** What whoever starts us has put below every program (an allocator, a clock of a test) is meant for the server, too. */
function preloaded(): Record<string, string> {
  const libraries = process.env["LD_PRELOAD"];
  return libraries === undefined ? {} : { LD_PRELOAD: libraries };
}

function hindranceOf(end: Error, said: string): Launch {
  const hindrance = HINDRANCES.find(({ words }) => said.includes(words));
  if (hindrance !== undefined) return hindrance.launch;
  throw new Error(`${end.message}: ${said.trim()}`, { cause: end });
}

/**
 * Stops the server fast: sessions end, and a checkpoint is written. If that takes too long, stops it immediately, and the next
 * start recovers from the log. Neither loses an acknowledged commit.
 *
 * @param run identifies the server. Another server in its place is left alone.
 */
export async function stopPostmaster(
  clusterFolder: string,
  run: string,
  log: EmbeddedLog,
  fastStopTimeoutMs: number = FAST_STOP_TIMEOUT_MS,
): Promise<void> {
  const pidFile = await readPidFile(clusterFolder);
  if (pidFile?.run !== run) return;
  const { pid } = pidFile;
  for (const { signal, timeoutMs } of [
    { signal: "SIGINT", timeoutMs: fastStopTimeoutMs },
    { signal: "SIGQUIT", timeoutMs: IMMEDIATE_STOP_TIMEOUT_MS },
  ] as const) {
    if (signal === "SIGQUIT") log.warn("PostgreSQL does not end by a fast stop; stopping it at once");
    sendSignal(pid, signal);
    const deadlineMs = Date.now() + timeoutMs;
    while (Date.now() < deadlineMs) {
      if (!(await isProcessAlive(pid))) return;
      await sleep(POLL_DELAY_MS);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not end`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The server may have ended at this moment. Every other error is a fault.
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ESRCH") throw error;
  }
}
