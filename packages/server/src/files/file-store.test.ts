import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, test as base } from "vitest";
import { readConfig, type S3Settings } from "../base/config.ts";
import type { FileStore } from "./file-store.ts";
import { openFileStore } from "./stored-files.ts";
import { openS3Store } from "./s3-store.ts";
import { startS3Server, type S3Server } from "../testing/s3-server.ts";

const name = "0f/0198d3a0-0000-7000-8000-00000000000f.png";
const other = "1f/0198d3a0-0000-7000-8000-00000000001f.pdf";
const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251));
const file = { name, bytes, contentType: "image/png" };

const test = base.extend<{ dataDir: string; s3: S3Server; folderStore: FileStore; s3Store: FileStore }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  dataDir: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "ewebal-files-"));
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
  // eslint-disable-next-line no-empty-pattern -- as above.
  s3: async ({}, use) => {
    const server = await startS3Server();
    await use(server);
    await server.close();
  },
  folderStore: async ({ dataDir }, use) => {
    const store = await openFileStore(readConfig({ DATA_DIR: dataDir }));
    await use(store);
    store.close();
  },
  s3Store: async ({ s3 }, use) => {
    const store = await openFileStore(readConfig({ FILE_STORE: s3.address }));
    await use(store);
    store.close();
  },
});

/** Both stores keep the same promises. */
async function keepsPromises(store: FileStore): Promise<void> {
  expect(await store.get(name)).toBeUndefined();
  await store.remove(name);
  await store.put(file);
  await store.put({ name: other, bytes: Buffer.from("%PDF-"), contentType: "application/pdf" });
  expect(await store.get(name)).toEqual(bytes);
  await store.put({ ...file, bytes: Buffer.from("shorter") });
  expect((await store.get(name))?.toString()).toBe("shorter");
  await store.remove(name);
  expect(await store.get(name)).toBeUndefined();
  expect((await store.get(other))?.toString()).toBe("%PDF-");
}

const foreignNames = [
  "../0f/0198d3a0-0000-7000-8000-00000000000f.png",
  "0f/../../secrets",
  "/etc/passwd",
  "0f/x.png",
  `${name}/..`,
  "",
  `${name}\0.pdf`,
];

describe("a folder", () => {
  test("puts, gets, replaces and removes", async ({ folderStore }) => {
    await keepsPromises(folderStore);
  });

  test.for(foreignNames)("%j never becomes a path", async (foreign, { folderStore, dataDir }) => {
    await writeFile(join(dataDir, "secrets"), "secret");
    await expect(folderStore.put({ ...file, name: foreign })).rejects.toThrow("not the name of a stored file");
    await expect(folderStore.get(foreign)).rejects.toThrow("not the name of a stored file");
    await expect(folderStore.remove(foreign)).rejects.toThrow("not the name of a stored file");
    expect(await readFile(join(dataDir, "secrets"), "utf8")).toBe("secret");
  });

  test("nobody else on the machine may read it, and no draft is left", async ({ folderStore, dataDir }) => {
    await folderStore.put(file);
    const folder = join(dataDir, "files", "0f");
    expect(await readdir(folder)).toEqual([basename(name)]);
    expect((await stat(join(dataDir, "files", name))).mode & 0o777).toBe(0o600);
    for (const path of [join(dataDir, "files"), folder]) expect((await stat(path)).mode & 0o777, path).toBe(0o700);
  });

  test("a write that fails leaves no draft", async ({ folderStore, dataDir }) => {
    await mkdir(join(dataDir, "files", name, "in-the-way"), { recursive: true });
    await expect(folderStore.put(file)).rejects.toThrow();
    expect(await readdir(join(dataDir, "files", "0f"))).toEqual([basename(name)]);
  });
});

describe("a store that speaks S3", () => {
  test("puts, gets, replaces and removes, each request signed", async ({ s3, s3Store }) => {
    await keepsPromises(s3Store);
    expect(s3.statuses.filter((status) => status === 403)).toEqual([]);
  });

  test("the bytes arrive as they are, below the bucket and folder, with their type and no checksum that other stores refuse", async ({
    s3,
    s3Store,
  }) => {
    await s3Store.put(file);
    const stored = s3.objects.get(`/receipts/live/${name}`);
    expect(stored?.contentType).toBe("image/png");
    expect(stored?.headerNames.filter((header) => header.includes("checksum"))).toEqual([]);
    expect(
      createHash("sha256")
        .update(stored?.bytes ?? "")
        .digest("hex"),
    ).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  test.for(foreignNames)("%j never becomes an address", async (foreign, { s3, s3Store }) => {
    await expect(s3Store.put({ ...file, name: foreign })).rejects.toThrow("not the name of a stored file");
    await expect(s3Store.get(foreign)).rejects.toThrow("not the name of a stored file");
    expect(s3.statuses).toEqual([]);
  });

  test("another secret is refused, and the refusal names no secret", async ({ s3 }) => {
    const store = await openFileStore(readConfig({ FILE_STORE: s3.address.replace(/:[^:@]*@/, ":wrong-secret@") }));
    const refusal: unknown = await store.put(file).then(
      () => undefined,
      (error: unknown) => error,
    );
    store.close();
    expect(refusal).toMatchObject({ code: "UNAVAILABLE" });
    expect(JSON.stringify(refusal) + String(refusal)).not.toContain("wrong-secret");
    expect(s3.objects.size).toBe(0);
  });

  test("a moment of weakness is tried again", async ({ s3, s3Store }) => {
    s3.faults.push(500, 503);
    await s3Store.put(file);
    expect(s3.statuses).toEqual([500, 503, 200]);
  });

  test("a store that never answers is given up", async ({ s3 }) => {
    s3.faults.push("hang", "hang", "hang");
    const { fileStore } = readConfig({ FILE_STORE: s3.address });
    const store = openS3Store(fileStore as S3Settings, { connectMs: 1_000, requestMs: 50 });
    await expect(store.get(name)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    store.close();
    expect(s3.faults).toEqual([]);
  });

  test("a store that stays away is 503, a full one 507", async ({ s3, s3Store }) => {
    s3.faults.push(500, 500, 500);
    await expect(s3Store.get(name)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    s3.faults.push(507, 507, 507);
    await expect(s3Store.put(file)).rejects.toMatchObject({ code: "STORAGE_FULL" });
    await s3.close();
    await expect(s3Store.get(name)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
