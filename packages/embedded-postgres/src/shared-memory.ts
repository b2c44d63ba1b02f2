/** Chooses where PostgreSQL keeps dynamic shared memory: in /dev/shm, or in files of its own. */
import { access, constants } from "node:fs/promises";
import { allows, EXECUTE, WRITE, type Identity } from "./identity.ts";
import type { Settings } from "./settings.ts";

/**
 * In bare containers and chroots /dev/shm may be missing, or only root may write there. PostgreSQL would end at its start.
 *
 * @param identity the user of PostgreSQL; undefined for the user of this process.
 * @returns no setting where PostgreSQL's default works.
 */
export async function chooseSharedMemory(identity: Identity | undefined, folder = "/dev/shm"): Promise<Settings> {
  return process.platform !== "linux" || (await canWrite(identity, folder))
    ? {}
    : { dynamic_shared_memory_type: "mmap" };
}

async function canWrite(identity: Identity | undefined, folder: string): Promise<boolean> {
  try {
    if (identity !== undefined) return await allows(identity, folder, WRITE | EXECUTE);
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
