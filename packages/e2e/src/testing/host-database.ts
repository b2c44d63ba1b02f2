import { execFile, spawn } from "node:child_process";
import { appendFile, chown, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { chooseIdentity, findNativeFolder, prepareBinaries } from "@ewebal/embedded-postgres";
import { findFastFolder } from "@ewebal/embedded-postgres/testing/fast-folder";
import type { Host } from "./host-network.ts";

const PORT = 5432;

/** A PostgreSQL on a machine of its own, open to all others of its network. `remove` is for when it runs no more. */
export async function startHostDatabase(host: Host): Promise<{ url: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(await findFastFolder(), "ewebal-hosts-"));
  const remove = async (): Promise<void> => await rm(folder, { recursive: true, force: true });
  try {
    const identity = await chooseIdentity("ewebal", join(folder, "data"));
    if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
    const binaries = await prepareBinaries({ nativeFolder: findNativeFolder(), cacheFolder: folder, identity });
    const data = join(folder, "data");
    const cluster = ["-D", data, "-U", "ewebal", "-A", "trust", "--no-sync", "--encoding=UTF8", "--no-locale"];
    await promisify(execFile)(binaries.initdb, cluster, { ...identity, cwd: folder });
    await appendFile(join(data, "pg_hba.conf"), "host all all samenet trust\n");
    const settings = [`listen_addresses=${host.address}`, "unix_socket_directories=", "max_connections=200"];
    // Only root enters a machine, and PostgreSQL does not run as root.
    const asUser =
      identity === undefined ? [] : ["setpriv", `--reuid=${identity.uid}`, `--regid=${identity.gid}`, "--clear-groups"];
    const [program, ...words] = [...host.command, ...asUser, binaries.postgres, "-D", data, "-p", String(PORT)];
    spawn(program, [...words, ...settings.flatMap((setting) => ["-c", setting])], { cwd: folder, stdio: "ignore" });
    return { url: `postgres://ewebal@${host.address}:${PORT}/postgres?sslmode=disable`, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
