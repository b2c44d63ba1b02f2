// Goal: a month leaves the tables only when it is written to a file that can be read, and nothing that counts or costs changes.
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { v7 as uuidv7 } from "uuid";
import { readConfig, type Config } from "../base/config.ts";
import { openLongSession, type Db } from "../db/pool.ts";
import { ensurePartitions, listRecipients, removeOldMonths } from "../features/delivery/index.ts";
import { FakeCarrier } from "../features/delivery/testing/fake-carrier.ts";
import {
  expect,
  listLockWaiters,
  readCounts,
  test as workerTest,
  untilCounts,
} from "../features/delivery/testing/worker-test.ts";
import { openFileStore } from "../files/index.ts";
import { readLedgerInvariants } from "../ledger/index.ts";
import { buildMessage, testPhoneNos, type BuiltMessage, type MessageFacts } from "../testing/delivery-factories.ts";
import { backUp } from "./back-up.ts";
import { keepMonths } from "./remove-old-months.ts";
import { unpackMonth } from "./unpack.ts";

const log = pino({ level: "silent" });
const DAY_MS = 86_400_000;
const KEY = Buffer.alloc(32, 7);
/** Messages get ids of this month, whenever the test runs. */
const JANUARY = new Date("2026-01-15T12:00:00Z");
/** No report of what the test sends is awaited any more, and the month of the test is kept: it is this one or the one before. */
const later = { now: () => new Date(Date.now() + 11 * DAY_MS) };

type Fixtures = { config: Config; sendInJanuary: (facts?: MessageFacts) => Promise<BuiltMessage> };

const test = workerTest.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  config: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "ewebal-months-"));
    const settings = { DATA_DIR: folder, BACKUP_DIR: join(folder, "kept"), BACKUP_KEY: KEY.toString("base64") };
    await use(readConfig({ ...settings, KEEP_MONTHS: "1" }));
    await rm(folder, { recursive: true });
  },
  sendInJanuary: async ({ db, startSession }, use) => {
    await startSession([new FakeCarrier({ windowSize: 500 })]);
    await use(async (facts = {}) => {
      const messageId = uuidv7({ msecs: JANUARY.getTime() });
      const message = await buildMessage(db, { messageId, phoneNos: testPhoneNos(600), ...facts });
      const skipped = facts.dndPhoneNos?.length ?? 0;
      await untilCounts(db, message, { sent: message.phoneNos.length - skipped, dnd: skipped });
      return message;
    });
  },
});

async function countRows(db: Db): Promise<{ deliveries: number; numbers: number }> {
  const { rows } = await db.query<{ deliveries: number; numbers: number }>(
    `select (select count(*)::integer from delivery) as deliveries,
       (select coalesce(sum(cardinality(recipients)), 0)::integer from message_batch) as numbers`,
  );
  return rows[0] ?? { deliveries: -1, numbers: -1 };
}

async function tablesOfJanuary(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    "select relnamespace::regnamespace || '.' || relname as name from pg_class where relkind = 'r' and relname like 'delivery%2026_01' order by 1",
  );
  return rows.map(({ name }) => name);
}

async function readMonth(config: Config, name: string): Promise<Record<string, string[]>> {
  const folder = join(config.dataDir, `read-${name}`);
  const names = await unpackMonth(join(config.backupDir ?? "", name), folder, config.backupKey);
  const lines = await Promise.all(
    names.map(async (file) => [file, (await readFile(join(folder, file), "utf8")).trimEnd().split("\n")] as const),
  );
  return Object.fromEntries(lines);
}

