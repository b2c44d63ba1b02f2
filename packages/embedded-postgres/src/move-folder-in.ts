import { rename, rm } from "node:fs/promises";

/**
 * Puts a folder that was made aside where others look for it, whole, however many programs do that at once. What stands there
 * and is right stays. What is wrong changes its name before it is removed, so that nobody ever finds half of one.
 *
 * @param isRight whether a folder is what others look for; false for one that is missing.
 * @throws Error of the system, such as a folder that may not be written.
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
    // Somebody may have put a right one there since it was looked at.
    if (await isRight(asideFolder)) await tryMove(asideFolder, place);
    await rm(asideFolder, { recursive: true, force: true });
  }
}

/** @returns false when something stands there already, or what was to be moved has gone. */
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
