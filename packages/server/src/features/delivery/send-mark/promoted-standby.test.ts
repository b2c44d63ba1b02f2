// Goal: a primary is killed while its standby lags behind, and the standby is promoted under the same address: nobody gets a message
// twice, and nobody who has no record is forgotten. Method: two servers of their own, and a line that is moved from one to the other.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
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
import { migrate } from "../../../db/migrate.ts";
import { createPool, type Db } from "../../../db/pool.ts";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { ensurePartitions } from "../outcomes/ensure-partitions.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { expect, readCounts, test, until, untilCounts } from "../testing/worker-test.ts";

type Server = { port: number; url: string; process: ChildProcess };

/** Two copies of one cluster, the second one ready to follow the first. */
class Pair {
  readonly folder: string;
  readonly #binaries: Binaries;
  readonly #identity: Identity | undefined;
  readonly #running: Server[] = [];

  constructor(folder: string, binaries: Binaries, identity: Identity | undefined) {
    this.folder = folder;
    this.#binaries = binaries;
    this.#identity = identity;
  }

  static async make(): Promise<Pair> {
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
    return new Pair(folder, binaries, identity);
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
    await withPool(server.url, async (db) => await until(`the ${name} serves`, async () => await isServing(db)));
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

async function withPool<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = createPool({ url, connectionsMax: 2 });
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

/** One address that leads to one server, and then to the other. */
async function openLine(
  firstPort: number,
): Promise<{ port: number; moveTo: (port: number) => void; close: () => Promise<void> }> {
  let target = firstPort;
  const sockets = new Set<Socket>();
  const line = createServer((incoming) => {
    const outgoing = connect(target, "127.0.0.1");
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket
        .on("error", () => undefined)
        .on("close", () => {
          sockets.delete(socket);
          incoming.destroy();
          outgoing.destroy();
        });
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  await once(line.listen(0, "127.0.0.1"), "listening");
  const address = line.address();
  if (address === null || typeof address === "string") throw new Error("the line has no port");
  return {
    port: address.port,
    moveTo: (port) => {
      target = port;
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => line.close(done));
    },
  };
}

test(
  "a lagging standby is promoted after kill -9 of its primary: 0 twice, 0 forgotten",
  { timeout: 90_000 },
  async ({ startSession }) => {
    const pair = await Pair.make();
    try {
      const first = await pair.start("primary");
      await withPool(first.url, async (db) => {
        await migrate(db);
        await ensurePartitions(db, new Date());
      });
      await pair.stop(first, "SIGINT");
      await pair.copyToStandby();
      const primary = await pair.start("primary");
      const replication = await openLine(primary.port);
      const standby = await pair.start("standby", [
        `primary_conninfo=host=127.0.0.1 port=${replication.port} user=ewebal`,
      ]);
      const line = await openLine(primary.port);
      const db = createPool({ url: `postgres://ewebal@127.0.0.1:${line.port}/postgres` });
      try {
        const carrier = new FakeCarrier({ messagesPerSecond: 2_000 });
        const session = await startSession([carrier], { db });
        const messages = [
          await buildMessage(db, { recipientCount: 4_000 }),
          await buildMessage(db, { recipientCount: 80 }),
          await buildMessage(db, {
            recipientCount: 2_000,
            phoneNos: Array.from({ length: 2_000 }, (_, index) => 2_348_040_000_000 + index),
          }),
        ];
        await until("it is under way", () => carrier.taken.length >= 600);
        // The standby hears nothing more, while the primary goes on.
        await withPool(standby.url, async (own) => {
          await until(
            "it follows",
            async () =>
              ((await own.query("select from pg_stat_wal_receiver where status = 'streaming'")).rowCount ?? 0) > 0,
          );
          await replication.close();
          await until(
            "it hears nothing more",
            async () => (await own.query("select from pg_stat_wal_receiver")).rowCount === 0,
          );
        });
        const takenAtLag = carrier.taken.length;
        await until("more was sent", () => carrier.taken.length >= takenAtLag + 800);
        await pair.stop(primary, "SIGKILL");
        await withPool(standby.url, async (own) => await own.query("select pg_promote()"));
        line.moveTo(standby.port);
        await session.lost;
        await session.abandon();
        const handedOver = carrier.taken.length;

        const next = await startSession([carrier], { db });
        const fresh = await buildMessage(db, {
          recipientCount: 5,
          phoneNos: Array.from({ length: 5 }, (_, index) => 2_348_050_000_000 + index),
        });
        await untilCounts(db, fresh, { sent: 5 });
        expect(carrier.taken).toHaveLength(handedOver + 5);
        expect(
          new Set(carrier.taken.map(({ context, phoneNo }) => `${context.batch.message.messageId}:${phoneNo}`)).size,
        ).toBe(handedOver + 5);
        let waitingCount = 0;
        for (const message of messages) {
          const counts = await readCounts(db, message);
          expect(counts.waiting + counts.sent + counts.unknown).toBe(message.phoneNos.length);
          const { rows } = await db.query<{ state: number }>("select state from message where message_id = $1", [
            message.messageId,
          ]);
          if (counts.waiting > 0) expect(rows).toEqual([{ state: 4 }]);
          waitingCount += counts.waiting;
        }
        // Some of them were handed over: without the mark they would have been sent again.
        expect(waitingCount).toBeGreaterThan(6_080 - handedOver);
        await next.stop();
      } finally {
        await line.close();
        await db.end();
      }
    } finally {
      await pair.end();
    }
  },
);