test("a month that is over is written, cut and dropped; counts, units and what was skipped stay", async ({
  db,
  config,
  sendInJanuary,
}) => {
  await ensurePartitions(db, JANUARY);
  const phoneNos = testPhoneNos(600);
  const message = await sendInJanuary({ phoneNos, dndPhoneNos: phoneNos.slice(0, 1) });
  const counts = await readCounts(db, message);
  await ensurePartitions(db, new Date());
  const kept = await buildMessage(db, { recipientCount: 3 });
  await untilCounts(db, kept, { sent: 3 });

  await keepMonths({ db, config, clock: later, log });

  expect(await tablesOfJanuary(db)).toEqual([]);
  expect(await countRows(db)).toEqual({ deliveries: 3, numbers: 3 });
  const { rows } = await listRecipients(db, { ...message, limit: 1_000 });
  expect(rows).toHaveLength(600);
  expect(rows[0]).toMatchObject({ position: 0, phoneNo: null, state: "dnd" });
  expect(new Set(rows.slice(1).map(({ phoneNo, state }) => `${phoneNo} ${state}`))).toEqual(new Set(["null notKept"]));
  expect(await readCounts(db, message)).toEqual(counts);
  expect((await readLedgerInvariants(db)).filter(({ violations }) => violations > 0)).toEqual([]);

  expect(await readdir(config.backupDir ?? "")).toEqual(["recipients-2026-01.export"]);
  const files = await readMonth(config, "recipients-2026-01.export");
  expect(files["recipients.csv"]).toHaveLength(600);
  expect(files["recipients.csv"]?.[1]).toMatch(
    new RegExp(`^${message.userId},${message.messageId},\\d+,23480300\\d+,sent,`),
  );
  expect(files["numbers.csv"]).toHaveLength(3);
  expect(files["numbers.csv"]?.[1]).toContain(phoneNos.slice(0, 500).join(" "));

  await keepMonths({ db, config, clock: later, log });
  expect(await readdir(config.backupDir ?? "")).toHaveLength(1);
});

test("without KEEP_MONTHS every month stays, and KEEP_MONTHS without a folder is refused", async ({
  db,
  config,
  sendInJanuary,
}) => {
  await sendInJanuary();
  await keepMonths({ db, config: { ...config, keepMonths: undefined }, clock: later, log });
  expect(await countRows(db)).toEqual({ deliveries: 600, numbers: 600 });
  expect(() => readConfig({ KEEP_MONTHS: "3" })).toThrow("KEEP_MONTHS needs BACKUP_DIR");
  for (const wrong of ["0", "-1", "1.5", "all"])
    expect(() => readConfig({ KEEP_MONTHS: wrong, BACKUP_DIR: "/tmp" })).toThrow("KEEP_MONTHS");
});

test("a month stays while a message of it waits, and while its reports may still come", async ({
  db,
  config,
  sendInJanuary,
}) => {
  await sendInJanuary();
  const paused = await buildMessage(db, {
    messageId: uuidv7({ msecs: JANUARY.getTime() + 1 }),
    phoneNos: [4_915_112_345_678],
    code: "49",
    sendAt: new Date(Date.now() + DAY_MS),
  });
  const client = await openLongSession(db);
  const write = async (): Promise<string> => await Promise.reject(new Error("nothing is to be written"));
  const remove = async (now: Date): Promise<unknown> => await removeOldMonths(client, { now, monthsKept: 1, write });
  expect(await remove(later.now())).toEqual([{ month: "2026-01", outcome: "open", openMessages: 1 }]);
  await db.query("update message_batch set state = 4 where message_id = $1", [paused.messageId]);
  expect(await remove(new Date())).toEqual([{ month: "2026-01", outcome: "reporting", openMessages: 0 }]);
  await client.end();
  expect(await countRows(db)).toMatchObject({ deliveries: 600 });
  await keepMonths({ db, config, clock: later, log });
  expect(await countRows(db)).toEqual({ deliveries: 0, numbers: 0 });
});

test("what lies in the default partition goes as well, and what is sent after the month was removed has a file of its own", async ({
  db,
  config,
  sendInJanuary,
}) => {
  await sendInJanuary();
  await keepMonths({ db, config, clock: later, log });
  await sendInJanuary({ phoneNos: testPhoneNos(2) });
  await keepMonths({ db, config, clock: later, log });
  expect(await countRows(db)).toEqual({ deliveries: 0, numbers: 0 });
  expect(await readdir(config.backupDir ?? "")).toEqual(["recipients-2026-01-2.export", "recipients-2026-01.export"]);
  expect((await readMonth(config, "recipients-2026-01-2.export"))["recipients.csv"]).toHaveLength(3);
});

