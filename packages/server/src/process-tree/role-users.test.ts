import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRoot, PROGRAM_GID } from "@ewebal/embedded-postgres";
import { privateModes } from "../base/private-modes.ts";
import { chooseRoleUsers } from "./role-users.ts";

let folder = "";
let dataDir = "";
/** What a role reads of a checkout that everybody may read; this one may lie where only root comes. */
let program = "";
const PROGRAM_FILES = [
  "packages/server/src/main/role-process.ts",
  "packages/contract/src/index.ts",
  "packages/simulator/src/main.ts",
  "node_modules/fastify/package.json",
  "node_modules/pg/package.json",
];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ewebal-users-"));
  await chmod(folder, 0o755);
  dataDir = join(folder, "data");
  await mkdir(dataDir, { mode: 0o700 });
  program = join(folder, "ewebal");
  for (const path of PROGRAM_FILES) {
    await mkdir(join(program, path, ".."), { recursive: true });
    await writeFile(join(program, path), "");
  }
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

const settings = (port = 8080, backupDir?: string) => ({
  dataDir,
  port,
  secretsKey: undefined,
  backupDir,
  roles: new Set(["web", "worker"] as const),
});
const names = ["web", "worker", "simulator"] as const;
const modeOf = async (...path: string[]): Promise<number> => (await stat(join(dataDir, ...path))).mode & 0o7777;

test.skipIf(isRoot())("started by anybody else, nothing changes", async () => {
  const { identityOf, notes } = await chooseRoleUsers(settings(), program);
  expect([names.map(identityOf), notes, await modeOf()]).toEqual([
    [undefined, undefined, undefined],
    [expect.stringContaining("All processes run as user id")],
    0o700,
  ]);
  expect(await privateModes(dataDir)).toEqual({ folder: 0o700, file: 0o600 });
});

describe.skipIf(!isRoot() || process.platform !== "linux")("started by root", () => {
  test("a program that only root can read keeps root, and the start says why", async () => {
    expect((await chooseRoleUsers(settings(), program)).notes).toEqual([]);
    await chmod(program, 0o700);
    const { identityOf, notes } = await chooseRoleUsers(settings(), program);
    expect(names.map(identityOf)).toEqual([undefined, undefined, undefined]);
    expect(notes).toEqual([
      expect.stringMatching(
        /^All processes run as root: user id 60601 cannot run the program in .*EACCES.*\/opt\/ewebal\.$/,
      ),
    ]);
  });

  test("a data directory that nobody else can reach keeps root, untouched", async () => {
    await chmod(folder, 0o700);
    const { identityOf, notes } = await chooseRoleUsers(settings(), program);
    expect(identityOf("web")).toBeUndefined();
    expect(notes).toEqual([
      expect.stringMatching(/^All processes run as root: user id 60601 cannot reach .*\/var\/lib\/ewebal/),
    ]);
    expect([await modeOf(), (await stat(dataDir)).gid]).toEqual([0o700, 0]);
  });

  test("a port that only root may use keeps the web process root, and it alone", async () => {
    const portMin = Number(await readFile("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));
    if (portMin <= 80) return;
    const { identityOf, notes } = await chooseRoleUsers(settings(80), program);
    expect([identityOf("web"), identityOf("worker")?.uid]).toEqual([undefined, 60_602]);
    expect(notes).toEqual([expect.stringContaining("only root may use port 80")]);
  });

  test("each role is a user of its own, and finds what root left before readable", async () => {
    await mkdir(join(dataDir, "files", "2026"), { recursive: true, mode: 0o700 });
    await writeFile(join(dataDir, "files", "2026", "receipt"), "", { mode: 0o600 });
    await mkdir(join(dataDir, "secrets"), { mode: 0o700 });
    await mkdir(join(dataDir, "simulator"), { mode: 0o700 });
    await writeFile(join(folder, "elsewhere"), "", { mode: 0o600 });
    await symlink(join(folder, "elsewhere"), join(dataDir, "files", "a-link"));

    const { identityOf, notes } = await chooseRoleUsers(settings(), program);
    expect(notes).toEqual([]);
    expect(new Set(names.map((name) => identityOf(name)?.uid)).size).toBe(3);
    expect(await stat(join(dataDir, "files", "2026", "receipt"))).toMatchObject({ uid: 60_602, gid: PROGRAM_GID });
    expect([await modeOf(), await modeOf("files", "2026"), await modeOf("files", "2026", "receipt")]).toEqual([
      0o1770, 0o2770, 0o660,
    ]);
    expect(await stat(join(dataDir, "simulator"))).toMatchObject({ uid: 60_603 });
    expect([(await stat(join(dataDir, "secrets", "secrets.key"))).uid, await modeOf("secrets", "secrets.key")]).toEqual(
      [60_602, 0o600],
    );
    expect((await stat(join(folder, "elsewhere"))).uid).toBe(0);
    expect(await privateModes(dataDir)).toEqual({ folder: 0o770, file: 0o660 });
  });

  test("the nightly back-up gets a folder of the worker's, and is not silent about one that it cannot write", async () => {
    expect((await chooseRoleUsers(settings(8080, join(folder, "backups")), program)).notes).toEqual([]);
    expect(await stat(join(folder, "backups"))).toMatchObject({ uid: 60_602 });
    await mkdir(join(folder, "mine"), { mode: 0o755 });
    expect((await chooseRoleUsers(settings(8080, join(folder, "mine")), program)).notes).toEqual([
      expect.stringMatching(/back-up cannot be written: user id 60602 .*mine/),
    ]);
    expect((await stat(join(folder, "mine"))).uid).toBe(0);
  });

  test("a data directory of somebody's own is used by its owner, whose modes stay", async () => {
    await chown(dataDir, 12_345, 12_345);
    const { identityOf } = await chooseRoleUsers(settings(), program);
    expect(names.map((name) => identityOf(name)?.uid)).toEqual([12_345, 12_345, 12_345]);
    expect([await modeOf(), await modeOf("mailbox")]).toEqual([0o700, 0o700]);
  });
});
