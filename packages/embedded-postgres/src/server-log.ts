/** The log file of PostgreSQL. The server appends to it, so the file can be cut while it is in use. */
import { copyFile, open, stat, truncate } from "node:fs/promises";

/** The log and the one earlier part that is kept take at most twice this. */
const LOG_BYTES_MAX = 10 * 2 ** 20;
/** Enough for every message of a start that failed. */
const TAIL_BYTES_MAX = 16 * 2 ** 10;

/** @returns 0 when the file does not exist. */
export async function readLogSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}

/** @returns the end of what was written since the file had the given size. */
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

/** Cuts the log and keeps the earlier part beside it. Lines that are written during the cut may be lost. */
export async function trimLog(path: string): Promise<void> {
  if ((await readLogSize(path)) <= LOG_BYTES_MAX) return;
  await copyFile(path, `${path}.1`);
  await truncate(path, 0);
}
