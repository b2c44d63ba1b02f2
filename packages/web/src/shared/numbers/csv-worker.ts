import { readCsv, type CsvTask } from "./read-csv.ts";

/** One file is read, and the worker is done with. */
self.addEventListener("message", ({ data }: MessageEvent<CsvTask>) => {
  readCsv(data).then(
    (summary) => self.postMessage(summary),
    // Reported as the worker's error event.
    (error: unknown) => reportError(error),
  );
});
