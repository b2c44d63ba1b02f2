import { execFile, spawn } from "node:child_process";
import { access, chown, constants, mkdtemp, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { findNativeFolder } from "../db/embedded/binaries.ts";

export type TestServer = { url: string; stop: () => Promise<void> };

/** Nothing here has to survive a power cut; every figure about durability comes from tests with a server of their own. */
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "autovacuum=off",
  "max_connections=200",
  "shared_buffers=128MB",
  // The cluster may live in memory; see `findFastFolder`.
  "max_wal_size=256MB",
  "log_min_messages=panic",
];
const NOBODY = 65_534;
const START_TIMEOUT_MS = 20_000;

/** Starts a throw-away PostgreSQL that ends with this process, however this process ends. */
export async function startTestServer(): Promise<TestServer> {
  const native = await findNativeFolder();
  const folder = await mkdtemp(join(await findFastFolder(), "ewebal-test-"));
  // PostgreSQL refuses to run as root.
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (identity.uid !== undefined) await chown(folder, NOBODY, NOBODY);
  const data = join(folder, "data");
  const initdb = ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--encoding=UTF8"];
  const collation = ["--locale-provider=builtin", "--locale=C.UTF-8"];
  await promisify(execFile)(join(native, "bin/initdb"), [...initdb, ...collation], { ...identity, cwd: folder });

  const port = await findFreePort();
  // The shell holds our end of a pipe as its input: when this process ends, even by kill -9, `read` returns and the
  // server goes with its files. Servers left behind would eat the machine of whoever runs tests often.
  const script = `folder=$1; shift; "$@" & server=$!; read -r _; kill -QUIT $server; wait $server; cd / && rm -rf -- "$folder"`;
  const args = ["-c", script, "sh", folder, join(native, "bin/postgres"), "-D", data, "-p", String(port)];
  const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
  const tether = spawn("/bin/sh", [...args, ...settings], {
    ...identity,
    cwd: folder,
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = new Promise<void>((done) => tether.once("exit", () => done()));
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await waitUntilReady(url);
  return {
    url,
    stop: async () => {
      tether.stdin.end();
      await ended;
    },
  };
}

const MEMORY_FOLDER = "/dev/shm";
/** A run with a million recipients stays well below this; a container's 64 MB would not hold one template. */
const MEMORY_BYTES_MIN = 4 * 2 ** 30;

/** A copy of the template is 300 files: 11 ms in memory, 90 to 280 ms on the ext4 of the same machine. */
async function findFastFolder(): Promise<string> {
  try {
    await access(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    return Math.min(bavail * bsize, freemem()) >= MEMORY_BYTES_MIN ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir(); // Not every system has one.
  }
}

async function waitUntilReady(url: string): Promise<void> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > deadlineMs) throw new Error("The test server did not start in time", { cause: error });
      await sleep(20);
    }
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, "127.0.0.1", done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (address === null || typeof address === "string") throw new Error("No free port on 127.0.0.1");
  return address.port;
}
