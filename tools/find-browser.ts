/**
 * Finds the Chromium that the browser tests drive, and installs Debian's when there is none: the tests must run on a
 * machine where nothing was installed by hand. Run it alone with `node tools/find-browser.ts`.
 */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { installDebianPackages } from "./debian-packages.ts";

/** The shell is the same engine without a browser round it: the tests take a quarter to a half less time. It has no viewer for PDF. */
export type BrowserKind = "shell" | "whole";

const SHELL_NAME = "chromium-headless-shell";
const wholeNames = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const names: Record<BrowserKind, string[]> = { shell: [SHELL_NAME, ...wholeNames], whole: wholeNames };
const usualFolders = ["/usr/bin", "/usr/local/bin", "/snap/bin", "/opt/google/chrome"];
const MAC_PATH = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** @returns the path of a Chromium or Chrome, or undefined. A whole one serves as the shell where there is none. */
export function findBrowser(kind: BrowserKind = "shell"): string | undefined {
  return findProgram(names[kind]) ?? [MAC_PATH].find(isExecutable);
}

function findProgram(programs: readonly string[]): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...usualFolders].filter((folder) => folder !== "");
  return programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/**
 * @param say told what is being done, since an installation takes a minute.
 * @returns the paths of the browsers that the tests drive, the shell first.
 * @throws Error that says what to install by hand.
 */
export async function findOrInstallBrowsers(say: (line: string) => void): Promise<string[]> {
  if (findBrowser("whole") === undefined) {
    say("Installing Debian's Chromium.");
    await installDebianPackages(["chromium", "fonts-liberation"]);
  }
  // A machine may have come with a whole browser and no shell. As the whole one serves, too, only root's machine is changed for it.
  if (findProgram([SHELL_NAME]) === undefined && process.platform === "linux" && process.getuid?.() === 0) {
    say("Installing Debian's shell of Chromium.");
    // Older releases have none.
    await installDebianPackages([SHELL_NAME]);
  }
  const found = [findBrowser("shell"), findBrowser("whole")].filter((path) => path !== undefined);
  if (found.length === 2) return [...new Set(found)];
  throw new Error(
    "The browser tests need Chromium. Install it (Debian: `apt-get install chromium chromium-headless-shell`) and run them again.",
  );
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
  const browsers = await findOrInstallBrowsers((line) => process.stdout.write(`${line}\n`));
  process.stdout.write(`${browsers.join("\n")}\n`);
}
