import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repositoryFolder = fileURLToPath(new URL("..", import.meta.url));

export type SourceFile = {
  /** From the repository's root, with forward slashes. */
  path: string;
  text: string;
};

/** Every file of the repository that git tracks or would track, so that a check sees a file before it is committed. */
export function listFiles(pattern: RegExp): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: repositoryFolder,
    encoding: "utf8",
  });
  // A file that was removed and not yet committed is still in the index.
  return [...new Set(listed.split("\0"))]
    .filter((path) => pattern.test(path) && existsSync(join(repositoryFolder, path)))
    .toSorted();
}

export function readSourceFiles(pattern: RegExp): SourceFile[] {
  return listFiles(pattern).map((path) => ({ path, text: readFileSync(join(repositoryFolder, path), "utf8") }));
}
