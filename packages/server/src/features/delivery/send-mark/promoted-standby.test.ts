// Goal: a primary is killed while its standby lags behind, and the standby is promoted under the same address: nobody gets a message
// twice, and nobody who has no record is forgotten. Method: two servers of their own, and a line that is moved from one to the other.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { migrate } from "../../../db/migrate.ts";
import { createPool, type Db } from "../../../db/pool.ts";
import { isConnectionLost } from "../../../db/sql-state.ts";
import { CommitUnknownError, withTransaction } from "../../../db/transaction.ts";
import { buildFundedUser, buildMessage, type BuiltMessage } from "../../../testing/delivery-factories.ts";
import { StandbyPair, withPool } from "../../../testing/standby-pair.ts";
import { ensurePartitions } from "../outcomes/ensure-partitions.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { releaseMessage } from "./held-messages.ts";
import { SendMark } from "./send-mark.ts";
import { expect, readCounts, test, until, untilCounts } from "../testing/worker-test.ts";

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

const nameOf = ({ context, phoneNo }: FakeCarrier["taken"][number]): string =>
  `${context.batch.message.messageId}:${phoneNo}`;

test(
  "a lagging standby is promoted after kill -9 of its primary: 0 twice, also when it is released, 0 forgotten",
  { timeout: 90_000 },
  async ({ startSession }) => {
    const pair = await StandbyPair.make();
    try {
      const first = await pair.start("primary");
      await withPool(first.url, async (db) => {
        await migrate(db);
        await ensurePartitions(db, new Date());
      });
      const replication = await openLine(first.port);
      const [primary, standby] = await pair.startBoth(first, (port) => {
        replication.moveTo(port);
        return replication.port;
      });
      const line = await openLine(primary.port);
      const db = createPool({ url: `postgres://ewebal@127.0.0.1:${line.port}/postgres` });
      try {
        const carrier = new FakeCarrier({ messagesPerSecond: 2_000 });
        const mark = new SendMark(db, pino({ level: "silent" }));
        const session = await startSession([carrier], { db, mark });
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

        const next = await startSession([carrier], { db, mark });
        const fresh = await buildMessage(db, {
          recipientCount: 5,
          phoneNos: Array.from({ length: 5 }, (_, index) => 2_348_050_000_000 + index),
        });
        await untilCounts(db, fresh, { sent: 5 });
        expect(carrier.taken).toHaveLength(handedOver + 5);
        expect(new Set(carrier.taken.map(nameOf)).size).toBe(handedOver + 5);
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

        // The worker that survived knows which ones: they become unknown, and the others are sent.
        for (const { messageId } of messages)
          await withTransaction(db, (tx) => releaseMessage(tx, messageId, new Date())).catch((error: unknown) => {
            // A message that was through before the standby fell behind is not held.
            expect(error).toMatchObject({ code: "STATE_CONFLICT" });
          });
        for (const message of messages)
          await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);
        expect(carrier.taken).toHaveLength(6_085);
        expect(new Set(carrier.taken.map(nameOf)).size).toBe(6_085);
        let unknownCount = 0;
        for (const message of messages) unknownCount += (await readCounts(db, message)).unknown;
        expect(unknownCount).toBeGreaterThanOrEqual(800);
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

test(
  "a synchronous standby is promoted after kill -9 of its primary and of the worker: 0 twice, 0 lost, no more unknown than a kill costs",
  { timeout: 90_000 },
  async ({ startSession }) => {
    const pair = await StandbyPair.make();
    try {
      const first = await pair.start("primary");
      await withPool(first.url, async (db) => {
        await migrate(db);
        await ensurePartitions(db, new Date());
      });
      const replication = await openLine(first.port);
      const [primary, standby] = await pair.startBoth(
        first,
        (port) => {
          replication.moveTo(port);
          return replication.port;
        },
        ["synchronous_standby_names=*"],
      );
      const line = await openLine(primary.port);
      const db = createPool({ url: `postgres://ewebal@127.0.0.1:${line.port}/postgres` });
      try {
        const windowSize = 20;
        const carrier = new FakeCarrier({ windowSize, messagesPerSecond: 2_000 });
        const session = await startSession([carrier], { db });
        const user = await buildFundedUser(db);
        const messages = [await buildMessage(db, { userId: user.userId, recipientCount: 4_000 })];
        await until("it is under way", () => carrier.taken.length >= 600);
        const sending = sendUntilRefused(db, user.userId, messages);
        await until("small sends are accepted beside it", () => messages.length >= 20);
        // The primary is on its own for a while: nothing is accepted and nothing goes out that it alone knows of.
        await replication.close();
        await sleep(300);
        const takenAlone = carrier.taken.length;
        await sleep(300);
        expect(carrier.taken).toHaveLength(takenAlone);
        await pair.stop(primary, "SIGKILL");
        await sending;
        // Another process follows, which knows nothing of what this one handed over.
        await session.abandon();
        const handedOver = carrier.taken.length;
        expect(handedOver).toBeLessThan(4_000);

        await withPool(standby.url, async (own) => await own.query("select pg_promote()"));
        line.moveTo(standby.port);
        const next = await startSession([carrier], { db });
        // What was accepted is there. Whether it was going out or still waited, an administrator looks at it first.
        for (const { messageId } of messages) {
          const { rows } = await db.query<{ state: number }>("select state from message where message_id = $1", [
            messageId,
          ]);
          expect(rows).toHaveLength(1);
          if (rows[0]?.state === 4) await withTransaction(db, (tx) => releaseMessage(tx, messageId, new Date()));
        }
        let unknownCount = 0;
        let sentCount = 0;
        for (const message of messages) {
          await until("nobody waits", async () => (await readCounts(db, message)).waiting === 0);
          const counts = await readCounts(db, message);
          unknownCount += counts.unknown;
          sentCount += counts.sent;
        }
        const recipientCount = 4_000 + messages.length - 1;
        expect(sentCount + unknownCount).toBe(recipientCount);
        expect(new Set(carrier.taken.map(nameOf)).size).toBe(carrier.taken.length);
        expect(carrier.taken.length).toBeGreaterThanOrEqual(sentCount);
        expect(unknownCount).toBeLessThanOrEqual(2 * windowSize);
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

/** Small sends one after the other, each one written down as soon as its commit was answered, until the database is gone. */
async function sendUntilRefused(db: Db, userId: string, accepted: BuiltMessage[]): Promise<void> {
  for (let index = 0; ; index += 1) {
    try {
      accepted.push(await buildMessage(db, { userId, phoneNos: [2_348_060_000_000 + index] }));
    } catch (error) {
      if (isConnectionLost(error) || error instanceof CommitUnknownError) return;
      throw error;
    }
  }
}
