import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { chooseIdentity, findFreePort } from "@ewebal/embedded-postgres";
import { findFastFolder } from "@ewebal/embedded-postgres/testing/fast-folder";

/** A coordinator and two workers; all databases exist on all of them, under the same name. */
export type CitusCluster = {
  /** A superuser's maintenance databases, the coordinator's first. */
  adminUrls: string[];
  /** Of the role that owns the databases of the program: no superuser. */
  role: string;
  /** Kills a server with SIGKILL, the coordinator being 0, and waits until it has started again and answers. */
  kill: (index: number) => Promise<void>;
  stop: () => Promise<void>;
};

/** Where Debian's packages put each version. */
const POSTGRES_FOLDERS = "/usr/lib/postgresql";
export const CITUS_MISSING =
  "skipped: there is no PostgreSQL with Citus; CITUS_POSTGRES_BIN may name the folder of its `postgres` and `initdb`";

const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "shared_preload_libraries=citus",
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "autovacuum=off",
  "max_connections=200",
  "max_prepared_transactions=200",
  "shared_buffers=64MB",
  "max_wal_size=256MB",
  "wal_level=logical",
  "log_min_messages=panic",
  "citus.node_conninfo=sslmode=disable",
  // A test may break a rule by a trigger of its own.
  "citus.enable_unsafe_triggers=on",
  // Nobody outside of the installation is told of it.
  "citus.enable_statistics_collection=off",
  // What a crash left prepared is locked so long.
  "citus.recover_2pc_interval=1s",
  // As `distribute` sets it in a database of its own; the tests' databases are copies, which have no settings.
  "citus.executor_slow_start_interval=500ms",
];
const SERVER_COUNT = 3;
const ROLE = "ewebal";
const START_TRIES_MAX = 400;
const POLL_DELAY_MS = 50;

/** @returns the folder of a PostgreSQL with Citus, if this machine has one. */
export async function findCitus(): Promise<string | undefined> {
  const named = process.env["CITUS_POSTGRES_BIN"];
  if (named !== undefined && named !== "") return named;
  if (!existsSync(POSTGRES_FOLDERS)) return undefined;
  const versions = (await readdir(POSTGRES_FOLDERS)).map((version) => join(POSTGRES_FOLDERS, version));
  const found = versions.find((folder) => existsSync(join(folder, "lib", "citus.so")));
  return found && join(found, "bin");
}

/**
 * Starts a throw-away cluster that ends with this process, however this process ends. A server that ends earlier is started again.
 *
 * @param settings beside those of all, `name=value`.
 */
export async function startCitusCluster(bin: string, settings: readonly string[] = []): Promise<CitusCluster> {
  const folder = await mkdtemp(join(await findFastFolder(), "ewebal-citus-"));
  const identity = await chooseIdentity(ROLE, folder);
  if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
  const ports: number[] = [];
  const folders: string[] = [];
  const starts: string[] = [];
  for (let index = 0; index < SERVER_COUNT; index += 1) {
    const data = join(folder, `server${index}`);
    const args = ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"];
    await promisify(execFile)(join(bin, "initdb"), args, { ...identity, cwd: folder });
    const port = await findFreePort();
    await writeFile(
      join(data, "postgresql.auto.conf"),
      [...SETTINGS, ...settings, `port=${port}`].map(quoteSetting).join("\n"),
    );
    ports.push(port);
    folders.push(data);
    starts.push(`serve "${data}" &`);
  }
  // As in test-server.ts: `read` returns when this process ends, and the servers go with their files. A killed one's processes end one by one, and
  // until then the next one refuses to start.
  const serve = `while [ ! -e "$folder/over" ]; do "${join(bin, "postgres")}" -D "$1"; sleep 0.05; done; touch "$1.ended"`;
  const isOver = folders.map((data) => `[ -e "${data}.ended" ]`).join(" && ");
  const quit = `for file in "$folder"/*/postmaster.pid; do kill -QUIT $(head -n1 "$file"); done 2>/dev/null`;
  const end = `touch "$folder/over"; until ${isOver}; do ${quit}; sleep 0.05; done`;
  const script = `folder=$1; serve() { ${serve}; }; ${starts.join(" ")} read -r _; ${end}; cd / && rm -rf -- "$folder"`;
  const tether = spawn("/bin/sh", ["-c", script, "sh", folder], {
    ...identity,
    cwd: folder,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = new Promise<void>((done) => tether.once("exit", () => done()));
  const adminUrls = ports.map((port) => `postgres://postgres@127.0.0.1:${port}/postgres`);
  for (const url of adminUrls)
    await withClient(url, async (client) => await client.query(`create role ${ROLE} login createdb`));
  return {
    adminUrls,
    role: ROLE,
    kill: async (index) => {
      const [pid] = (await readFile(join(folders[index] ?? "", "postmaster.pid"), "utf8")).split("\n");
      process.kill(Number(pid), "SIGKILL");
      // Until then the next one refuses to start, and its port may still answer.
      while (isAlive(Number(pid))) await sleep(POLL_DELAY_MS);
      await withClient(adminUrls[index] ?? "", async (client) => await client.query("select"));
    },
    stop: async () => {
      tether.stdin.end();
      await ended;
    },
  };
}

/** Makes an empty database on every server, and one cluster of them. @returns its address at the coordinator, for the owner. */
export async function createClusterDatabase({ adminUrls, role }: CitusCluster, name: string): Promise<string> {
  for (const url of adminUrls) {
    await withClient(
      url,
      async (client) => await client.query(`create database ${name} template template0 owner ${role}`),
    );
    await withClient(urlOf(url, name), async (client) => {
      await client.query("create extension citus");
      await client.query(`grant all on schema public to ${role}`);
    });
  }
  const [coordinator = "", ...workers] = adminUrls;
  await withClient(urlOf(coordinator, name), async (client) => {
    await client.query("select citus_set_coordinator_host('127.0.0.1', $1::integer)", [portOf(coordinator)]);
    for (const worker of workers)
      await client.query("select citus_add_node('127.0.0.1', $1::integer)", [portOf(worker)]);
  });
  return urlOf(coordinator, name, role);
}

/** @returns the address of another database of the same server, for another role when one is given. */
export function urlOf(url: string, database: string, role?: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  if (role !== undefined) other.username = role;
  return other.href;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function quoteSetting(setting: string): string {
  const [name = "", ...value] = setting.split("=");
  return `${name} = '${value.join("=")}'`;
}

/** Waits for a server that is starting. */
export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<Client> {
  for (let tries = 1; ; tries += 1) {
    const client = new Client({ connectionString: url, application_name: "ewebal-test-admin" });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries >= START_TRIES_MAX) throw error;
      await sleep(POLL_DELAY_MS);
    }
  }
}
