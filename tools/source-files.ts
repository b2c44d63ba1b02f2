import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repositoryFolder = fileURLToPath(new URL("..", import.meta.url));

export type SourceFile = {
  /** From the repository's root, with forward slashes. */
  path: string;
  text: string;
};

/** What `.gitignore` keeps out: folders by name anywhere, by a leading slash at the root, and files by their ending. */
const ignored = readFileSync(join(repositoryFolder, ".gitignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map(toPattern);

/**
 * Every file of the repository, committed or not. Read from the folders and not from git, which a machine that runs the tests
 * need not have.
 */
export function listFiles(pattern: RegExp): string[] {
  return listFolder("")
    .filter((path) => pattern.test(path))
    .toSorted();
}

function listFolder(folder: string): string[] {
  return readdirSync(join(repositoryFolder, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (entry.isDirectory()) return entry.name === ".git" || isIgnored(`${path}/`) ? [] : listFolder(`${path}/`);
    return isIgnored(path) ? [] : [path];
  });
}

function isIgnored(path: string): boolean {
  return ignored.some((pattern) => pattern.test(path));
}

function toPattern(line: string): RegExp {
  const name = line
    .replace(/^\//, "")
    .replaceAll(".", String.raw`\.`)
    .replaceAll("*", "[^/]*");
  return new RegExp(`${line.startsWith("/") ? "^" : "(?:^|/)"}${name}$`);
}

export function readSourceFiles(pattern: RegExp): SourceFile[] {
  return listFiles(pattern).map((path) => ({ path, text: readFileSync(join(repositoryFolder, path), "utf8") }));
}
