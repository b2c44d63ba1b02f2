/**
 * Where the cluster lives: `DATA_DIR/postgres`, unless this process is root and the user that PostgreSQL runs as cannot
 * reach DATA_DIR, as in a checkout below `/root`. PostgreSQL has to open its folder by its path, so then the cluster
 * lives in a folder of its own under `/var/lib`, whose path is kept in `DATA_DIR/postgres-location`.
 *
 *     DATA_DIR/postgres-password   mode 600
 *     DATA_DIR/postgres-port       the port of the last start
 *     DATA_DIR/postgres-location   only when the home is elsewhere
 *     <home>/data                  the cluster
 *     <home>/postgres.log          what PostgreSQL says
 *     <home>/native-<version>      a copy of the programs, only where npm's cannot be run
 */
import { randomBytes } from "node:crypto";
import {
  access,
  chmod,
  chown,
  constants,
  link,
  mkdir,
  open,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EmbeddedLog } from "./settings.ts";
import { canTraverse, chooseServerIdentity, findEarlierGids, giveFolderTo } from "./identity.ts";
import type { Identity } from "./identity.ts";
import { isProcessAlive, readPidFile, type ClusterHome } from "./postmaster.ts";

export type ClusterHomeOptions = {
  /** The program's name, of a-z and _. Its database, its role and an account that an operator may make for PostgreSQL have this name. */
  program: string;
  dataDir: string;
  log: EmbeddedLog;
  /** Folders that survive reboots and clean-ups, in order of preference. Systems delete old files from `/var/tmp`. */
  locationParents?: string[];
};

const LOCATION_PARENTS = ["/var/lib", "/srv", "/opt"];
/** Root owns the folder, and everybody may pass through it. Only its owner may enter the cluster below it. */
const HOME_MODE = 0o711;

/**
 * Finds or makes the home of the cluster that belongs to a data directory.
 *
 * @throws Error for the operator when an existing cluster cannot be reached, or no place can be found for a new one.
 */
export async function openClusterHome({
  program,
  dataDir: givenDataDir,
  log,
  locationParents,
}: ClusterHomeOptions): Promise<ClusterHome> {
  await mkdir(givenDataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(givenDataDir);
  const location = await readIfThere(join(dataDir, "postgres-location"));
  const folder = location?.trim() ?? join(dataDir, "postgres");
  const clusterFolder = join(folder, "data");
  const hasCluster = await exists(clusterFolder);
  const identity = await chooseServerIdentity(program, clusterFolder, dataDir);
  if (identity !== undefined && hasCluster) await handOver(clusterFolder, identity);
  const home = { program, dataDir, folder, clusterFolder, logPath: join(folder, "postgres.log"), identity };
  if (location !== undefined) {
    if (await exists(folder)) return home;
    throw new Error(
      `The database of ${dataDir} is kept in ${folder}, as ${join(dataDir, "postgres-location")} says, but that folder is gone. ` +
        "Put it back, or delete that file to begin with an empty database.",
    );
  }
  if (identity === undefined || (await letThrough(home, identity))) {
    await makeHomeFolder(folder, identity);
    return home;
  }
  if (hasCluster) {
    throw new Error(
      `User id ${identity.uid}, which PostgreSQL runs as, cannot reach the database in ${clusterFolder}. ` +
        `Allow passing through every folder above it (chmod o+x), or move DATA_DIR to a place such as /var/lib/${program}.`,
    );
  }
  const elsewhere = await makeLocation(home, identity, locationParents ?? LOCATION_PARENTS);
  log.info(
    `User id ${identity.uid}, which PostgreSQL runs as, cannot reach ${dataDir}; the database is kept in ${elsewhere}`,
  );
  return {
    ...home,
    folder: elsewhere,
    clusterFolder: join(elsewhere, "data"),
    logPath: join(elsewhere, "postgres.log"),
  };
}

/**
 * Reads the password of the cluster, made at random the first time.
 *
 * @throws Error when the file is missing although the cluster exists: nobody can sign in without it.
 */
export async function readPassword({ dataDir, clusterFolder }: ClusterHome): Promise<string> {
  const path = join(dataDir, "postgres-password");
  const kept = await readIfThere(path);
  if (kept !== undefined) return kept.trim();
  if (await exists(clusterFolder)) {
    throw new Error(
      `${path} is missing, and the database in ${clusterFolder} cannot be opened without it. Put it back from a backup.`,
    );
  }
  // The link appears at once: a second program that starts now reads either nothing or the whole password.
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
  return (await readFile(path, "utf8")).trim();
}

export async function readPort({ dataDir }: ClusterHome): Promise<number | undefined> {
  const port = Number((await readIfThere(join(dataDir, "postgres-port"))) ?? Number.NaN);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

export async function writePort({ dataDir }: ClusterHome, port: number): Promise<void> {
  await writeFile(join(dataDir, "postgres-port"), `${port}\n`, { mode: 0o600 });
}

/** Makes a rename or a new file in the folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** Opens a data directory of root to the one group that must pass through it, if that group can reach it. */
async function letThrough({ program, dataDir }: ClusterHome, identity: Identity): Promise<boolean> {
  if (!(await canTraverse(identity, dirname(dataDir)))) return false;
  if (await canTraverse(identity, dataDir)) return true;
  const { uid, gid, mode } = await stat(dataDir);
  // Only a mode that `mkdir` or another start has set may be changed. Every other mode is an operator's decision.
  if (
    uid !== 0 ||
    ![0, identity.gid, ...(await findEarlierGids(program))].includes(gid) ||
    ![0o700, 0o710].includes(mode & 0o777)
  )
    return false;
  await chown(dataDir, 0, identity.gid);
  await chmod(dataDir, 0o710);
  return true;
}

/** Gives a cluster to this identity after an earlier version ran it as another user. That server must have ended. */
async function handOver(clusterFolder: string, identity: Identity): Promise<void> {
  if ((await stat(clusterFolder)).uid === identity.uid) return;
  const pidFile = await readPidFile(clusterFolder);
  if (pidFile !== undefined && (await isProcessAlive(pidFile.pid))) {
    throw new Error(
      `PostgreSQL of an earlier version still runs in ${clusterFolder} as another user (process ${pidFile.pid}). ` +
        "Stop that version first: Ctrl-C where it runs, or `kill -INT` with that number.",
    );
  }
  await giveFolderTo(clusterFolder, identity);
}

async function makeLocation({ program, dataDir }: ClusterHome, identity: Identity, parents: string[]): Promise<string> {
  for (const parent of parents) {
    if (!(await isWritable(parent)) || !(await canTraverse(identity, parent))) continue;
    const folder = join(parent, `${program}-${randomBytes(6).toString("hex")}`);
    await makeHomeFolder(folder, identity);
    // The text tells an operator who finds the folder whether it may be deleted.
    await writeFile(join(folder, "README"), `The database of the ${program} whose DATA_DIR is ${dataDir}\n`);
    await writeFile(join(dataDir, "postgres-location"), `${folder}\n`, { mode: 0o600, flush: true });
    await syncFolder(dataDir);
    return folder;
  }
  throw new Error(
    `User id ${identity.uid}, which PostgreSQL runs as, cannot reach ${dataDir}, and none of ${parents.join(", ")} can be written. ` +
      "Set DATA_DIR to a folder that every user may pass through, or set DATABASE_URL.",
  );
}

async function makeHomeFolder(folder: string, identity: Identity | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (identity !== undefined) await chmod(folder, HOME_MODE); // The umask may have removed bits.
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT", "EACCES", "EROFS")) return false;
    throw error;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
}
