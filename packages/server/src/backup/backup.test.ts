// Goal: a back-up made while messages are being sent comes back whole, sends nothing twice and forgets nobody.
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { describe } from "vitest";
import { readConfig, type Config } from "../base/config.ts";
import { createPool, openLongSession, type Db } from "../db/pool.ts";
import { withTransaction } from "../db/transaction.ts";
import { systemClock } from "../base/deps.ts";
import { FakeCarrier } from "../features/delivery/testing/fake-carrier.ts";
import {
  expect,
  readCounts,
  test as workerTest,
  until,
  untilCounts,
} from "../features/delivery/testing/worker-test.ts";
import { keepFile, openFileStore, storeFile, type FileStore } from "../files/index.ts";
import { readLedgerInvariants } from "../ledger/index.ts";
import { buildMessage } from "../testing/delivery-factories.ts";
import { buildUser } from "../testing/factories.ts";
import { backUp } from "./back-up.ts";
import { selectTables } from "./backup-store.ts";
import { makeNightlyBackup } from "./nightly-backup.ts";
import { restore } from "./restore.ts";

const log = pino({ level: "silent" });
const KEY = randomBytes(32).toString("base64");

type Place = { folder: string; config: Config; files: FileStore };

const test = workerTest.extend<{ from: Place; into: Place & { db: Db } }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  from: async ({}, use) => await withPlace(use),
  into: async ({ emptyDatabaseUrl }, use) => {
    await withPlace(async (place) => {
      const db = createPool({ url: emptyDatabaseUrl });
      await use({ ...place, db });
      await db.end();
    });
  },
});

async function withPlace(use: (place: Place) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "ewebal-backup-"));
  const config = readConfig({ DATA_DIR: folder, BACKUP_KEY: KEY, BACKUP_DIR: join(folder, "nightly") });
  const files = await openFileStore(config);
  await use({ folder, config, files });
  files.close();
  await rm(folder, { recursive: true });
}

async function keepReceipt(db: Db, files: FileStore, bytes: Buffer): Promise<string> {
  const { userId } = await buildUser(db);
  const fileId = await storeFile({ db, clock: systemClock }, files, {
    userId,
    extension: "png",
    contentType: "image/png",
    bytes,
  });
  await withTransaction(db, (tx) => keepFile({ clock: systemClock }, tx, { userId, fileId }));
  return `${fileId.slice(-2)}/${fileId}.png`;
}

/** Every row of every table, except for what a restore changes. */
async function readRows(db: Db): Promise<Record<string, unknown>> {
  const digests: Record<string, unknown> = {};
  for (const { name, columns } of await selectTables(db)) {
    if (["session", "one_time_token", "process_heartbeat", "send_epoch"].includes(name)) continue;
    const list = columns.map((column) => `"${column}"`).join(", ");
    const { rows } = await db.query(
      `select count(*), md5(coalesce(string_agg(line, ',' order by line), '')) as digest from (select row(${list})::text as line from "${name}") as lines`,
    );
    digests[name] = rows[0];
  }
  const { rows } = await db.query("select last_value, is_called from bulk_turn");
  return { ...digests, bulkTurn: rows };
}

