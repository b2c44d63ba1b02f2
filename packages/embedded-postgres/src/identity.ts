/** PostgreSQL refuses to run as root. Under root it runs as a user with no other rights. */
import { spawn } from "node:child_process";
import { lchown, readdir, realpath, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

export type Identity = { uid: number; gid: number };

/**
 * The group of all processes that root starts for the program, and the user of PostgreSQL. No system assigns these numbers
 * (systemd lists 60578 to 61183 as unused), so no account has to be made.
 */
export const PROGRAM_GID = 60_600;
const POSTGRES_UID = 60_604;

/**
 * Accounts for PostgreSQL, in order of preference. An operator may make one with the program's name. macOS has `_postgres`.
 * `nobody` runs only `initdb`, which looks its user up and therefore cannot run under a number without an account.
 */
const userNamesOf = (program: string): string[] => [program, "_postgres", "nobody"];
const SHARED_USER_NAME = "nobody";
/** Rights in one class of the mode bits. */
export const EXECUTE = 1;
export const WRITE = 2;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * @param program its name; see `EmbeddedPostgresOptions`.
 * @param clusterFolder if it exists, its owner is the identity: no other user can use the files.
 * @returns undefined when this process may run PostgreSQL as it is.
 * @throws Error for the operator when root finds nobody to run PostgreSQL as, or the files belong to somebody else.
 */
export async function chooseIdentity(program: string, clusterFolder: string): Promise<Identity | undefined> {
  const owner = await findOwner(clusterFolder);
  if (isRoot()) return owner !== undefined && owner.uid !== 0 ? owner : await findUnprivilegedUser(program);
  if (owner !== undefined && owner.uid !== process.getuid?.()) {
    throw new Error(
      `The database in ${clusterFolder} belongs to user id ${owner.uid}, and this program runs as ${process.getuid?.()}. ` +
        "Start it as that user or as root, or give it the folder with chown.",
    );
  }
  return undefined;
}

/** True when the identity can reach what lies in the folder. */
export async function canTraverse(identity: Identity, folder: string): Promise<boolean> {
  for (let current = await realpath(folder); ; current = dirname(current)) {
    if (!(await allows(identity, current, EXECUTE))) return false;
    if (current === dirname(current)) return true;
  }
}

/**
 * @param rights `WRITE`, `EXECUTE` or both: all of them are needed. Access lists beyond the mode bits are ignored.
 * @throws Error of the system for a path that is missing.
 */
export async function allows(identity: Identity, path: string, rights: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path);
  // As in the kernel, the first class that applies decides alone.
  const shift = uid === identity.uid ? 6 : gid === identity.gid ? 3 : 0;
  return ((mode >> shift) & rights) === rights;
}

/** Gives a cluster whose server is down to another user. */
export async function giveFolderTo(folder: string, { uid, gid }: Identity): Promise<void> {
  // The folder changes its owner last, so that an interrupted hand-over starts again.
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), uid, gid);
  await lchown(folder, uid, gid);
}

async function findOwner(folder: string): Promise<Identity | undefined> {
  try {
    return await stat(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Chooses the identity of the server itself. Unlike `initdb` it needs no account, so it does not share `nobody` with other programs.
 *
 * @returns an identity that may differ from the owner of an existing cluster, made by an earlier version; see `giveFolderTo`.
 */
export async function chooseServerIdentity(
  program: string,
  clusterFolder: string,
  dataDir: string,
): Promise<Identity | undefined> {
  const identity = await chooseIdentity(program, clusterFolder);
  if (!isRoot()) return identity;
  const accounts = await readAccounts();
  const owner = await stat(dataDir);
  // In a data directory of another user a new cluster belongs to that user.
  const isNew = (await findOwner(clusterFolder)) === undefined;
  if (isNew && owner.uid !== 0 && [...accounts.values()].some(({ uid }) => uid === owner.uid))
    return { uid: owner.uid, gid: owner.gid };
  if (identity === undefined || !userNamesOf(program).some((name) => accounts.get(name)?.uid === identity.uid))
    return identity;
  const isShared = accounts.get(SHARED_USER_NAME)?.uid === identity.uid;
  const own = { uid: isShared ? POSTGRES_UID : identity.uid, gid: PROGRAM_GID };
  return (await canSwitchTo(own)) ? own : identity;
}

/** @returns groups to which earlier versions opened data directories. */
export async function findEarlierGids(program: string): Promise<number[]> {
  const accounts = await readAccounts();
  return userNamesOf(program).flatMap((name) => accounts.get(name)?.gid ?? []);
}

/** @returns who runs `initdb` for an identity: an account of this system, with the group that reaches the folder. */
export async function chooseInitIdentity(program: string, identity: Identity): Promise<Identity> {
  const accounts = await readAccounts();
  if ([...accounts.values()].some(({ uid }) => uid === identity.uid)) return identity;
  return { uid: (await findUnprivilegedUser(program)).uid, gid: identity.gid };
}

/** Whether root may start a process under a number without an account. Some containers forbid it. */
async function canSwitchTo(identity: Identity): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn("/bin/sh", ["-c", ":"], { ...identity, cwd: "/", stdio: "ignore" });
  child.once("error", () => resolve(false));
  child.once("exit", (code) => resolve(code === 0));
  return await promise;
}

async function findUnprivilegedUser(program: string): Promise<Identity> {
  const accounts = await readAccounts();
  for (const name of userNamesOf(program)) {
    const account = accounts.get(name);
    if (account !== undefined && account.uid > 0 && account.gid > 0) return account;
  }
  throw new Error(
    `PostgreSQL does not run as root, and there is no user to run it as. Add one with \`useradd --system ${program}\`, ` +
      "start this program as another user, or set DATABASE_URL.",
  );
}

async function readAccounts(): Promise<Map<string, Identity>> {
  const entries = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  return new Map(entries.map(([name = "", , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]));
}
