import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "vitest";
import { chooseSharedMemory } from "./shared-memory.ts";
import { expect, query, test } from "./testing/postgres-test.ts";

// What other systems share memory by is not in a folder.
describe.skipIf(process.platform !== "linux")("shared memory", () => {
  const somebody = { uid: 65_534, gid: 65_534 };

  test("lies where PostgreSQL wants it when everybody can write there", async ({ folder }) => {
    await chmod(folder, 0o1777);
    expect(await chooseSharedMemory(somebody, folder)).toEqual({});
    expect(await chooseSharedMemory(undefined, folder)).toEqual({});
  });

  test("lies in files when the user of PostgreSQL cannot, or there is no such folder", async ({ folder }) => {
    await chmod(folder, 0o755);
    expect(await chooseSharedMemory(somebody, folder)).toEqual({ dynamic_shared_memory_type: "mmap" });
    expect(await chooseSharedMemory(undefined, join(folder, "missing"))).toEqual({
      dynamic_shared_memory_type: "mmap",
    });
  });

  test("in files serves as well", async ({ start }) => {
    const { url } = await start({ settings: { dynamic_shared_memory_type: "mmap" } });
    expect(await query(url, "show dynamic_shared_memory_type")).toEqual([{ dynamic_shared_memory_type: "mmap" }]);
  });
});