describe("a restore is refused, and leaves an empty database", () => {
  test("with another key, without a key, cut short, changed, or no back-up at all", async ({ db, from, into }) => {
    await buildMessage(db, { recipientCount: 2_000 });
    const path = join(from.folder, "one.backup");
    await backUp(path, { db, ...from });
    const whole = await readFile(path);
    const changed = Buffer.from(whole);
    changed[whole.length - 100] = (changed[whole.length - 100] ?? 0) ^ 1;
    const attempt = async (bytes: Buffer, key?: string): Promise<string> => {
      await writeFile(path, bytes);
      const config = readConfig({ DATA_DIR: into.folder, ...(key !== undefined && { BACKUP_KEY: key }) });
      return await restore(path, { ...into, config, log }).then(
        () => "restored",
        (error: unknown) => (error as Error).message,
      );
    };
    expect(await attempt(whole, randomBytes(32).toString("base64"))).toMatch(/^BACKUP_KEY is not the key/);
    expect(await attempt(whole)).toMatch(/^the back-up is encrypted; set BACKUP_KEY/);
    expect(await attempt(whole.subarray(0, whole.length - 40), KEY)).toMatch(/cut short|not the key/);
    expect(await attempt(changed, KEY)).toMatch(/damaged|not the key/);
    expect(await attempt(Buffer.from("hello"), KEY)).toMatch(/is no back-up of this program/);
    expect(await selectTables(into.db)).toEqual([]);
    expect(await attempt(whole, KEY)).toBe("restored");
  });

  test("when an unencrypted one is cut short, at any place", async ({ db, from, into }) => {
    await buildMessage(db, { recipientCount: 500 });
    const path = join(from.folder, "one.backup");
    const config = { ...from.config, backupKey: undefined };
    const { byteCount } = await backUp(path, { db, files: from.files, config });
    for (const kept of [byteCount - 1, byteCount - 9, Math.floor(byteCount / 2), 40]) {
      await truncate(path, kept);
      await expect(restore(path, { ...into, config: { ...config, dataDir: into.folder }, log })).rejects.toThrow(
        /cut short|damaged/,
      );
    }
    expect(await selectTables(into.db)).toEqual([]);
  });

  test("into a database that holds something, or beside another key", async ({ db, from, into }) => {
    await buildMessage(db, { recipientCount: 1 });
    const path = join(from.folder, "one.backup");
    await mkdir(join(from.folder, "secrets"));
    await writeFile(join(from.folder, "secrets", "secrets.key"), "one");
    await backUp(path, { db, ...from });
    await expect(restore(path, { ...from, db, log })).rejects.toThrow("the database is not empty");
    await mkdir(join(into.folder, "secrets"));
    await writeFile(join(into.folder, "secrets", "secrets.key"), "other");
    await expect(restore(path, { ...into, log })).rejects.toThrow("is another key than the one in the back-up");
    expect(await selectTables(into.db)).toEqual([]);
    expect(await readFile(join(into.folder, "secrets", "secrets.key"), "utf8")).toBe("other");
  });
});

test("its statements last as long as they need, whatever the pool's limit is", async ({ databaseUrl }) => {
  const hasty = createPool({ url: databaseUrl, statementTimeoutMs: 20 });
  const session = await openLongSession(hasty);
  await expect(hasty.query("select pg_sleep(0.2)")).rejects.toThrow(/timeout/);
  await session.query("select pg_sleep(0.2)");
  await session.end();
  await hasty.end();
});

test("a back-up never writes over a file, and leaves none behind when it fails", async ({ db, from }) => {
  const path = join(from.folder, "one.backup");
  await writeFile(path, "something else");
  await expect(backUp(path, { db, ...from })).rejects.toThrow("exists already");
  expect(await readFile(path, "utf8")).toBe("something else");
  const broken = { ...from.files, get: () => Promise.reject(new Error("the store is away")) };
  await keepReceipt(db, from.files, Buffer.from("one"));
  await expect(backUp(join(from.folder, "two.backup"), { db, config: from.config, files: broken })).rejects.toThrow(
    "the store is away",
  );
  expect((await readdir(from.folder)).filter((name) => name.startsWith("two"))).toEqual([]);
});

