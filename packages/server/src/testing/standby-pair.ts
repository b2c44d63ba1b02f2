import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import {
  type Binaries,
  chooseIdentity,
  findFreePort,
  findNativeFolder,
  type Identity,
  prepareBinaries,
} from "@ewebal/embedded-postgres";
import { findFastFolder } from "@ewebal/embedded-postgres/testing/fast-folder";
import { createPool, type Db } from "../db/pool.ts";

export type Server = { port: number; url: string; process: ChildProcess };

const SERVES_POLL_MS = 50;
const SERVES_TRIES_MAX = 400;

/** Two copies of one cluster, the second one ready to follow the first. */
export class StandbyPair {
  readonly folder: string;
  readonly #binaries: Binaries;
  readonly #identity: Identity | undefined;
  readonly #running: Server[] = [];

  constructor(folder: string, binaries: Binaries, identity: Identity | undefined) {
    this.folder = folder;
    this.#binaries = binaries;
    this.#identity = identity;
  }

  static async make(): Promise<StandbyPair> {
    const folder = await mkdtemp(join(await findFastFolder(), "ewebal-standby-"));
    const identity = await chooseIdentity("ewebal", join(folder, "primary"));
    if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
    const binaries = await prepareBinaries({ nativeFolder: findNativeFolder(), cacheFolder: folder, identity });
    const args = [
      "-D",
      join(folder, "primary"),
      "-U",
      "ewebal",
      "-A",
      "trust",
      "--no-sync",
      "--encoding=UTF8",
      "--no-locale",
    ];
    await promisify(execFile)(binaries.initdb, args, { ...identity, cwd: folder });
    return new StandbyPair(folder, binaries, identity);
  }

  async start(name: "primary" | "standby", settings: string[] = []): Promise<Server> {
    const port = await findFreePort();
    const all = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "fsync=off",
      "shared_buffers=32MB",
      "log_min_messages=panic",
      ...settings,
    ];
    const args = ["-D", join(this.folder, name), "-p", String(port), ...all.flatMap((setting) => ["-c", setting])];
    const server = {
      port,
      url: `postgres://ewebal@127.0.0.1:${port}/postgres`,
      process: spawn(this.#binaries.postgres, args, { ...this.#identity, cwd: this.folder, stdio: "ignore" }),
    };
    this.#running.push(server);
    await withPool(server.url, async (db) => {
      for (let tries = 0; !(await isServing(db)); tries += 1) {
        if (tries > SERVES_TRIES_MAX) throw new Error(`the ${name} does not serve`);
        await sleep(SERVES_POLL_MS);
      }
    });
    return server;
  }

  async copyToStandby(): Promise<void> {
    await cp(join(this.folder, "primary"), join(this.folder, "standby"), { recursive: true, preserveTimestamps: true });
    await writeFile(join(this.folder, "standby", "standby.signal"), "");
    if (this.#identity === undefined) return;
    await promisify(execFile)("chown", [
      "-R",
      `${this.#identity.uid}:${this.#identity.gid}`,
      join(this.folder, "standby"),
    ]);
    await promisify(execFile)("chmod", ["700", join(this.folder, "standby")]);
  }

  /**
   * Replaces the running primary by itself and a standby that follows it through `replicationPort`, or directly.
   *
   * @param settings of the primary alone, such as `synchronous_standby_names`.
   */
  async startBoth(
    first: Server,
    replicationPort?: (primaryPort: number) => number,
    settings: string[] = [],
  ): Promise<[Server, Server]> {
    await this.stop(first, "SIGINT");
    await this.copyToStandby();
    const primary = await this.start("primary", settings);
    const port = replicationPort?.(primary.port) ?? primary.port;
    const standby = await this.start("standby", [`primary_conninfo=host=127.0.0.1 port=${port} user=ewebal`]);
    return [primary, standby];
  }

  async stop(server: Server, signal: NodeJS.Signals): Promise<void> {
    const ended = once(server.process, "exit");
    if (server.process.exitCode === null && server.process.signalCode === null && server.process.kill(signal))
      await ended;
  }

  async end(): Promise<void> {
    for (const server of this.#running) await this.stop(server, "SIGQUIT");
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function isServing(db: Db): Promise<boolean> {
  try {
    await db.query("select 1");
    return true;
  } catch {
    return false;
  }
}

export async function withPool<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = createPool({ url, connectionsMax: 2 });
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}
