/** Builds the pages when their sources have changed since the last build, so that `npm start` needs no build step. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { moveFolderIn } from "@ewebal/embedded-postgres";

const repository = fileURLToPath(new URL("../../../..", import.meta.url));
const webFolder = join(repository, "packages/web");

/** `client/`: what the server serves; `server/`: what makes the documents, with the manifest of the client's files. */
export const webDistFolder = join(webFolder, "dist");
const BUILD_ID_NAME = ".build-id";
/** The module of the pages that makes documents. */
const DOCUMENT_ENTRY = "src/app/render-document.tsx";

const sourceFolders = ["packages/web", "packages/contract/src", "packages/gsm/src"];
/** Folders that others may be filling or removing meanwhile are not even looked into. */
const isSourceFolder = (name: string): boolean =>
  !/^(?:dist|\.dist-.*|node_modules|\.vite|testing|scripts)$/.test(name);
const isSourceFile = (name: string): boolean => !/\.test\.tsx?$/.test(name);

/**
 * @returns true when the pages had to be built.
 * @throws Error with the builder's output when the sources do not build.
 */
export async function ensureWebBuild(): Promise<boolean> {
  const buildId = await hashSources();
  if ((await readBuildId(webDistFolder)) === buildId) return await openToReaders(false);
  // Built aside and moved in whole: a build that is interrupted, or two at once, leave no half of it behind.
  const freshFolder = await mkdtemp(join(webFolder, ".dist-"));
  try {
    const [clientFolder, serverFolder] = [join(freshFolder, "client"), join(freshFolder, "server")];
    await Promise.all([runVite(clientFolder), runVite(serverFolder, DOCUMENT_ENTRY)]);
    // Names the sources, which are nobody's business.
    await rename(join(clientFolder, ".vite/manifest.json"), join(serverFolder, "manifest.json"));
    await rm(join(clientFolder, ".vite"), { recursive: true });
    await compressFiles(clientFolder);
    await writeFile(join(freshFolder, BUILD_ID_NAME), buildId);
    await moveFolderIn(freshFolder, webDistFolder, async (folder) => (await readBuildId(folder)) === buildId);
  } finally {
    await rm(freshFolder, { recursive: true, force: true });
  }
  return await openToReaders(true);
}

/** A temporary folder is its maker's alone, and the web process may be another user. */
async function openToReaders(hasBuilt: boolean): Promise<boolean> {
  if ((await stat(webDistFolder)).uid === process.getuid?.()) await chmod(webDistFolder, 0o755);
  return hasBuilt;
}

async function readBuildId(distFolder: string): Promise<string | undefined> {
  return await readFile(join(distFolder, BUILD_ID_NAME), "utf8").catch(ignoreMissing);
}

async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  hash.update(await readFile(join(repository, "package-lock.json")));
  for (const folder of sourceFolders) {
    for (const path of (await listSources(join(repository, folder))).toSorted()) {
      hash
        .update(path.slice(repository.length))
        .update("\0")
        .update(await readFile(path));
    }
  }
  return hash.digest("hex");
}

async function listSources(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && isSourceFolder(entry.name)) paths.push(...(await listSources(path)));
    else if (entry.isFile() && isSourceFile(entry.name)) paths.push(path);
  }
  return paths;
}

/** @param serverEntry the module that is built for the server; the pages for browsers are built without. */
async function runVite(outFolder: string, serverEntry?: string): Promise<void> {
  const viteEntry = join(repository, "node_modules/vite/bin/vite.js");
  const words = [
    "build",
    "--logLevel",
    "warn",
    "--outDir",
    outFolder,
    "--emptyOutDir",
    ...(serverEntry === undefined ? ["--manifest"] : ["--ssr", serverEntry]),
  ];
  const child = spawn(process.execPath, [viteEntry, ...words], {
    cwd: webFolder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [exitCode] = (await once(child, "exit")) as [number | null];
  if (exitCode !== 0) throw new Error(`The pages could not be built:\n${output}`);
}

/** Compresses once at build time what would otherwise be compressed for every visitor; over plain http browsers take gzip only. */
async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || !/\.(?:js|css|html|svg|json|txt|webmanifest)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(content, {
        params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
      }),
      promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
    ]);
    if (br.length < content.length) await writeFile(`${path}.br`, br);
    if (gz.length < content.length) await writeFile(`${path}.gz`, gz);
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
