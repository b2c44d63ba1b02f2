/**
 * `DATA_DIR/moved.json`: the embedded database of this folder is being moved to a server, or was.
 *
 *     no file -> moving -> moved
 *        ^_________|  the move failed, or an operator gave it up
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const markSchema = z.object({
  /** Says which half-filled target belongs to this move. */
  moveId: z.uuid(),
  /** Host, port and database of the target; never its password. */
  to: z.string(),
  isDone: z.boolean(),
  at: z.iso.datetime(),
});

export type MovedMark = z.infer<typeof markSchema>;

const pathOf = (dataDir: string): string => join(dataDir, "moved.json");

export function readMovedMark(dataDir: string): MovedMark | undefined {
  if (!existsSync(pathOf(dataDir))) return undefined;
  return markSchema.parse(JSON.parse(readFileSync(pathOf(dataDir), "utf8")));
}

/** Written through, because a start that does not see it would let an old database go on. */
export function writeMovedMark(dataDir: string, mark: MovedMark): void {
  const draft = `${pathOf(dataDir)}.part`;
  writeFileSync(draft, `${JSON.stringify(mark)}\n`, { mode: 0o644, flush: true });
  renameSync(draft, pathOf(dataDir));
}

export function removeMovedMark(dataDir: string): void {
  rmSync(pathOf(dataDir), { force: true });
}

/** @throws Error for the operator when the embedded database is no longer the one to work with. */
export function refuseMoved(dataDir: string): void {
  const mark = readMovedMark(dataDir);
  if (mark === undefined) return;
  throw new Error(
    mark.isDone
      ? `The database of ${dataDir} was moved to ${mark.to} on ${mark.at.slice(0, 10)}: set DATABASE_URL to that address.`
      : `The database of ${dataDir} is being moved to ${mark.to}: wait for "npm run move", and run it again if it was interrupted.`,
  );
}

const LOOK_EVERY_MS = 500;

/** Calls `stop` once when a move of this folder's database begins. */
export function watchForMove(dataDir: string, stop: (to: string) => void): void {
  const timer = setInterval(() => {
    const mark = readMovedMark(dataDir);
    if (mark === undefined) return;
    clearInterval(timer);
    stop(mark.to);
  }, LOOK_EVERY_MS).unref();
}
