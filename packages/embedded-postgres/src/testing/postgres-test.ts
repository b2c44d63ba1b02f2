import { spawn } from "node:child_process";
import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { test as base } from "vitest";
import { findFastFolder } from "./fast-folder.ts";
import { openClusterHome } from "../cluster-home.ts";
import { chooseIdentity, isRoot } from "../identity.ts";
import { readPidFile } from "../postmaster.ts";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from "../start-embedded-postgres.ts";

export { expect } from "vitest";

export const PROGRAM = "trial";

type Fixtures = {
  /** A folder of the test's own, with a space in its path, that the unprivileged user can pass. */
  folder: string;
  dataDir: string;
  messages: string[];
  /** Starts without fsync. What is still running at the end of the test is stopped. */
  start: (options?: Partial<EmbeddedPostgresOptions>) => Promise<EmbeddedPostgres>;
};

/** A test with a folder in which PostgreSQL may run. */
export const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(await findFastFolder(), "embedded data "));
    await chmod(folder, 0o755);
    await use(folder);
    await rm(folder, { recursive: true });
  },
  dataDir: async ({ folder }, use) => {
    await use(join(folder, "data"));
  },
  // eslint-disable-next-line no-empty-pattern -- as above.
  messages: async ({}, use) => {
    await use([]);
  },
  start: async ({ dataDir, messages }, use) => {
    const started: EmbeddedPostgres[] = [];
    const say = (message: string): void => void messages.push(message);
    const log = { info: say, warn: say, error: say };
    await use(async (options) => {
      const postgres = await startEmbeddedPostgres({ program: PROGRAM, dataDir, log, fsync: false, ...options });
      started.push(postgres);
      return postgres;
    });
    for (const postgres of started) await postgres.stop();
  },
});

export const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Asks in a session of its own. @throws what `pg` throws, such as the refusal of the session. */
export async function query<Row extends Record<string, unknown>>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Where PostgreSQL keeps its files for this data directory. */
export async function clusterFolderOf(dataDir: string): Promise<string> {
  return (await openClusterHome({ program: PROGRAM, dataDir, log: silentLog })).clusterFolder;
}

/** @throws Error when no server runs there. */
export async function postmasterPid(dataDir: string): Promise<number> {
  const pidFile = await readPidFile(await clusterFolderOf(dataDir));
  if (pidFile === undefined) throw new Error("No server runs");
  return pidFile.pid;
}

/** A process of the user that PostgreSQL runs as, which is not PostgreSQL. */
export async function startStranger(dataDir: string): Promise<{ pid: number; end: () => Promise<void> }> {
  const identity = await chooseIdentity(PROGRAM, await clusterFolderOf(dataDir));
  const stranger = spawn("sleep", ["60"], { ...identity, cwd: "/", stdio: "ignore" });
  const ended = new Promise((done) => stranger.once("exit", done));
  if (stranger.pid === undefined) throw new Error("sleep did not start");
  return { pid: stranger.pid, end: async () => void (stranger.kill(), await ended) };
}

/** Puts the lock file of a server of another folder there. @returns its path. */
export async function writePidFile(dataDir: string, pid: number): Promise<string> {
  const path = join(await clusterFolderOf(dataDir), "postmaster.pid");
  const { uid, gid } = await stat(join(path, ".."));
  await writeFile(path, `${pid}\n/somewhere/else\n1700000000\n1\n\n127.0.0.1\n  1  1\nready   \n`, { mode: 0o600 });
  if (isRoot()) await chown(path, uid, gid);
  return path;
}
