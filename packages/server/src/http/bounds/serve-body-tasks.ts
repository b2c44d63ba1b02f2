import { parentPort } from "node:worker_threads";
import type { Rates } from "@ewebal/contract";
import type { BodyTasks } from "./body-reader.ts";

/** The thread's side of `BodyReader`: does the tasks that it is sent, one after another. A worker's file calls it and nothing else. */
export function serveBodyTasks(tasks: BodyTasks): void {
  parentPort?.on("message", ({ name, input, rates }: { name: string; input: never; rates: Rates }) => {
    const result = tasks[name]?.(input, rates);
    parentPort?.postMessage(result, listBuffers(result));
  });
}

/** Lists of numbers are moved, not copied: a million of them are 8 MB. */
function listBuffers(value: unknown): ArrayBuffer[] {
  if (value instanceof Float64Array) return [value.buffer as ArrayBuffer];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.values(value).flatMap(listBuffers);
}
