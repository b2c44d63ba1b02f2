import { spawn } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { describe, expect, test as base, vi } from "vitest";
import { findFastFolder } from "../../testing/fast-folder.ts";
import { createPool } from "../pool.ts";
import { SQL_STATE } from "../sql-state.ts";
import { findNativeFolder } from "./binaries.ts";
import { openClusterHome } from "./cluster-home.ts";
import { chooseIdentity, isRoot } from "./identity.ts";
import { isProcessAlive, readPidFile, stopPostmaster } from "./postmaster.ts";
import { startEmbeddedPostgres } from "./start-embedded-postgres.ts";
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from "./start-embedded-postgres.ts";

// Some of these start a server four times, and wait for PostgreSQL's own five seconds, beside everything else that runs.
vi.setConfig({ testTimeout: 60_000 });

type Fixtures = {
  /** A folder of the test's own, with a space in its path, that the unprivileged user can pass. */
  folder: string;
  dataDir: string;
  messages: string[];
  /** Starts without fsync. What is still running at the end of the test is stopped. */
  start: (options?: Partial<EmbeddedPostgresOptions>) => Promise<EmbeddedPostgres>;
};

const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(await findFastFolder(), "ewebal data "));
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
      const postgres = await startEmbeddedPostgres({ dataDir, log, fsync: false, ...options });
      started.push(postgres);
      return postgres;
    });
    for (const postgres of started) await postgres.stop();
  },
});

const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function query<Row extends Record<string, unknown>>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function clusterFolderOf(dataDir: string): Promise<string> {
  return (await openClusterHome({ dataDir, log: silentLog })).clusterFolder;
}

async function postmasterPid(dataDir: string): Promise<number> {
  const pidFile = await readPidFile(await clusterFolderOf(dataDir));
  if (pidFile === undefined) throw new Error("No server runs");
  return pidFile.pid;
}

/** A process of the user that PostgreSQL runs as, which is not PostgreSQL. */
async function startStranger(dataDir: string): Promise<{ pid: number; end: () => Promise<void> }> {
  const identity = await chooseIdentity(await clusterFolderOf(dataDir));
  const stranger = spawn("sleep", ["60"], { ...identity, cwd: "/", stdio: "ignore" });
  const ended = new Promise((done) => stranger.once("exit", done));
  if (stranger.pid === undefined) throw new Error("sleep did not start");
  return { pid: stranger.pid, end: async () => void (stranger.kill(), await ended) };
}

async function writePidFile(dataDir: string, pid: number): Promise<string> {
  const path = join(await clusterFolderOf(dataDir), "postmaster.pid");
  const { uid, gid } = await stat(join(path, ".."));
  await writeFile(path, `${pid}\n/somewhere/else\n1700000000\n1\n\n127.0.0.1\n  1  1\nready   \n`, { mode: 0o600 });
  if (isRoot()) await chown(path, uid, gid);
  return path;
}

describe("refusals", () => {
  test("a lock file that names a living stranger is left alone and explained", async ({ dataDir, start }) => {
    await (await start()).stop();
    const stranger = await startStranger(dataDir);
    const path = await writePidFile(dataDir, stranger.pid);
    const before = await readFile(path, "utf8");

    await expect(start()).rejects.toThrow(`names process ${stranger.pid}`);

    expect(await readFile(path, "utf8")).toBe(before);
    await stranger.end();
  });

  test("a copy of a data directory in use is not taken for the original", async ({ folder, dataDir, start }) => {
    const original = await start();
    await query(original.url, "create table original (id integer)");
    const copy = join(folder, "copy");
    await cp(dataDir, copy, { recursive: true });
    if (isRoot()) await giveAll(copy, await chooseIdentity(await clusterFolderOf(dataDir)));

    await expect(start({ dataDir: copy })).rejects.toThrow("does not answer as the server of this folder");
    expect(await query(original.url, "select from original")).toEqual([]);
  });

  test("a password that is gone, with the database still there", async ({ dataDir, start }) => {
    await (await start()).stop();
    await rm(join(dataDir, "postgres-password"));
    await expect(start()).rejects.toThrow("postgres-password is missing");
  });

  test("files of another major version", async ({ dataDir, start }) => {
    await (await start()).stop();
    await writeFile(join(await clusterFolderOf(dataDir), "PG_VERSION"), "12\n");
    await expect(start()).rejects.toThrow("was made by PostgreSQL 12");
  });

  test("a setting that PostgreSQL does not know is reported in its words", async ({ start }) => {
    await expect(start({ settings: { no_such_setting: 1 } })).rejects.toThrow(
      'unrecognized configuration parameter "no_such_setting"',
    );
  });
});

