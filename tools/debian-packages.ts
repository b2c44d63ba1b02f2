/** What the tests need of the machine, from Debian's packages: they must run on one where nothing was installed by hand. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** Installs them one by one, as a release may lack one. Whether it helped is for the caller to see. */
export async function installDebianPackages(names: readonly string[]): Promise<void> {
  await runAsRoot("apt-get", "update");
  for (const name of names) await runAsRoot("apt-get", "install", "-y", "--no-install-recommends", name);
}

/** The program `ip`, by which root makes machines with addresses of their own; a test that needs it says why it is skipped without. */
export async function installNetworkTools(say: (line: string) => void): Promise<void> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  if (spawnSync("ip", ["-V"]).status === 0) return;
  say("Installing Debian's iproute2.");
  await installDebianPackages(["iproute2"]);
}

async function runAsRoot(...command: string[]): Promise<void> {
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const [program = "", ...rest] = [...asRoot, ...command];
  const child = spawn(program, rest, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  // A machine without the program has an error in place of an exit.
  await once(child, "exit").catch(() => undefined);
}
