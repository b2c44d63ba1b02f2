/**
 * The release before this one, as it was: from the history of git, with the packages that are installed here. What it alone needs of those
 * (`@fastify/helmet`) stands among the packages of these tests until the next release.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "./product.ts";

/** Its last commit. Named anew when a release is made, together with `previous-statements.txt.gz`. */
const RELEASE_BEFORE = "d6974218ab705e96d61a4fa59a6bdaff2febfbf3";
const WORKSPACE_SCOPE = "@ewebal";
const BUILD_MODULE = "packages/server/src/process-tree/web-build.ts";

/** The reason why it cannot be had here, or undefined. */
export const reasonWithoutReleaseBefore =
  spawnSync("git", ["cat-file", "-e", `${RELEASE_BEFORE}^{tree}`], { cwd: repository }).status === 0
    ? undefined
    : "the history of git does not reach back to the release before (a shallow clone)";

/** Its sources in a folder of their own. Its pages are those of this release, which takes no build: nothing here opens them. */
export async function exportReleaseBefore(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "ewebal-before-"));
  const remove = async (): Promise<void> => await rm(folder, { recursive: true, force: true });
  try {
    // Its processes may be other users.
    await chmod(folder, 0o755);
    const archive = execFileSync("git", ["archive", RELEASE_BEFORE], { cwd: repository, maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    await linkPackages(folder);
    await lendPages(folder);
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function linkPackages(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, WORKSPACE_SCOPE), { recursive: true });
  for (const name of await readdir(join(repository, "node_modules"))) {
    if (name !== WORKSPACE_SCOPE && name !== ".cache")
      await symlink(join(repository, "node_modules", name), join(modules, name));
  }
  for (const name of await readdir(join(folder, "packages")))
    await symlink(join(folder, "packages", name), join(modules, WORKSPACE_SCOPE, name));
}

/** With the mark by which its start sees that it need not build. */
async function lendPages(folder: string): Promise<void> {
  const dist = join(folder, "packages/web/dist");
  await cp(join(repository, "packages/web/dist"), dist, { recursive: true });
  const askingModule = join(folder, BUILD_MODULE.replace(".ts", "-id.ts"));
  const text = await readFile(join(folder, BUILD_MODULE), "utf8");
  await writeFile(askingModule, `${text}\nprocess.stdout.write(await hashSources());\n`);
  await writeFile(join(dist, ".build-id"), execFileSync(process.execPath, [askingModule]));
}
