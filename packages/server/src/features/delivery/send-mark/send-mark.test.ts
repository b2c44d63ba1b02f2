// Goal: a database that is older than what was sent from it gives nothing out by itself, and no recipient is forgotten.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { getMessage } from "../lists/list-messages.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { expect, test as workerTest, until, untilCounts } from "../testing/worker-test.ts";

/** A session that is not over yet may write its mark meanwhile. */
const removeFolder = async (folder: string): Promise<void> =>
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 20 });

const test = workerTest.extend<{ dataDir: string }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  dataDir: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "ewebal-mark-"));
    await use(folder);
    await removeFolder(folder);
  },
});

const readMark = async (dataDir: string): Promise<{ generation: number }> =>
  JSON.parse(await readFile(join(dataDir, "send-mark.json"), "utf8")) as { generation: number };
const stateOf = async (db: Db, message: { userId: string; messageId: string }): Promise<string> =>
  (await getMessage(db, message)).state;

describe("a worker that comes back holds what may have gone out", () => {
  test.for([
    ["from an older copy of the files", "update send_epoch set generation = 0"],
    ["from a dump, on another server", "update send_epoch set system_identifier = '1'"],
    ["from a dump, in another database", "update send_epoch set database_oid = 1"],
    ["from a dump, in the same database", "update send_epoch set table_oid = 1"],
    ["from a standby that was promoted", "update send_epoch set timeline = '00000009'"],
    ["from before an earlier restore", "update send_epoch set epoch_id = gen_random_uuid()"],
    ["from before the program kept a mark", "delete from send_epoch"],
    [
      "from a copy that starts with an empty data directory",
      "update send_epoch set seen_at = now() - interval '1 day', installation_id = gen_random_uuid()",
    ],
  ] as const)("%s", async ([, change], { db, startSession, dataDir }) => {
    const first = await startSession([new FakeCarrier()], { dataDir });
    const done = await buildMessage(db, { recipientCount: 3 });
    await untilCounts(db, done, { sent: 3 });
    await first.stop();
    const waiting = await buildMessage(db, { recipientCount: 600 });
    const paused = await buildMessage(db, { recipientCount: 2 });
    await db.query("update message set state = 2 where message_id = $1", [paused.messageId]);
    await db.query("update message_batch set state = 0 where message_id = $1", [paused.messageId]);
    await db.query(change);

    const carrier = new FakeCarrier();
    await startSession([carrier], { dataDir });
    const later = await buildMessage(db, { recipientCount: 5 });
    await untilCounts(db, later, { sent: 5 });
    expect(carrier.taken).toHaveLength(5);
    expect([await stateOf(db, waiting), await stateOf(db, paused), await stateOf(db, done)]).toEqual([
      "held",
      "held",
      "done",
    ]);
    const { rows } = await db.query<{ held_count: number }>("select held_count from send_epoch where is_current");
    expect(rows).toEqual([{ held_count: 2 }]);
  });
});

describe("nothing is held", () => {
  test("when a worker comes back to the database that it left, killed or not", async ({
    db,
    startSession,
    dataDir,
  }) => {
    const carrier = new FakeCarrier();
    const session = await startSession([carrier], { dataDir });
    await session.abandon();
    const message = await buildMessage(db, { recipientCount: 5 });
    await startSession([carrier], { dataDir });
    await untilCounts(db, message, { sent: 5 });
  });

  test("when another machine joins, or comes back after a restore that others have seen", async ({
    db,
    startSession,
    dataDir,
  }) => {
    const other = await mkdtemp(join(tmpdir(), "ewebal-mark-"));
    try {
      const carrier = new FakeCarrier();
      const session = await startSession([carrier], { dataDir });
      await (await startSession([carrier], { dataDir: other })).stop();
      const before = await readFile(join(other, "send-mark.json"), "utf8");
      await session.stop();
      await db.query("update send_epoch set timeline = '00000009'");
      await (await startSession([carrier], { dataDir })).stop();
      await writeFile(join(other, "send-mark.json"), before);
      const message = await buildMessage(db, { recipientCount: 5 });
      await startSession([carrier], { dataDir: other });
      await untilCounts(db, message, { sent: 5 });
    } finally {
      await removeFolder(other);
    }
  });
});

test("the mark beside the database never runs ahead of it, and moves every second", async ({
  db,
  startSession,
  dataDir,
}) => {
  await startSession([], { dataDir });
  const { generation } = await readMark(dataDir);
  await until("it has moved", async () => (await readMark(dataDir)).generation > generation);
  const { generation: beside } = await readMark(dataDir);
  const { rows } = await db.query<{ isBehind: boolean }>(
    `select generation >= $1 as "isBehind" from send_epoch where is_current`,
    [beside],
  );
  expect(rows).toEqual([{ isBehind: true }]);
});

test("a living worker claims and records nothing from the moment that the server is another one, and what it had is held", async ({
  db,
  startSession,
}) => {
  const carrier = new FakeCarrier({ behaviour: () => "silent" });
  const session = await startSession([carrier]);
  const message = await buildMessage(db, { recipientCount: 500 });
  await until("some are handed over", () => carrier.taken.length >= 100);
  const waiting = await buildMessage(db, { recipientCount: 2_000 });
  await db.query("update send_epoch set timeline = '00000009'");
  for (const taken of carrier.taken) carrier.answer(taken, "accept");
  await session.lost;
  await session.abandon();
  const handedOver = new Set(carrier.phoneNos);

  const next = new FakeCarrier();
  await startSession([next]);
  expect([await stateOf(db, message), await stateOf(db, waiting)]).toEqual(["held", "held"]);
  const later = await buildMessage(db, { recipientCount: 5 });
  await untilCounts(db, later, { sent: 5 });
  expect(next.taken).toHaveLength(5);
  const { counts } = await getMessage(db, message);
  expect(counts.waiting + counts.sent).toBe(500);
  expect(counts.sent).toBeLessThanOrEqual(handedOver.size);
});
