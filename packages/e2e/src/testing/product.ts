/** Starts the whole product as a person does, in a folder of its own, and ends it again. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../../..", import.meta.url));
const READY_WITHIN_MS = 90_000;

export type ChildName = "web" | "worker" | "simulator";

export type Account = { email: string; password: string };

export type Product = {
  /** Where it answers, without a slash at the end. */
  url: string;
  dataDir: string;
  demo: { customer: Account; admin: Account };
  /** Every line it printed so far, for the message of a failed test. */
  output: string[];
  /** Kills one of its processes with SIGKILL and waits until it was started again. */
  killChild: (name: ChildName) => Promise<void>;
  /** Kills the embedded PostgreSQL with SIGKILL; its supervisor starts it again. */
  killDatabase: () => Promise<void>;
  /** SIGTERM; @returns the exit status. */
  stop: () => Promise<number | null>;
  /** SIGKILL to the first process: whatever it kept must survive the next start. */
  kill: () => Promise<void>;
};

export type ProductSettings = {
  /** An earlier product's folder, to start on what it left. */
  dataDir?: string;
  environment?: Record<string, string>;
};

/** @throws Error with the product's output when it does not become ready. */
export async function startProduct(settings: ProductSettings = {}): Promise<Product> {
  const dataDir = settings.dataDir ?? (await makeDataDir());
  const child = spawn(process.execPath, [join(repository, "packages/server/src/main.ts")], {
    cwd: repository,
    env: { PATH: process.env["PATH"], DATA_DIR: dataDir, PORT: "0", RATE_LIMITS: "off", DEMO: "on", ...settings.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  const childPids = new Map<string, number>();
  const readyUrl = Promise.withResolvers<string>();
  const onLine = (line: string): void => {
    output.push(line);
    if (line.startsWith("{")) noteChildPid(line, childPids);
    const address = /ready at (http:\/\/\S+)/.exec(line)?.[1];
    if (address !== undefined) readyUrl.resolve(address);
  };
  createInterface(child.stdout).on("line", onLine);
  createInterface(child.stderr).on("line", onLine);
  const onEarlyExit = (): void => readyUrl.reject(new Error(`The product ended while it was starting:\n${output.join("\n")}`));
  child.once("exit", onEarlyExit);
  const timer = setTimeout(() => readyUrl.reject(new Error(`Not ready in time:\n${output.join("\n")}`)), READY_WITHIN_MS);
  const url = await readyUrl.promise.finally(() => clearTimeout(timer));
  child.off("exit", onEarlyExit);
  // The accounts are printed right behind the address.
  await waitUntil(() => output.some((line) => line.startsWith("Started in")), "the end of the start");
  return {
    url,
    dataDir,
    demo: { customer: readAccount(output, "customer"), admin: readAccount(output, "administrator") },
    output,
    killChild: (name) => killChild(name, childPids),
    killDatabase: () => killDatabase(dataDir),
    stop: () => end(child, "SIGTERM"),
    kill: async () => {
      await end(child, "SIGKILL");
    },
  };
}

/** Passable for others, so that a PostgreSQL without root's rights finds its folder in it and not elsewhere. */
async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ewebal-e2e-"));
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
  { withinMs = 30_000, everyMs = 50 }: { withinMs?: number; everyMs?: number } = {},
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

/** The first line of postmaster.pid is the process id. */
async function killDatabase(dataDir: string): Promise<void> {
  const pidFile = await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8");
  process.kill(Number(pidFile.split("\n")[0]), "SIGKILL");
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    child.kill(signal);
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
