import { rename, rm } from "node:fs/promises";

/**
 * Moves a finished folder to its final place, also when several programs do so at once. A right folder that is already there
 * stays. A wrong one is renamed before it is deleted, so that nobody finds half of it.
 *
 * @param isRight whether a folder is complete and of the right kind; false for a missing one.
 * @throws Error of the system, for example for a folder that may not be written.
 */
export async function moveFolderIn(
  freshFolder: string,
  place: string,
  isRight: (folder: string) => Promise<boolean>,
): Promise<void> {
  const asideFolder = `${freshFolder}-aside`;
  for (;;) {
    if (await tryMove(freshFolder, place)) return;
    if (await isRight(place)) return;
    if (!(await tryMove(place, asideFolder))) continue;
    // Another program may have put a right one there since the check.
    if (await isRight(asideFolder)) await tryMove(asideFolder, place);
    await rm(asideFolder, { recursive: true, force: true });
  }
}

/** @returns false when the place is taken or the source is gone. */
async function tryMove(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOTEMPTY", "EEXIST", "ENOENT"].includes(String(error.code)))
      return false;
    throw error;
  }
}