describe("starting", () => {
  test("makes a new database that only its password opens, on loopback, with checksums", async ({ dataDir, start }) => {
    const postgres = await start();
    expect(postgres).toMatchObject({ adopted: false, isNew: true });

    const shown = async (name: string): Promise<unknown> => (await query(postgres.url, `select current_setting('${name}') as value`))[0]?.["value"];
    expect(await shown("listen_addresses")).toBe("127.0.0.1");
    expect(await shown("data_checksums")).toBe("on");
    expect(await shown("server_encoding")).toBe("UTF8");
    expect(await shown("synchronous_commit")).toBe("on");
    expect(await query(postgres.url, "select rolsuper or rolcreatedb or rolcreaterole as strong from pg_roles where rolname = current_user")).toEqual([
      { strong: false },
    ]);
    expect(await query(postgres.url, "select lower('ÄẸ') as lower, 'a' < 'Z' as linguistic")).toEqual([{ lower: "äẹ", linguistic: false }]);

    const withoutPassword = Object.assign(new URL(postgres.url), { password: "wrong" }).href;
    await expect(query(withoutPassword, "select 1")).rejects.toMatchObject({ code: "28P01" });
    expect((await stat(join(dataDir, "postgres-password"))).mode & 0o777).toBe(0o600);
    expect((await stat(await clusterFolderOf(dataDir))).mode & 0o777).toBe(0o700);
  });

  test("again finds what was stored, on the same port", async ({ start }) => {
    const first = await start();
    await query(first.url, "create table kept as select 7 as value");
    await first.stop();

    const second = await start();
    expect(second).toMatchObject({ url: first.url, adopted: false, isNew: false });
    expect(await query(second.url, "select value from kept")).toEqual([{ value: 7 }]);
  });

  test("on a port that somebody else took picks another one", async ({ dataDir, start }) => {
    const first = await start();
    await first.stop();
    const taker = createServer().listen(Number(new URL(first.url).port), "127.0.0.1");
    const second = await start();
    expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
    expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(Number(await readFile(join(dataDir, "postgres-port"), "utf8"))).toBe(Number(new URL(second.url).port));
    await new Promise((done) => taker.close(done));
  });

  test("beside the lock file of a dead process leaves the judgement to PostgreSQL, which starts", async ({ dataDir, start }) => {
    await (await start()).stop();
    const stranger = await startStranger(dataDir);
    await stranger.end();
    await writePidFile(dataDir, stranger.pid);
    expect(await start()).toMatchObject({ adopted: false });
  });

  test("clears what a start that was killed left, and nothing else", async ({ dataDir, start }) => {
    const stranger = await startStranger(dataDir);
    await stranger.end();
    const leftover = join(dataDir, "postgres", `data.new-${stranger.pid}-abc123`);
    const inUse = join(dataDir, "postgres", `data.new-${process.ppid}-abc123`);
    await mkdir(leftover);
    await mkdir(inUse);
    await start();
    const names = await readdir(join(dataDir, "postgres"));
    expect(names).toContain(`data.new-${process.ppid}-abc123`);
    expect(names).not.toContain(`data.new-${stranger.pid}-abc123`);
  });
});

