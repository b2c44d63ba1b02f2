import { spawn } from "node:child_process";
import { chown, cp, mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { describe, vi } from "vitest";
import { chooseIdentity, isRoot } from "./identity.ts";
import { isProcessAlive, readPidFile, stopPostmaster } from "./postmaster.ts";
import {
  clusterFolderOf,
  expect,
  postmasterPid,
  PROGRAM,
  query,
  silentLog,
  startStranger,
  test,
  writePidFile,
} from "./testing/postgres-test.ts";

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
    if (isRoot()) await giveAll(copy, await chooseIdentity(PROGRAM, await clusterFolderOf(dataDir)));

    await expect(start({ dataDir: copy })).rejects.toThrow("does not answer as the server of this folder");
    expect(await query(original.url, "select from original")).toEqual([]);
  });

  test("a missing password of an existing database", async ({ dataDir, start }) => {
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
  test.skipIf(process.platform !== "linux")(
    "is given what its starter was told to preload",
    async ({ dataDir, start }) => {
      // A library that every Linux has, and that changes nothing.
      vi.stubEnv("LD_PRELOAD", "libm.so.6");
      await start();
      vi.unstubAllEnvs();
      const environment = await readFile(`/proc/${await postmasterPid(dataDir)}/environ`, "utf8");
      expect(environment.split("\0")).toContain("LD_PRELOAD=libm.so.6");
    },
  );

  test("makes a new database that only its password opens, on loopback, with checksums", async ({ dataDir, start }) => {
    const postgres = await start();
    expect(postgres).toMatchObject({ adopted: false, isNew: true });

    const shown = async (name: string): Promise<unknown> =>
      (await query(postgres.url, `select current_setting('${name}') as value`))[0]?.["value"];
    expect(await shown("listen_addresses")).toBe("127.0.0.1");
    expect(await shown("data_checksums")).toBe("on");
    expect(await shown("server_encoding")).toBe("UTF8");
    expect(await shown("synchronous_commit")).toBe("on");
    expect(
      await query(
        postgres.url,
        "select rolsuper or rolcreatedb or rolcreaterole as strong from pg_roles where rolname = current_user",
      ),
    ).toEqual([{ strong: false }]);
    expect(await query(postgres.url, "select lower('ÄẸ') as lower, 'a' < 'Z' as linguistic")).toEqual([
      { lower: "äẹ", linguistic: false },
    ]);

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

  test("with the lock file of a dead process lets PostgreSQL decide, which starts", async ({ dataDir, start }) => {
    await (await start()).stop();
    const stranger = await startStranger(dataDir);
    await stranger.end();
    await writePidFile(dataDir, stranger.pid);
    expect(await start()).toMatchObject({ adopted: false });
  });

  test("deletes what a killed start left, and nothing else", async ({ dataDir, start }) => {
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
      const { url } = await startEmbeddedPostgres({ program: "${PROGRAM}", dataDir: process.argv[1], log, fsync: false });
      process.stdout.write(url);`;
    const program = spawn(process.execPath, ["--input-type=module", "-e", script, dataDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((done) => program.once("exit", done));
    const url = await new Promise<string>((found) =>
      program.stdout.once("data", (data: Buffer) => found(data.toString())),
    );
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

describe("stopping", () => {
  test("ends open sessions and leaves no process", async ({ dataDir, start }) => {
    const postgres = await start();
    const pid = await postmasterPid(dataDir);
    const client = new Client({ connectionString: postgres.url });
    const errors: (Error & { code?: string })[] = [];
    client.on("error", (error) => errors.push(error));
    await client.connect();
    await Promise.all([postgres.stop(), postgres.stop()]);
    expect(errors[0]?.code).toBe("57P01");
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
    // The supervisor would start the server again, so it stops at the same time.
    const stopped = postgres.stop();
    await stopPostmaster(clusterFolder, pidFile?.run ?? "", silentLog, 200);
    await stopped;
    expect(await isProcessAlive(pidFile?.pid ?? 0)).toBe(false);
    await client.end();
  });
});

async function giveAll(folder: string, identity: { uid: number; gid: number } | undefined): Promise<void> {
  if (identity === undefined) return;
  const cluster = join(folder, "postgres", "data");
  await chown(cluster, identity.uid, identity.gid);
  for (const entry of await readdir(cluster, { recursive: true }))
    await chown(join(cluster, entry), identity.uid, identity.gid);
}
