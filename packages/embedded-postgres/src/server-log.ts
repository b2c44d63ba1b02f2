/** The file that PostgreSQL writes its messages to. It is opened for appending, so it can be cut while in use. */
import { copyFile, open, stat, truncate } from "node:fs/promises";

/** With the one earlier part that is kept, twice this. */
const LOG_BYTES_MAX = 10 * 2 ** 20;
/** Enough for every message of a start that failed. */
const TAIL_BYTES_MAX = 16 * 2 ** 10;

/** @returns 0 when there is none yet. */
export async function readLogSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}

/** @returns what was written since the file had the given size, of that the end. */
export async function readLogTail(path: string, sinceSize: number): Promise<string> {
  const size = await readLogSize(path);
  const from = Math.max(Math.min(sinceSize, size), size - TAIL_BYTES_MAX);
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Keeps one earlier part beside the log. Lines written during the cut itself may be lost. */
export async function trimLog(path: string): Promise<void> {
  if ((await readLogSize(path)) <= LOG_BYTES_MAX) return;
  await copyFile(path, `${path}.1`);
  await truncate(path, 0);
}
