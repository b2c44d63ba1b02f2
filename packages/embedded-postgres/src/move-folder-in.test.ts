import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "vitest";
import { moveFolderIn } from "./move-folder-in.ts";

const test = base.extend<{ folder: string }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "move-folder-"));
    await use(folder);
    await rm(folder, { recursive: true });
  },
});

const filesEach = 20;

async function make(path: string, word: string): Promise<string> {
  await mkdir(path);
  for (let index = 0; index < filesEach; index += 1) await writeFile(join(path, `${index}`), word);
  return path;
}

async function readWords(place: string): Promise<string[]> {
  return await Promise.all((await readdir(place)).map(async (name) => await readFile(join(place, name), "utf8")));
}

/** Whole and of this kind; false for a folder that is missing. */
const holds =
  (word: string) =>
  async (folder: string): Promise<boolean> => {
    const words = await readWords(folder).catch(() => []);
    return words.length === filesEach && words.every((found) => found.startsWith(word));
  };

test("takes an empty place, and the place of what is wrong", async ({ folder }) => {
  const place = join(folder, "place");
  await moveFolderIn(await make(join(folder, "first"), "old"), place, holds("old"));
  expect(await holds("old")(place)).toBe(true);
  await moveFolderIn(await make(join(folder, "second"), "new"), place, holds("new"));
  expect(await readdir(folder)).toEqual(["place"]);
  expect(await holds("new")(place)).toBe(true);
});

test("leaves what is right in its place", async ({ folder }) => {
  const place = await make(join(folder, "place"), "new of somebody else");
  const fresh = await make(join(folder, "fresh"), "new");
  await moveFolderIn(fresh, place, holds("new"));
  expect(new Set(await readWords(place))).toEqual(new Set(["new of somebody else"]));
});

async function moveTen(folder: string, place: string): Promise<string[][]> {
  const fresh = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => await make(join(folder, `fresh ${index}`), `new ${index}`)),
  );
  return await Promise.all(
    fresh.map(async (freshFolder) => {
      await moveFolderIn(freshFolder, place, holds("new"));
      return await readWords(place).catch(() => []);
    }),
  );
}

test("of ten at once in an empty place the first one stays, and serves all", async ({ folder }) => {
  const place = join(folder, "place");
  const seen = await moveTen(folder, place);
  expect(new Set(seen.flat()).size).toBe(1);
  for (const words of seen) expect(words).toHaveLength(filesEach);
});

test("of ten at once in the place of what is wrong one stays, whole, and none fails", async ({ folder }) => {
  const place = await make(join(folder, "place"), "old");
  await moveTen(folder, place);
  const words = await readWords(place);
  expect(words).toHaveLength(filesEach);
  expect(new Set(words).size).toBe(1);
  expect(words[0]).toMatch(/^new/);
  expect((await readdir(folder)).filter((name) => name.endsWith("-aside"))).toEqual([]);
});
