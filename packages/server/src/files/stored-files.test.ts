import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { withTransaction } from "../db/transaction.ts";
import { fakeClock, type FakeClock } from "../testing/app.ts";
import { expect, overlap, test as base } from "../testing/database.ts";
import { buildUser } from "../testing/factories.ts";
import type { FileStore } from "./file-store.ts";
import { readConfig } from "../base/config.ts";
import { fileNameOf, keepFile, ORPHAN_AGE_MS, removeOrphans, storeFile, openFileStore } from "./stored-files.ts";

const test = base.extend<{ clock: FakeClock; dataDir: string; store: FileStore; listFiles: () => Promise<string[]> }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  clock: async ({}, use) => await use(fakeClock()),
  // eslint-disable-next-line no-empty-pattern -- as above.
  dataDir: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "ewebal-files-"));
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
  store: async ({ dataDir }, use) => await use(await openFileStore(readConfig({ DATA_DIR: dataDir }))),
  listFiles: async ({ dataDir }, use) => {
    await use(async () => {
      const entries = await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    });
  },
});

const upload = { extension: "png", contentType: "image/png", bytes: Buffer.from("bytes") };

test("a file that is kept stays for ever", async ({ db, clock, store, listFiles }) => {
  const { userId } = await buildUser(db);
  const fileId = await storeFile({ db, clock }, store, { ...upload, userId });
  await withTransaction(db, (tx) => keepFile({ clock }, tx, { userId, fileId }));
  clock.advance(100 * ORPHAN_AGE_MS);
  expect(await removeOrphans({ db, clock }, store)).toBe(0);
  expect(await listFiles()).toEqual([`${fileId}.png`]);
});

test("killed between the bytes and what needs them: the file goes an hour later, not before", async ({
  db,
  clock,
  store,
  listFiles,
}) => {
  const { userId } = await buildUser(db);
  const fileId = await storeFile({ db, clock }, store, { ...upload, userId });
  clock.advance(ORPHAN_AGE_MS - 1);
  expect(await removeOrphans({ db, clock }, store)).toBe(0);
  clock.advance(2);
  expect(await removeOrphans({ db, clock }, store)).toBe(1);
  expect(await listFiles()).toEqual([]);
  expect((await db.query("select from stored_file")).rowCount).toBe(0);
  await expect(withTransaction(db, (tx) => keepFile({ clock }, tx, { userId, fileId }))).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
});

test("killed between the intention and the bytes: the row goes", async ({ db, clock, store }) => {
  const { userId } = await buildUser(db);
  const broken: FileStore = { ...store, put: () => Promise.reject(new Error("killed here")) };
  await expect(storeFile({ db, clock }, broken, { ...upload, userId })).rejects.toThrow("killed here");
  clock.advance(ORPHAN_AGE_MS + 1);
  expect(await removeOrphans({ db, clock }, store)).toBe(1);
  expect((await db.query("select from stored_file")).rowCount).toBe(0);
});

test("killed while the bytes were written: what stands there of them goes as well", async ({
  db,
  clock,
  dataDir,
  store,
  listFiles,
}) => {
  const { userId } = await buildUser(db);
  const killed: FileStore = {
    ...store,
    put: async (file) => {
      await store.put(file);
      const path = join(dataDir, "files", file.name);
      await rename(path, `${path}.part`);
    },
  };
  await storeFile({ db, clock }, killed, { ...upload, userId });
  clock.advance(ORPHAN_AGE_MS + 1);
  expect(await removeOrphans({ db, clock }, store)).toBe(1);
  expect(await listFiles()).toEqual([]);
});

test("a file that cannot be removed keeps no other one, and is named", async ({ db, clock, store, listFiles }) => {
  const { userId } = await buildUser(db);
  const stuck = await storeFile({ db, clock }, store, { ...upload, userId });
  // The oldest comes first.
  clock.advance(1_000);
  for (let count = 0; count < 3; count += 1) await storeFile({ db, clock }, store, { ...upload, userId });
  clock.advance(ORPHAN_AGE_MS + 1);
  const remove = async (name: string): Promise<void> => {
    if (name.includes(stuck)) throw new Error("locked");
    await store.remove(name);
  };
  await expect(removeOrphans({ db, clock }, { ...store, remove })).rejects.toThrow("locked");
  expect(await listFiles()).toEqual([`${stuck}.png`]);
});

test("killed in the middle of clearing away, or while the store is off: the next run goes on", async ({
  db,
  clock,
  store,
  listFiles,
}) => {
  const { userId } = await buildUser(db);
  const fileId = await storeFile({ db, clock }, store, { ...upload, userId });
  clock.advance(ORPHAN_AGE_MS + 1);
  const off: FileStore = { ...store, remove: () => Promise.reject(new Error("off")) };
  await expect(removeOrphans({ db, clock }, off)).rejects.toThrow("off");
  expect(await listFiles()).toHaveLength(1);
  await expect(withTransaction(db, (tx) => keepFile({ clock }, tx, { userId, fileId }))).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
  // The bytes are gone, and the row not yet.
  await store.remove(fileNameOf({ fileId, extension: "png" }));
  expect(await removeOrphans({ db, clock }, store)).toBe(1);
  expect((await db.query("select from stored_file")).rowCount).toBe(0);
});

test("clearing away leaves alone what a transaction is just about to keep", async ({ db, clock, store, listFiles }) => {
  const { userId } = await buildUser(db);
  const fileId = await storeFile({ db, clock }, store, { ...upload, userId });
  clock.advance(ORPHAN_AGE_MS + 1);
  const [kept, cleared] = await overlap(
    db,
    (tx) => keepFile({ clock }, tx, { userId, fileId }),
    () => removeOrphans({ db, clock }, store),
  );
  expect([kept.status, cleared]).toEqual(["fulfilled", { status: "fulfilled", value: 0 }]);
  expect(await listFiles()).toEqual([`${fileId}.png`]);
});

test("a file is kept by one only, and only by its owner", async ({ db, clock, store }) => {
  const [owner, other] = [await buildUser(db), await buildUser(db)];
  const fileId = await storeFile({ db, clock }, store, { ...upload, userId: owner.userId });
  const keep = (file: { userId: string; fileId: string }) => withTransaction(db, (tx) => keepFile({ clock }, tx, file));
  await expect(keep({ userId: other.userId, fileId })).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(keep({ userId: owner.userId, fileId: uuidv7() })).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await keep({ userId: owner.userId, fileId });
  await expect(keep({ userId: owner.userId, fileId })).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
