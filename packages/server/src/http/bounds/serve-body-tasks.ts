import { parentPort, workerData } from "node:worker_threads";
import type { Rates } from "@ewebal/contract";
import type { BodyTasks } from "./body-reader.ts";

/**
 * The thread's side of `BodyReader`: does the tasks that it is sent, one after another. The file that has the tasks calls it when
 * it is loaded; outside a `BodyReader`'s thread that does nothing.
 *
 * @param url of that file.
 */
export function serveBodyTasks(url: URL, tasks: BodyTasks): void {
  const { bodyTasksUrl } = (workerData ?? {}) as { bodyTasksUrl?: string };
  if (bodyTasksUrl !== url.href) return;
  parentPort?.on("message", ({ name, input, rates }: { name: string; input: never; rates: Rates }) => {
    const result = tasks[name]?.(input, rates);
    parentPort?.postMessage(result, listBuffers(result));
  });
}

/** Below this a copy costs nothing, and may be of a buffer that is shared with others. */
const MOVED_BYTES_MIN = 4_096;

/** Lists of numbers and packed values are moved, not copied: a million of them are 8 MB and more. */
function listBuffers(value: unknown): ArrayBuffer[] {
  if (value instanceof Float64Array) return [value.buffer as ArrayBuffer];
  if (value instanceof Uint8Array) return value.byteLength < MOVED_BYTES_MIN ? [] : [value.buffer as ArrayBuffer];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.values(value).flatMap(listBuffers);
}
