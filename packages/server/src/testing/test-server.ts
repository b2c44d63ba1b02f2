import { execFile, spawn } from "node:child_process";
import { chown, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { chooseIdentity, findFreePort, findNativeFolder, prepareBinaries } from "@ewebal/embedded-postgres";
import { findFastFolder } from "@ewebal/embedded-postgres/testing/fast-folder";

export type TestServer = { url: string; stop: () => Promise<void> };

/** Nothing here has to survive a power cut; every figure about durability comes from tests with a server of their own. */
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=200",
  "shared_buffers=128MB",
  // The cluster may live in memory; see `fast-folder.ts`.
  "max_wal_size=256MB",
  "log_min_messages=panic",
  // Copies the files of a database within the kernel: each test's takes 4 ms less.
  "file_copy_method=clone",
  // Databases live for a moment; looking through all of them would only take processor time.
  "autovacuum=off",
];
const SUPERUSER = "postgres";
/** Like the role of the embedded server and of a cautious operator: what needs more fails in the tests already. */
const ROLE = "ewebal";
const START_TIMEOUT_MS = 20_000;
const POLL_DELAY_MS = 20;

/** Starts a throw-away PostgreSQL that ends with this process, however this process ends. */
export async function startTestServer(): Promise<TestServer> {
  const folder = await mkdtemp(join(await findFastFolder(), "ewebal-test-"));
  const data = join(folder, "data");
  const identity = await chooseIdentity(ROLE, data);
  if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
  const { initdb, postgres } = await prepareBinaries({
    nativeFolder: findNativeFolder(),
    cacheFolder: folder,
    identity,
  });
  const args = ["-D", data, "-U", SUPERUSER, "-A", "trust", "--no-sync", "--encoding=UTF8", "--no-locale"];
  const collation = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  await promisify(execFile)(initdb, [...args, ...collation], { ...identity, cwd: folder });

  const port = await findFreePort();
  // The shell holds our end of a pipe as its input: when this process ends, even by kill -9, `read` returns and the
  // server goes with its files. Servers left behind would eat the machine of whoever runs tests often.
  const script = `folder=$1; shift; "$@" & server=$!; read -r _; kill -QUIT $server; wait $server; cd / && rm -rf -- "$folder"`;
  const server = [postgres, "-D", data, "-p", String(port), ...SETTINGS.flatMap((setting) => ["-c", setting])];
  const tether = spawn("/bin/sh", ["-c", script, "sh", folder, ...server], {
    ...identity,
    cwd: folder,
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = new Promise<void>((done) => tether.once("exit", () => done()));
  const urlOf = (role: string): string => `postgres://${role}@127.0.0.1:${port}/postgres`;
  await createRole(urlOf(SUPERUSER));
  return {
    url: urlOf(ROLE),
    stop: async () => {
      tether.stdin.end();
      await ended;
    },
  };
}

async function createRole(url: string): Promise<void> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.query(`create role ${ROLE} login createdb`);
      return;
    } catch (error) {
      if (Date.now() > deadlineMs) throw new Error("The test server did not start in time", { cause: error });
      await sleep(POLL_DELAY_MS);
    } finally {
      await client.end();
    }
  }
}
