import type { CsvSummary, CsvTask } from "./read-csv.ts";

/**
 * Reads a contact file beside the page.
 *
 * @throws Error when the worker could not be fetched, or the file could not be read; AbortError when nobody waits any more.
 */
export async function readCsvInWorker(task: CsvTask, signal: AbortSignal): Promise<CsvSummary> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("./csv-worker.ts", import.meta.url), { type: "module" });
  const reading = Promise.withResolvers<CsvSummary>();
  worker.addEventListener("message", ({ data }: MessageEvent<CsvSummary>) => reading.resolve(data));
  worker.addEventListener("error", () => reading.reject(new Error("The file could not be read")));
  signal.addEventListener("abort", () => reading.reject(signal.reason as Error));
  worker.postMessage(task);
  try {
    return await reading.promise;
  } finally {
    worker.terminate();
  }
}
