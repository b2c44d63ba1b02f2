import { chmod, chown, mkdir, readFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "vitest";
import { isRoot } from "./identity.ts";
import { clusterFolderOf, expect, postmasterPid, query, test, writePidFile } from "./testing/postgres-test.ts";

// Only root gives up its rights; as anybody else PostgreSQL runs as the program does.
describe.skipIf(!isRoot())("as root", () => {
  test("PostgreSQL runs as somebody else, who owns its files and nothing beside them", async ({ dataDir, start }) => {
    await start();
    const pid = await postmasterPid(dataDir);
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const uids = /^Uid:\s+(.*)$/m.exec(status)?.[1]?.split("\t");
    const owner = await stat(await clusterFolderOf(dataDir));
    expect(owner.uid).toBeGreaterThan(0);
    expect(new Set(uids)).toEqual(new Set([String(owner.uid)]));
    expect(/^Groups:(.*)$/m.exec(status)?.[1]?.trim()).toBe("");
    expect((await stat(join(dataDir, "postgres-password"))).uid).toBe(0);
  });

  test("a data directory of mode 700 is opened to that user's group alone", async ({ dataDir, start }) => {
    await mkdir(dataDir, { mode: 0o700 });
    await start();
    const { uid, gid, mode } = await stat(dataDir);
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: 0, mode: 0o710 });
    expect(gid).toBeGreaterThan(0);
  });

  test("in a data directory of somebody's own PostgreSQL runs as its owner", async ({ dataDir, start }) => {
    const [, , uid = 0, gid = 0] = (/^daemon:.*$/m.exec(await readFile("/etc/passwd", "utf8"))?.[0] ?? "")
      .split(":")
      .map(Number);
    if (uid === 0) return;
    await mkdir(dataDir, { mode: 0o700 });
    await chown(dataDir, uid, gid);
    await start();
    expect([(await stat(await clusterFolderOf(dataDir))).uid, (await stat(dataDir)).mode & 0o777]).toEqual([
      uid,
      0o700,
    ]);
  });

  test("below a folder of mode 700 the database lives elsewhere, and is found again", async ({
    folder,
    start,
    messages,
  }) => {
    const locationParents = [join(folder, "missing"), join(folder, "lib")];
    await mkdir(join(folder, "lib"));
    const dataDir = join(folder, "home", "data");
    await mkdir(join(folder, "home"), { mode: 0o700 });
    const first = await start({ dataDir, locationParents });
    const [place] = await readdir(join(folder, "lib"));
    expect(await readFile(join(dataDir, "postgres-location"), "utf8")).toBe(`${join(folder, "lib", place ?? "")}\n`);
    expect(await readFile(join(folder, "lib", place ?? "", "README"), "utf8")).toContain(dataDir);
    expect(messages.join()).toContain("the database is kept in");
    await query(first.url, "create table kept as select 7 as value");
    await first.stop();

    const second = await start({ dataDir, locationParents });
    expect(await query(second.url, "select value from kept")).toEqual([{ value: 7 }]);
    await second.stop();

    await rm(join(folder, "lib", place ?? ""), { recursive: true });
    await expect(start({ dataDir, locationParents })).rejects.toThrow("but that folder is gone");
  });

  test("files of the account that many programs share go to PostgreSQL's own user, with all that they hold", async ({
    dataDir,
    start,
  }) => {
    const first = await start();
    await query(first.url, "create table kept as select 7 as value");
    await first.stop();
    const clusterFolder = await clusterFolderOf(dataDir);
    const [, , uid, gid] = (/^nobody:.*$/m.exec(await readFile("/etc/passwd", "utf8"))?.[0] ?? "")
      .split(":")
      .map(Number);
    if (uid === undefined || gid === undefined) return;
    // As an earlier version left it.
    for (const name of ["", ...(await readdir(clusterFolder, { recursive: true }))])
      await chown(join(clusterFolder, name), uid, gid);
    await chown(dataDir, 0, gid);
    await chmod(dataDir, 0o710);

    const second = await start();
    expect(await query(second.url, "select value from kept")).toEqual([{ value: 7 }]);
    const status = await readFile(`/proc/${await postmasterPid(dataDir)}/status`, "utf8");
    expect(status).not.toMatch(new RegExp(`^Uid:.*\\b(?:0|${uid})\\b`, "m"));
  });

  test("a database that can no longer be reached is not replaced by an empty one", async ({ folder, start }) => {
    await (await start()).stop();
    await chmod(folder, 0o700);
    await expect(start()).rejects.toThrow("cannot reach the database");
    await chmod(folder, 0o755);
  });

  test("a lock file that names a process of another user is stale to PostgreSQL", async ({ dataDir, start }) => {
    await (await start()).stop();
    await writePidFile(dataDir, process.pid);
    expect(await start()).toMatchObject({ adopted: false });
  });
});
