/** PostgreSQL refuses to run as root. Under root it runs as somebody who may do nothing else. */
import { realpath, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";

export type Identity = { uid: number; gid: number };

/**
 * In order of preference. `ewebal` is for operators who want the database files apart from everything else that runs as
 * `nobody`; macOS brings `_postgres`. initdb looks the name up, so a bare number without an entry does not do.
 */
const USER_NAMES = ["ewebal", "_postgres", "nobody"];
/** What a class of the mode bits allows. */
export const EXECUTE = 1;
export const WRITE = 2;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * @param clusterFolder when it exists already, its owner is the identity: the files can be used by no one else.
 * @returns undefined when this process may run PostgreSQL as it is.
 * @throws Error for the operator when root finds nobody to run PostgreSQL as, or the files belong to somebody else.
 */
export async function chooseIdentity(clusterFolder: string): Promise<Identity | undefined> {
  const owner = await findOwner(clusterFolder);
  if (isRoot()) return owner !== undefined && owner.uid !== 0 ? owner : await findUnprivilegedUser();
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
 * @param rights of `WRITE` and `EXECUTE`, all of which are needed. Access lists beyond the mode bits are not looked at.
 * @throws Error of the system for a path that is missing.
 */
export async function allows(identity: Identity, path: string, rights: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path);
  // The first class that applies decides alone, as in the kernel.
  const shift = uid === identity.uid ? 6 : gid === identity.gid ? 3 : 0;
  return ((mode >> shift) & rights) === rights;
}

async function findOwner(folder: string): Promise<Identity | undefined> {
  try {
    return await stat(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function findUnprivilegedUser(): Promise<Identity> {
  const entries = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const name of USER_NAMES) {
    const entry = entries.find(([entryName]) => entryName === name);
    const uid = Number(entry?.[2]);
    const gid = Number(entry?.[3]);
    if (uid > 0 && gid > 0) return { uid, gid };
  }
  throw new Error(
    "PostgreSQL does not run as root, and there is no user to run it as. Add one with `useradd --system ewebal`, " +
      "start this program as another user, or set DATABASE_URL.",
  );
}
