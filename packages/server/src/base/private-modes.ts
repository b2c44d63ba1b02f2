import { stat } from "node:fs/promises";

/** Sticky, and open to the group: what root gives a data directory whose roles run as users of their own. */
export const SHARED_DATA_DIR_MODE = 0o1770;

/**
 * Modes of what is written below a data directory: for our own user alone, or for the group of the roles where each has a
 * user of its own and another one must read it.
 */
export async function privateModes(dataDir: string): Promise<{ folder: number; file: number }> {
  // Sticky as well: a folder that somebody only opened to a group of people is no such one.
  const isShared = ((await stat(dataDir)).mode & SHARED_DATA_DIR_MODE) === SHARED_DATA_DIR_MODE;
  return isShared ? { folder: 0o770, file: 0o660 } : { folder: 0o700, file: 0o600 };
}
