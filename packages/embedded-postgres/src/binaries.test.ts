import { chmod, cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "vitest";
import { findNativeFolder } from "./binaries.ts";
import { isRoot } from "./identity.ts";
import { expect, query, test } from "./testing/postgres-test.ts";

describe("programs that npm left incomplete or out of reach", () => {
  async function copyWithoutLinks(folder: string): Promise<string> {
    const installed = findNativeFolder();
    const native = join(folder, "package", "native");
    const links = JSON.parse(await readFile(join(installed, "pg-symlinks.json"), "utf8")) as { target: string }[];
    const targets = new Set(links.map(({ target }) => join(installed, "..", target)));
    await cp(installed, native, { recursive: true, filter: (path) => !targets.has(path) && !path.endsWith(".a") });
    await cp(join(installed, "../package.json"), join(folder, "package", "package.json"));
    return native;
  }

  test("get their links where they lie", async ({ folder, dataDir, start }) => {
    const nativeFolder = await copyWithoutLinks(folder);
    const postgres = await start({ nativeFolder });
    expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(await readdir(join(nativeFolder, "lib"))).toContain("libpq.so.5");
    expect((await readdir(join(dataDir, "postgres"))).filter((name) => name.startsWith("native"))).toEqual([]);
  });

  test("are copied when their folder cannot be written or entered", async ({ folder, dataDir, start }) => {
    const nativeFolder = await copyWithoutLinks(folder);
    // Root may write anywhere, but the user it runs PostgreSQL as cannot pass; another user cannot write.
    const [closed, mode] = isRoot() ? [join(folder, "package"), 0o700] : [join(nativeFolder, "lib"), 0o555];
    await chmod(closed, mode);
    const postgres = await start({ nativeFolder });
    expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await readdir(join(dataDir, "postgres"))).filter((name) => name.startsWith("native"))).toHaveLength(1);
    await postgres.stop();
    expect(await start({ nativeFolder })).toMatchObject({ adopted: false });
    await chmod(closed, 0o755);
  });

  test("that do not run at all are explained", async ({ folder, start }) => {
    const nativeFolder = join(folder, "package", "native");
    await mkdir(join(nativeFolder, "bin"), { recursive: true });
    await writeFile(join(nativeFolder, "pg-symlinks.json"), "[]");
    await writeFile(join(folder, "package", "package.json"), `{"version":"0.0.0"}`);
    await expect(start({ nativeFolder })).rejects.toThrow("PostgreSQL cannot be run");
  });
});
