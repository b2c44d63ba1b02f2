import { appendFile, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as base } from "vitest";
import { readLogSize, readLogTail, trimLog } from "./server-log.ts";

const test = base.extend<{ path: string }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  path: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "embedded-log-"));
    await use(join(folder, "postgres.log"));
    await rm(folder, { recursive: true });
  },
});

test("a log that is not there yet is empty and needs no trimming", async ({ path }) => {
  expect(await readLogSize(path)).toBe(0);
  await trimLog(path);
});

test("the tail is what was written since, also when the log was cut in between", async ({ path }) => {
  await appendFile(path, "of the last start\n");
  const size = await readLogSize(path);
  await appendFile(path, "of this start\n");
  expect(await readLogTail(path, size)).toBe("of this start\n");
  expect(await readLogTail(path, size * 10)).toBe("");
});

test("a log that has grown too long is cut, with the earlier part kept beside it, and goes on", async ({ path }) => {
  await appendFile(path, "x".repeat(10 * 2 ** 20));
  await trimLog(path);
  expect(await readLogSize(path)).toBe(10 * 2 ** 20);
  await appendFile(path, "the last straw");
  await trimLog(path);
  await appendFile(path, "new");
  expect(await readFile(path, "utf8")).toBe("new");
  expect(await readdir(join(path, ".."))).toEqual(["postgres.log", "postgres.log.1"]);
});
