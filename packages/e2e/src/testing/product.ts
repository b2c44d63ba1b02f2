/** Starts the whole product as a person does, in a folder of its own, and ends it again. */
import { execFile, spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findFastFolder } from "@ewebal/embedded-postgres/testing/fast-folder";

export const repository = fileURLToPath(new URL("../../../..", import.meta.url));
/** Open to every user: without root's rights the roles would find no room for compiled modules, and compile all at each start. */
const COMPILE_CACHE = join(repository, "node_modules/.cache/ewebal-e2e");
const MAIN_MODULE = "packages/server/src/main/main.ts";
const READY_WITHIN_MS = 90_000;
const EXIT_WITHIN_MS = 60_000;
const PATIENCE_MAX = 5;

/**
 * How many times longer than on a quiet machine a step without a promised time may take: as many times as programs wait for each processor. A step
 * with a promised time is waited for with that time.
 */
export function patience(): number {
  return Math.min(PATIENCE_MAX, Math.max(1, (loadavg()[0] ?? 1) / availableParallelism()));
}

export type ChildName = "web" | "worker" | "smpp" | "simulator";

export type Account = { email: string; password: string };

export type Product = {
  /** Where it answers, without a slash at the end; empty without the role web. */
  url: string;
  dataDir: string;
  demo: { customer: Account; admin: Account };
  /** Every line it printed so far, for the message of a failed test. */
  output: string[];
  /** Whether no process of it is left: nobody holds its output any more, and its PostgreSQL has ended. */
  isGone: () => Promise<boolean>;
  /** Kills one of its processes with SIGKILL and waits until it was started again. */
  killChild: (name: ChildName) => Promise<void>;
  /** Whether its PostgreSQL has ended. */
  isDatabaseGone: () => Promise<boolean>;
  /** Kills the embedded PostgreSQL with SIGKILL; its supervisor starts it again. */
  killDatabase: () => Promise<void>;
  /** The process id of one of its processes as they are at the moment. */
  childPid: (name: ChildName) => number | undefined;
  /** SIGKILL to every process at once, those of PostgreSQL included, as when a machine loses its power. */
  cutPower: () => Promise<void>;
  /** Resident memory of all its Node processes together, shared pages counted once. */
  residentBytes: () => number;
  /** SIGTERM, or what Ctrl-C sends to all at once; @returns the exit status. */
  stop: (signal?: "SIGTERM" | "Ctrl-C") => Promise<number | null>;
  /** SIGKILL to the first process: whatever it kept must survive the next start. */
  kill: () => Promise<void>;
};

export type ProductSettings = {
  /** An earlier product's folder, to start on what it left. */
  dataDir?: string;
  environment?: Record<string, string>;
  /** `npm start` instead of its program. */
  isThroughNpm?: boolean;
  /** Words before the program and its arguments, by which it is started on another host. */
  command?: readonly string[];
  /** Another checkout than this one, such as that of an earlier release. */
  checkout?: string;
  /** A start on a large history, beside other work, takes its time. */
  readyWithinMs?: number;
};

/** A product that was started once and stopped, before the tests; `global-setup.ts` makes it. */
export type MadeProduct = Pick<Product, "dataDir" | "demo">;
/** Names it to the processes of the tests. */
export const MADE_PRODUCT = "MADE_PRODUCT";
/** Settings that only a first start acts upon, or that name another database: with any of them a product is made anew. */
const FIRST_START_SETTINGS = ["CARRIERS", "DATABASE_URL", "DEMO", "ROLES", "SECRETS_KEY", "TRIAL_PARTS"];

