import { access, constants, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";

const MEMORY_FOLDER = "/dev/shm";
/** A run with a million recipients stays well below this; a container's 64 MB would not hold one template. */
const MEMORY_BYTES_MIN = 4 * 2 ** 30;

/**
 * @returns a folder in memory if there is room, else the temporary one. A copy of the template is 300 files: 11 ms in
 *   memory, 90 to 280 ms on the ext4 of the same machine.
 */
export async function findFastFolder(): Promise<string> {
  try {
    await access(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    return Math.min(bavail * bsize, freemem()) >= MEMORY_BYTES_MIN ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir(); // Not every system has one.
  }
}
