/** Where PostgreSQL keeps the memory that its processes share beyond the main block: in /dev/shm, or in files of its own. */
import { access, constants } from "node:fs/promises";
import { allows, EXECUTE, WRITE, type Identity } from "./identity.ts";
import type { Settings } from "./settings.ts";

/**
 * Bare containers and chroots may have a /dev/shm that only root can write to, or none; PostgreSQL would end at its start.
 *
 * @param identity whom PostgreSQL runs as; undefined for this process's own user.
 * @returns nothing where PostgreSQL's own choice serves.
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