/** @throws Error with the product's output when it does not become ready. */
export async function startProduct(settings: ProductSettings = {}): Promise<Product> {
  const dataDir = settings.dataDir ?? (await makeDataDir());
  const made = settings.dataDir === undefined ? await copyMadeProduct(dataDir, settings) : undefined;
  const child = spawnProduct({ DATA_DIR: dataDir, DEMO: "on", ...settings.environment }, settings);
  const output: string[] = [];
  let isOutputClosed = false;
  child.once("close", () => (isOutputClosed = true));
  const childPids = new Map<string, number>();
  const started = Promise.withResolvers<void>();
  const onLine = (line: string): void => {
    output.push(line);
    if (line.startsWith("{")) noteChildPid(line, childPids);
    // The last line of the start, behind the address and the accounts.
    if (line.startsWith("Started in")) started.resolve();
  };
  createInterface(child.stdout).on("line", onLine);
  createInterface(child.stderr).on("line", onLine);
  const onEarlyExit = (): void =>
    started.reject(new Error(`The product ended while it was starting:\n${output.join("\n")}`));
  child.once("exit", onEarlyExit);
  const timer = setTimeout(
    () => started.reject(new Error(`Not ready in time:\n${output.join("\n")}`)),
    settings.readyWithinMs ?? READY_WITHIN_MS * patience(),
  );
  await started.promise
    .catch(async (error: unknown) => {
      await end(child, "SIGTERM");
      throw error;
    })
    .finally(() => clearTimeout(timer));
  child.off("exit", onEarlyExit);
  return {
    url: /ready at (http:\/\/\S+)/.exec(output.join("\n"))?.[1] ?? "",
    dataDir,
    demo: made?.demo ?? { customer: readAccount(output, "customer"), admin: readAccount(output, "administrator") },
    output,
    isGone: async () => isOutputClosed && !(await isDatabaseAlive(dataDir)),
    killChild: (name) => killChild(name, childPids),
    isDatabaseGone: async () => !(await isDatabaseAlive(dataDir)),
    killDatabase: () => killDatabase(dataDir),
    childPid: (name) => childPids.get(name),
    cutPower: async () => {
      const ended = end(child, "SIGKILL");
      for (const pid of childPids.values()) trySignal(pid, "SIGKILL");
      for (const pid of await readDatabasePids(dataDir)) trySignal(pid, "SIGKILL");
      await ended;
    },
    residentBytes: () =>
      [child.pid, ...childPids.values()].reduce((sum: number, pid) => sum + readResidentBytes(pid), 0),
    stop: (signal = "SIGTERM") => end(child, signal),
    kill: async () => {
      await end(child, "SIGKILL");
    },
  };
}

/** @returns undefined where a test wants a first start, or another release. */
async function copyMadeProduct(
  dataDir: string,
  { environment = {}, checkout }: ProductSettings,
): Promise<MadeProduct | undefined> {
  const text = process.env[MADE_PRODUCT];
  const isOfFirstStart = FIRST_START_SETTINGS.some((name) => name in environment);
  if (text === undefined || checkout !== undefined || isOfFirstStart) return undefined;
  const made = JSON.parse(text) as MadeProduct;
  // With its owners: each part belongs to the user of its process.
  await promisify(execFile)("cp", ["-a", `${made.dataDir}/.`, dataDir]);
  return made;
}

/**
 * Runs a start that is expected not to succeed, until no process of it holds its output any more.
 * @param stopAt what it prints when it is told to stop; it is expected to end by itself without.
 * @returns the exit status and everything that it printed.
 */
export async function runProduct(
  environment: Record<string, string>,
  stopAt?: RegExp,
): Promise<{ status: number | null; output: string }> {
  const child = spawnProduct(environment, {});
  const lines: string[] = [];
  const onLine = (line: string): void => {
    lines.push(line);
    if (stopAt?.test(line) === true) child.kill("SIGTERM");
  };
  createInterface(child.stdout).on("line", onLine);
  createInterface(child.stderr).on("line", onLine);
  const timer = setTimeout(() => child.kill("SIGKILL"), EXIT_WITHIN_MS);
  await once(child, "close").finally(() => clearTimeout(timer));
  return { status: child.exitCode, output: lines.join("\n") };
}