describe("a server that runs already", () => {
  test("is adopted when its program was killed", async ({ dataDir, start }) => {
    const module = JSON.stringify(new URL("start-embedded-postgres.ts", import.meta.url).href);
    const script = `
      const { startEmbeddedPostgres } = await import(${module});
      const log = { info() {}, warn() {}, error() {} };
      const { url } = await startEmbeddedPostgres({ dataDir: process.argv[1], log, fsync: false });
      process.stdout.write(url);`;
    const program = spawn(process.execPath, ["--input-type=module", "-e", script, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((done) => program.once("exit", done));
    const url = await new Promise<string>((found) => program.stdout.once("data", (data: Buffer) => found(data.toString())));
    await query(url, "create table of_the_killed as select 7 as value");
    const pid = await postmasterPid(dataDir);
    program.kill("SIGKILL");
    await ended;

    const postgres = await start();
    expect(postgres).toMatchObject({ url, adopted: true, isNew: false });
    expect(await postmasterPid(dataDir)).toBe(pid);
    await postgres.stop();
    expect(await isProcessAlive(pid)).toBe(false);
  });

  test("serves two programs, and ends with the last", async ({ dataDir, start }) => {
    const first = await start();
    const second = await start();
    expect(second).toMatchObject({ url: first.url, adopted: true });
    const pid = await postmasterPid(dataDir);
    await first.stop();
    expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await second.stop();
    expect(await isProcessAlive(pid)).toBe(false);
  });

  test("is shared by programs that start at once in an empty folder", async ({ start }) => {
    const started = await Promise.all([start(), start(), start()]);
    expect(new Set(started.map(({ url }) => url)).size).toBe(1);
    expect(started.filter(({ adopted }) => !adopted)).toHaveLength(1);
  });
});

describe("a server that dies", () => {
  test("by kill -9 comes back on its port with everything that was committed; pools reconnect", async ({ dataDir, start }) => {
    const postgres = await start({ fsync: true });
    let exitCount = 0;
    postgres.onExit(() => (exitCount += 1));
    const pool = createPool({ url: postgres.url });
    await pool.query("create table kept as select 7 as value");
    const pid = await postmasterPid(dataDir);

    process.kill(pid, "SIGKILL");

    await expect.poll(() => exitCount, { timeout: 5_000 }).toBe(1);
    await expect
      .poll(() => pool.query("select value from kept").then(({ rows }) => rows).catch(() => "down"), { timeout: 10_000 })
      .toEqual([{ value: 7 }]);
    expect(await postmasterPid(dataDir)).not.toBe(pid);
    await pool.end();
  });

  test("is not started again before the sessions of the dead one have left its memory", async ({ dataDir, start, messages }) => {
    const postgres = await start();
    const client = new Client({ connectionString: postgres.url });
    client.on("error", () => undefined);
    await client.connect();
    const orphanPid = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid ?? 0;
    // Stopped, it cannot notice that its server has died, like one in the middle of a long statement.
    process.kill(orphanPid, "SIGSTOP");
    process.kill(await postmasterPid(dataDir), "SIGKILL");

    await expect.poll(() => messages, { timeout: 5_000 }).toContain("Waiting for the sessions of the PostgreSQL that was killed to end");
    await expect(query(postgres.url, "select 1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    process.kill(orphanPid, "SIGCONT");
    await expect.poll(() => messages, { timeout: 10_000 }).toContain("PostgreSQL serves again");
    expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await client.end();
  });

  test("for a moment, because one session crashed, is kept", async ({ dataDir, start, messages }) => {
    const postgres = await start();
    const pid = await postmasterPid(dataDir);
    const client = new Client({ connectionString: postgres.url });
    client.on("error", () => undefined);
    await client.connect();
    const backendPid = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid ?? 0;
    process.kill(backendPid, "SIGKILL");
    await expect.poll(() => messages, { timeout: 10_000 }).toContain("PostgreSQL serves again");
    expect(await postmasterPid(dataDir)).toBe(pid);
    await client.end();
  });

  test("while the program stops is not started again", async ({ dataDir, start }) => {
    const postgres = await start();
    const pid = await postmasterPid(dataDir);
    process.kill(pid, "SIGKILL");
    await postgres.stop();
    await sleep(300);
    await expect(query(postgres.url, "select 1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(await start()).toMatchObject({ adopted: false });
  });

  test("again and again is left more and more time", async ({ dataDir, start, messages }) => {
    const postgres = await start();
    const servesCount = (): number => messages.filter((message) => message === "PostgreSQL serves again").length;
    const gapsMs: number[] = [];
    for (let deathCount = 1; deathCount <= 3; deathCount += 1) {
      const diedAtMs = Date.now();
      process.kill(await postmasterPid(dataDir), "SIGKILL");
      await expect.poll(servesCount, { timeout: 10_000, interval: 10 }).toBe(deathCount);
      gapsMs.push(Date.now() - diedAtMs);
    }
    expect(gapsMs[0]).toBeGreaterThanOrEqual(100);
    expect(gapsMs[1]).toBeGreaterThanOrEqual(200);
    expect(gapsMs[2]).toBeGreaterThanOrEqual(400);
    await postgres.stop();
  });
});

describe("stopping", () => {
  test("ends open sessions and leaves no process", async ({ dataDir, start }) => {
    const postgres = await start();
    const pid = await postmasterPid(dataDir);
    const client = new Client({ connectionString: postgres.url });
    const errors: (Error & { code?: string })[] = [];
    client.on("error", (error) => errors.push(error));
    await client.connect();
    await Promise.all([postgres.stop(), postgres.stop()]);
    expect(errors[0]?.code).toBe(SQL_STATE.adminShutdown);
    expect(await isProcessAlive(pid)).toBe(false);
  });

  test("turns from fast to immediate when a session does not end", async ({ dataDir, start }) => {
    const postgres = await start();
    const clusterFolder = await clusterFolderOf(dataDir);
    const pidFile = await readPidFile(clusterFolder);
    const client = new Client({ connectionString: postgres.url });
    client.on("error", () => undefined);
    await client.connect();
    const backendPid = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid ?? 0;
    process.kill(backendPid, "SIGSTOP");
    // The supervisor would start it again, so it is told to stop as well, at the same time.
    const stopped = postgres.stop();
    await stopPostmaster(clusterFolder, pidFile?.run ?? "", silentLog, 200);
    await stopped;
    expect(await isProcessAlive(pidFile?.pid ?? 0)).toBe(false);
    await client.end();
  });
});

describe("programs that npm left incomplete or out of reach", () => {
  async function copyWithoutLinks(folder: string): Promise<string> {
    const installed = findNativeFolder();
    const native = join(folder, "package", "native");
    const links = JSON.parse(await readFile(join(installed, "pg-symlinks.json"), "utf8")) as { target: string }[];
    const targets = new Set(links.map(({ target }) => join(installed, "..", target)));
    await cp(installed, native, { recursive: true, filter: (path) => !targets.has(path) && !path.endsWith(".a") });
    await cp(join(installed, "../package.json"), join(folder, "package", "package.json"));
    return native;
  }

  test("get their links where they lie", async ({ folder, dataDir, start }) => {
    const nativeFolder = await copyWithoutLinks(folder);
    const postgres = await start({ nativeFolder });
    expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(await readdir(join(nativeFolder, "lib"))).toContain("libpq.so.5");
    expect((await readdir(join(dataDir, "postgres"))).filter((name) => name.startsWith("native"))).toEqual([]);
  });

  test("are copied when their folder can neither be written nor passed", async ({ folder, dataDir, start }) => {
    const nativeFolder = await copyWithoutLinks(folder);
    // Root may write anywhere, but the user it runs PostgreSQL as cannot pass; another user cannot write.
    const [closed, mode] = isRoot() ? [join(folder, "package"), 0o700] : [join(nativeFolder, "lib"), 0o555];
    await chmod(closed, mode);
    const postgres = await start({ nativeFolder });
    expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await readdir(join(dataDir, "postgres"))).filter((name) => name.startsWith("native"))).toHaveLength(1);
    await postgres.stop();
    expect(await start({ nativeFolder })).toMatchObject({ adopted: false });
    await chmod(closed, 0o755);
  });

  test("that do not run at all are explained", async ({ folder, start }) => {
    const nativeFolder = join(folder, "package", "native");
    await mkdir(join(nativeFolder, "bin"), { recursive: true });
    await writeFile(join(nativeFolder, "pg-symlinks.json"), "[]");
    await writeFile(join(folder, "package", "package.json"), `{"version":"0.0.0"}`);
    await expect(start({ nativeFolder })).rejects.toThrow("PostgreSQL cannot be run");
  });
});

// Only root gives up its rights; as anybody else PostgreSQL runs as the program does.
describe.skipIf(!isRoot())("as root", () => {
  test("PostgreSQL runs as somebody else, who owns its files and nothing beside them", async ({ dataDir, start }) => {
    await start();
    const pid = await postmasterPid(dataDir);
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const uids = /^Uid:\s+(.*)$/m.exec(status)?.[1]?.split("\t");
    const owner = await stat(await clusterFolderOf(dataDir));
    expect(owner.uid).toBeGreaterThan(0);
    expect(new Set(uids)).toEqual(new Set([String(owner.uid)]));
    expect(/^Groups:(.*)$/m.exec(status)?.[1]?.trim()).toBe("");
    expect((await stat(join(dataDir, "postgres-password"))).uid).toBe(0);
  });

  test("a data directory of mode 700 is opened to that user's group alone", async ({ dataDir, start }) => {
    await mkdir(dataDir, { mode: 0o700 });
    await start();
    const { uid, gid, mode } = await stat(dataDir);
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: 0, mode: 0o710 });
    expect(gid).toBeGreaterThan(0);
  });

  test("below a folder of mode 700 the database lives elsewhere, and is found again", async ({ folder, start, messages }) => {
    const locationParents = [join(folder, "missing"), join(folder, "lib")];
    await mkdir(join(folder, "lib"));
    const dataDir = join(folder, "home", "data");
    await mkdir(join(folder, "home"), { mode: 0o700 });
    const first = await start({ dataDir, locationParents });
    const [place] = await readdir(join(folder, "lib"));
    expect(await readFile(join(dataDir, "postgres-location"), "utf8")).toBe(`${join(folder, "lib", place ?? "")}\n`);
    expect(await readFile(join(folder, "lib", place ?? "", "README"), "utf8")).toContain(dataDir);
    expect(messages.join()).toContain("the database is kept in");
    await query(first.url, "create table kept as select 7 as value");
    await first.stop();

    const second = await start({ dataDir, locationParents });
    expect(await query(second.url, "select value from kept")).toEqual([{ value: 7 }]);
    await second.stop();

    await rm(join(folder, "lib", place ?? ""), { recursive: true });
    await expect(start({ dataDir, locationParents })).rejects.toThrow("but that folder is gone");
  });

  test("a database that can no longer be reached is not replaced by an empty one", async ({ folder, start }) => {
    await (await start()).stop();
    await chmod(folder, 0o700);
    await expect(start()).rejects.toThrow("cannot reach the database");
    await chmod(folder, 0o755);
  });

  test("a lock file that names a process of another user is stale to PostgreSQL", async ({ dataDir, start }) => {
    await (await start()).stop();
    await writePidFile(dataDir, process.pid);
    expect(await start()).toMatchObject({ adopted: false });
  });
});

async function giveAll(folder: string, identity: { uid: number; gid: number } | undefined): Promise<void> {
  if (identity === undefined) return;
  const cluster = join(folder, "postgres", "data");
  await chown(cluster, identity.uid, identity.gid);
  for (const entry of await readdir(cluster, { recursive: true })) await chown(join(cluster, entry), identity.uid, identity.gid);
}
