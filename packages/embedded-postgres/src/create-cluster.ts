import { execFile } from "node:child_process";
import { chown, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Binaries } from "./binaries.ts";
import type { ClusterHome } from "./postmaster.ts";
import { syncFolder } from "./cluster-home.ts";
import { chooseInitIdentity, giveFolderTo, type Identity } from "./identity.ts";
import { isProcessAlive } from "./postmaster.ts";
import { HBA_CONF, renderSettings } from "./settings.ts";
import type { Settings } from "./settings.ts";

/** The superuser. The program itself signs in as a role without its rights. */
export const SUPERUSER = "postgres";

const DRAFT_PREFIX = "data.new-";

/**
 * Makes an empty cluster, completely or not at all. A killed start leaves a draft, which the next start deletes. Of two programs
 * that start at once one makes the cluster, and both use it.
 */
export async function createCluster(
  home: ClusterHome,
  binaries: Binaries,
  password: string,
  fsync: boolean,
): Promise<void> {
  await clearDrafts(home.folder);
  const draft = await mkdtemp(join(home.folder, `${DRAFT_PREFIX}${process.pid}-`));
  const passwordPath = `${draft}.password`;
  try {
    const initIdentity = home.identity && (await chooseInitIdentity(home.program, home.identity));
    await giveTo(draft, initIdentity);
    await writeFile(passwordPath, password, { mode: 0o600 });
    await giveTo(passwordPath, initIdentity);
    await runInitdb(binaries, draft, passwordPath, initIdentity, fsync);
    if (home.identity !== undefined && initIdentity?.uid !== home.identity.uid)
      await giveFolderTo(draft, home.identity);
    await rename(draft, home.clusterFolder);
    await syncFolder(home.folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const isLostRace =
      error instanceof Error && "code" in error && (error.code === "ENOTEMPTY" || error.code === "EEXIST");
    if (!isLostRace) throw error;
  } finally {
    await rm(passwordPath, { force: true });
  }
}

/** Writes the configuration where it differs. Call it only while the server is down. */
export async function configureCluster(home: ClusterHome, settings: Settings): Promise<void> {
  await writeIfChanged(join(home.clusterFolder, "postgresql.conf"), renderSettings(settings), home.identity);
  await writeIfChanged(join(home.clusterFolder, "pg_hba.conf"), HBA_CONF, home.identity);
}

/** @throws Error for the operator when the files were made by another major version: PostgreSQL would not read them. */
export async function assertSameMajorVersion(home: ClusterHome, binaries: Binaries): Promise<void> {
  const madeBy = (await readFile(join(home.clusterFolder, "PG_VERSION"), "utf8")).trim();
  if (madeBy === String(binaries.majorVersion)) return;
  throw new Error(
    `The database in ${home.clusterFolder} was made by PostgreSQL ${madeBy}, and this program brings ${binaries.majorVersion}. ` +
      "Carry it over with pg_upgrade, or with pg_dump and psql, before starting this version.",
  );
}

async function runInitdb(
  binaries: Binaries,
  folder: string,
  passwordPath: string,
  identity: Identity | undefined,
  fsync: boolean,
): Promise<void> {
  const access = ["--username", SUPERUSER, "--pwfile", passwordPath, "--auth", "scram-sha-256"];
  // The built-in collation sorts by code point on every system and in every future version, so that an update of the
  // operating system can never corrupt an index; no locale has to be installed for it.
  const collation = [
    "--encoding",
    "UTF8",
    "--no-locale",
    "--locale-provider",
    "builtin",
    "--builtin-locale",
    "C.UTF-8",
  ];
  const args = [
    "--pgdata",
    folder,
    ...access,
    ...collation,
    "--data-checksums",
    "--no-instructions",
    ...(fsync ? [] : ["--no-sync"]),
  ];
  const env = { LC_ALL: "C", TZ: "UTC" };
  try {
    await promisify(execFile)(binaries.initdb, args, { ...identity, cwd: folder, env });
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    throw new Error(`initdb could not make the database in ${folder}: ${said}`, { cause: error });
  }
}

async function clearDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(/^data\.new-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isInteger(pid) && !(await isProcessAlive(pid)))
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function writeIfChanged(path: string, text: string, identity: Identity | undefined): Promise<void> {
  if ((await readFile(path, "utf8")) === text) return;
  const draft = `${path}.new`;
  await writeFile(draft, text, { mode: 0o600 });
  await giveTo(draft, identity);
  await rename(draft, path);
}

async function giveTo(path: string, identity: Identity | undefined): Promise<void> {
  if (identity === undefined) return;
  await chown(path, identity.uid, identity.gid);
}