/** npm gets a process group of its own, so that Ctrl-C can be sent to it and not to the tests. */
function spawnProduct(
  environment: Record<string, string>,
  { isThroughNpm = false, command = [], checkout = repository }: ProductSettings,
): ChildProcessByStdio<null, Readable, Readable> {
  const [program, ...words] = isThroughNpm
    ? ["npm", "start"]
    : [...command, process.execPath, "--import", "./tools/require-node.mjs", join(checkout, MAIN_MODULE)];
  mkdirSync(COMPILE_CACHE, { recursive: true });
  chmodSync(COMPILE_CACHE, 0o1777);
  // One administrator gives a test's customer a million units; npm must not look for a newer npm.
  return spawn(program ?? "", words, {
    cwd: checkout,
    env: {
      SECOND_ADMIN_ABOVE: "100000000",
      PATH: process.env["PATH"],
      PORT: "0",
      RATE_LIMITS: "off",
      // The tests send at any hour.
      QUIET_HOURS: "off",
      TRIAL_PARTS: "card,mailbox,phones,demo",
      npm_config_update_notifier: "false",
      // An earlier release lies in a new folder each time, and its modules would only fill this one.
      ...(checkout === repository && { NODE_COMPILE_CACHE: COMPILE_CACHE }),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: isThroughNpm,
  });
}

/**
 * In memory if there is room: a process that is killed loses no file there either. Passable for others, so that a PostgreSQL without
 * root's rights finds its folder in it and not elsewhere.
 */
export async function makeDataDir(prefix = "ewebal-e2e-"): Promise<string> {
  const folder = await mkdtemp(join(await findFastFolder(), prefix));
  await chmod(folder, 0o711);
  return folder;
}

/** Stops it and removes its folder. */
export async function removeProduct(product: Product): Promise<void> {
  await product.stop();
  await rm(product.dataDir, { recursive: true, force: true });
}

/** Polls a condition for a bounded time; the only waiting that tests do. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  what: string,
  { withinMs = 30_000 * patience(), everyMs = 50 }: { withinMs?: number; everyMs?: number } = {},
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs} ms in vain for ${what}`);
    await sleep(everyMs);
  }
}

function noteChildPid(line: string, childPids: Map<string, number>): void {
  const { child, childPid } = JSON.parse(line) as { child?: string; childPid?: number };
  if (child !== undefined && childPid !== undefined) childPids.set(child, childPid);
}

async function killChild(name: ChildName, childPids: Map<string, number>): Promise<void> {
  const pid = childPids.get(name);
  if (pid === undefined) throw new Error(`There is no ${name} process`);
  process.kill(pid, "SIGKILL");
  await waitUntil(() => childPids.get(name) !== pid, `a new ${name} process`);
}

/** Nothing happens to a process that is gone. */
export function trySignal(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined || Number.isNaN(pid)) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The server and the processes that it made; none when no database runs in the folder. Linux only. */
async function readDatabasePids(dataDir: string): Promise<number[]> {
  if (!(await isDatabaseAlive(dataDir))) return [];
  const pid = await readDatabasePid(dataDir);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return [pid, ...children.trim().split(" ").map(Number)];
}

async function killDatabase(dataDir: string): Promise<void> {
  process.kill(await readDatabasePid(dataDir), "SIGKILL");
}

/**
 * The process's share of resident memory: pages that several processes map, such as Node's own binary, are counted once in a sum. Linux
 * only. A process that has ended meanwhile counts nothing.
 */
function readResidentBytes(pid: number | undefined): number {
  const rollup = existsSync(`/proc/${pid}/smaps_rollup`) ? readFileSync(`/proc/${pid}/smaps_rollup`, "utf8") : "";
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
}

async function readDatabasePid(dataDir: string): Promise<number> {
  return Number((await readPidFile(dataDir))[0]);
}

/** The embedded database of a running product, for other hosts that work on it. */
export async function readDatabaseUrl({ dataDir }: Product): Promise<string> {
  const password = (await readFile(join(dataDir, "postgres-password"), "utf8")).trim();
  return `postgres://ewebal:${password}@127.0.0.1:${(await readPidFile(dataDir))[3]}/ewebal`;
}

/** The first line of postmaster.pid is the process id, the fourth the port. */
async function readPidFile(dataDir: string): Promise<string[]> {
  return (await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8")).split("\n");
}

async function isDatabaseAlive(dataDir: string): Promise<boolean> {
  try {
    process.kill(await readDatabasePid(dataDir), 0);
    return true;
  } catch (error) {
    // No file, or a file of a process that is gone.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return false;
    throw error;
  }
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL" | "Ctrl-C"): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    if (signal === "Ctrl-C") process.kill(-(child.pid ?? 0), "SIGINT");
    else child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

/** Reads `Demo customer: address, password ...` from the printed lines. */
function readAccount(output: string[], kind: string): Account {
  for (const line of output) {
    const match = new RegExp(`^Demo ${kind}: (\\S+) / (\\S+)`).exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) return { email: match[1], password: match[2] };
  }
  return { email: "", password: "" };
}