test("a month that could not be written is not dropped; the next run writes it and ends what was begun", async ({
  db,
  config,
  sendInJanuary,
}) => {
  await ensurePartitions(db, JANUARY);
  await sendInJanuary();
  const client = await openLongSession(db);
  const diskFull = async (): Promise<string> => await Promise.reject(new Error("no space left"));
  await expect(removeOldMonths(client, { now: later.now(), monthsKept: 1, write: diskFull })).rejects.toThrow(
    "no space",
  );
  await client.end();
  expect(await tablesOfJanuary(db)).toEqual(["old_months.delivery_2026_01", "old_months.delivery_part_2026_01"]);
  expect(await countRows(db)).toMatchObject({ numbers: 600 });
  await keepMonths({ db, config, clock: later, log });
  expect(await tablesOfJanuary(db)).toEqual([]);
  expect((await readMonth(config, "recipients-2026-01.export"))["recipients.csv"]).toHaveLength(601);
});

test("a run that was ended after its file was written does not write it again", async ({
  db,
  config,
  sendInJanuary,
}) => {
  await ensurePartitions(db, JANUARY);
  await sendInJanuary();
  const held = await db.connect();
  // Cutting the numbers waits for this row, and the run ends there.
  await held.query("begin");
  const { rows: owners } = await db.query<{ userId: string }>('select distinct user_id as "userId" from message_batch');
  await held.query("select from message_batch where user_id = $1 for update", [owners[0]?.userId]);
  const run = keepMonths({ db, config, clock: later, log }).then(
    () => "ended",
    (error: unknown) => String(error),
  );
  let pid: number | undefined;
  while (pid === undefined) {
    await sleep(10);
    pid = (await listLockWaiters(db)).find(({ application }) => application === "ewebal back-up")?.pid;
  }
  await db.query("select pg_terminate_backend($1::integer)", [pid]);
  expect(await run).not.toBe("ended");
  await held.query("rollback");
  held.release();
  await keepMonths({ db, config, clock: later, log });
  expect(await countRows(db)).toEqual({ deliveries: 0, numbers: 0 });
  expect(await readdir(config.backupDir ?? "")).toEqual(["recipients-2026-01.export"]);
});

test("while somebody reads the deliveries the run waits, and keeps nobody else from them", async ({
  db,
  config,
  sendInJanuary,
}) => {
  await ensurePartitions(db, JANUARY);
  await sendInJanuary();
  const reader = await db.connect();
  await reader.query("begin");
  await reader.query("select count(*) from delivery");
  let hasEnded = false;
  const run = keepMonths({ db, config, clock: later, log }).then(() => (hasEnded = true));
  for (let look = 0; look < 30; look += 1) {
    const startedMs = performance.now();
    await db.query("select from delivery where state = 1 limit 1");
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    await sleep(20);
  }
  expect(hasEnded).toBe(false);
  await reader.query("commit");
  reader.release();
  await run;
  expect(await countRows(db)).toEqual({ deliveries: 0, numbers: 0 });
});

test("two runs at a time: one removes, the other leaves", async ({ db, config, sendInJanuary }) => {
  await sendInJanuary();
  await Promise.all([1, 2, 3].map(async () => await keepMonths({ db, config, clock: later, log })));
  expect(await readdir(config.backupDir ?? "")).toEqual(["recipients-2026-01.export"]);
});

test("unpacking is refused for a back-up, with another key, and over files that are there", async ({
  db,
  config,
  sendInJanuary,
}) => {
  await sendInJanuary({ phoneNos: testPhoneNos(2) });
  await keepMonths({ db, config, clock: later, log });
  const path = join(config.backupDir ?? "", "recipients-2026-01.export");
  const folder = join(config.dataDir, "csv");
  await expect(unpackMonth(path, folder, Buffer.alloc(32, 8))).rejects.toThrow("BACKUP_KEY is not the key");
  await expect(unpackMonth(path, folder, undefined)).rejects.toThrow("is encrypted");
  const files = await openFileStore(config);
  const backup = join(config.dataDir, "one.backup");
  await backUp(backup, { db, files, config });
  files.close();
  await expect(unpackMonth(backup, folder, KEY)).rejects.toThrow("is no month's file");
  await expect(readdir(folder)).rejects.toThrow("ENOENT");
  await mkdir(folder);
  expect(await unpackMonth(path, folder, KEY)).toEqual(["recipients.csv", "parts.csv", "numbers.csv"]);
  await expect(unpackMonth(path, folder, KEY)).rejects.toThrow("EEXIST");
});