test("everything comes back as it was: every row, counter, file and key, with every rule in force", async ({
  db,
  from,
  into,
  startSession,
}) => {
  const message = await buildMessage(db, { recipientCount: 1_200 });
  const session = await startSession([new FakeCarrier()]);
  await untilCounts(db, message, { sent: 1_200 });
  await session.stop();
  const bytes = randomBytes(600_000);
  const name = await keepReceipt(db, from.files, bytes);
  await mkdir(join(from.folder, "secrets"));
  await writeFile(join(from.folder, "secrets", "secrets.key"), "a key");
  const path = join(from.folder, "one.backup");
  const made = await backUp(path, { db, ...from });
  expect(made).toMatchObject({ filesDone: 1, missingFiles: [] });
  expect((await readFile(path)).includes("234803")).toBe(false);

  const restored = await restore(path, { ...into, log });
  expect(restored).toMatchObject({ rowCount: made.rowCount, filesDone: 1, heldCount: 0 });
  expect(await readRows(into.db)).toEqual(await readRows(db));
  expect(await into.files.get(name)).toEqual(bytes);
  expect(await readFile(join(into.folder, "secrets", "secrets.key"), "utf8")).toBe("a key");
  // The restore has switched triggers and foreign keys on again.
  await expect(into.db.query("update journal_entry set amount_milli = amount_milli + 1")).rejects.toThrow();
  await expect(into.db.query("delete from app_user")).rejects.toThrow(/foreign key/);
});

test("made while messages are sent, and restored: nobody gets one twice, nobody is forgotten, the ledger adds up", async ({
  db,
  from,
  into,
  startSession,
}) => {
  // At this pace 2,200 messages take 15 s, several times as long as a back-up: some are left to send after it.
  const carrier = new FakeCarrier({ messagesPerSecond: 150, windowSize: 20 });
  await startSession([carrier], { dataDir: from.folder });
  const [large, other] = [
    await buildMessage(db, { recipientCount: 1_500 }),
    await buildMessage(db, { recipientCount: 700 }),
  ];
  await until("it is under way", () => carrier.taken.length >= 150);
  const path = join(from.folder, "one.backup");
  await backUp(path, { db, ...from });
  const takenAtEnd = carrier.taken.length;
  expect(takenAtEnd).toBeLessThan(2_200);
  // The product worked on after the back-up. Its database is lost now.
  await until("more was sent", () => carrier.taken.length >= takenAtEnd + 200);

  const { heldCount } = await restore(path, { ...into, log });
  expect(heldCount).toBeGreaterThanOrEqual(1);
  expect((await readLedgerInvariants(into.db)).filter(({ violations }) => violations > 0)).toEqual([]);
  const next = new FakeCarrier();
  const session = await startSession([next], { db: into.db, dataDir: into.folder });
  const fresh = await buildMessage(into.db, { recipientCount: 3 });
  await untilCounts(into.db, fresh, { sent: 3 });
  expect(next.taken).toHaveLength(3);
  for (const message of [large, other]) {
    const { waiting, sent } = await readCounts(into.db, message);
    expect(waiting + sent).toBe(message.phoneNos.length);
    const { rows } = await into.db.query("select state from message where message_id = $1", [message.messageId]);
    // Recipients without a delivery row wait in held messages.
    if (waiting > 0) expect(rows).toEqual([{ state: 4 }]);
  }
  await session.stop();
});

test("the nightly back-up is made once a day, and the newest fourteen are kept", async ({ db, from }) => {
  const folder = from.config.backupDir ?? "";
  await mkdir(folder);
  for (let day = 1; day <= 20; day += 1)
    await writeFile(join(folder, `ewebal-2026-01-${String(day).padStart(2, "0")}.backup`), "old");
  await writeFile(join(folder, "ewebal-2026-02-01.backup.part"), "killed");
  await writeFile(join(folder, "notes.txt"), "mine");
  const clock = { now: () => new Date("2026-02-01T02:17:00Z") };
  await makeNightlyBackup({ db, config: from.config, clock, log });
  const names = await readdir(folder);
  expect(names.toSorted()).toEqual([
    ...Array.from({ length: 13 }, (_, index) => `ewebal-2026-01-${String(index + 8).padStart(2, "0")}.backup`),
    "ewebal-2026-02-01.backup",
    "notes.txt",
  ]);
  const made = await readFile(join(folder, "ewebal-2026-02-01.backup"));
  await makeNightlyBackup({ db, config: from.config, clock, log });
  expect(await readFile(join(folder, "ewebal-2026-02-01.backup"))).toEqual(made);
});
