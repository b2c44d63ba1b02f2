/** Where PostgreSQL keeps the memory that its processes share beyond the main block: in /dev/shm, or in files of its own. */
import { access, constants, stat } from "node:fs/promises";
import type { Identity } from "./identity.ts";
import type { Settings } from "./settings.ts";

const WRITE_AND_EXECUTE = 3;

/**
 * Bare containers and chroots may have a /dev/shm that only root can write to, or none; PostgreSQL would end at its start.
 *
 * @param identity whom PostgreSQL runs as; undefined for this process's own user.
 * @returns nothing where PostgreSQL's own choice serves.
 */
export async function chooseSharedMemory(identity: Identity | undefined, folder = "/dev/shm"): Promise<Settings> {
  return process.platform !== "linux" || (await canWrite(identity, folder)) ? {} : { dynamic_shared_memory_type: "mmap" };
}

async function canWrite(identity: Identity | undefined, folder: string): Promise<boolean> {
  try {
    if (identity === undefined) {
      await access(folder, constants.W_OK | constants.X_OK);
      return true;
    }
    const { mode, uid, gid } = await stat(folder);
    const shift = uid === identity.uid ? 6 : gid === identity.gid ? 3 : 0;
    return ((mode >> shift) & WRITE_AND_EXECUTE) === WRITE_AND_EXECUTE;
  } catch {
    return false;
  }
}
