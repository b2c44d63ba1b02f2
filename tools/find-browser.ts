/**
 * Finds the Chromium that the browser tests drive, and installs Debian's when there is none: the tests must run on a
 * machine where nothing was installed by hand. Run it alone with `node tools/find-browser.ts`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const usualFolders = ["/usr/bin", "/usr/local/bin", "/snap/bin", "/opt/google/chrome"];
const macPath = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** @returns the path of a Chromium or Chrome, or undefined. */
export function findBrowser(): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...usualFolders].filter((folder) => folder !== "");
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), macPath].find(isExecutable);
}

/**
 * @param say told what is being done, since an installation takes a minute.
 * @returns the path of a browser.
 * @throws Error that says what to install by hand.
 */
export function findOrInstallBrowser(say: (line: string) => void): string {
  const found = findBrowser();
  if (found !== undefined) return found;
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  say("No Chromium found: installing Debian's package.");
  for (const command of [
    ["apt-get", "update"],
    ["apt-get", "install", "-y", "--no-install-recommends", "chromium", "fonts-liberation"],
  ]) {
    const [program = "", ...rest] = [...asRoot, ...command];
    const { status } = spawnSync(program, rest, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    if (status !== 0) break;
  }
  const installed = findBrowser();
  if (installed === undefined) {
    throw new Error("The browser tests need Chromium. Install it (Debian: `apt-get install chromium`) and run them again.");
  }
  return installed;
}

/** @returns the browser's own words about its version. */
export function browserVersion(path: string): string {
  return execFileSync(path, ["--version", "--no-sandbox"], { encoding: "utf8" }).trim();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(`${findOrInstallBrowser((line) => process.stdout.write(`${line}\n`))}\n`);
}
