/** What the tests need of the machine, from Debian's packages: they must run on one where nothing was installed by hand. */
import { spawnSync } from "node:child_process";

/** Installs them one by one, as a release may lack one. Whether it helped is for the caller to see. */
export function installDebianPackages(names: readonly string[]): void {
  runAsRoot("apt-get", "update");
  for (const name of names) runAsRoot("apt-get", "install", "-y", "--no-install-recommends", name);
}

/** The program `ip`, by which root makes machines with addresses of their own; a test that needs it says why it is skipped without. */
export function installNetworkTools(say: (line: string) => void): void {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  if (spawnSync("ip", ["-V"]).status === 0) return;
  say("Installing Debian's iproute2.");
  installDebianPackages(["iproute2"]);
}

function runAsRoot(...command: string[]): void {
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const [program = "", ...rest] = [...asRoot, ...command];
  spawnSync(program, rest, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
