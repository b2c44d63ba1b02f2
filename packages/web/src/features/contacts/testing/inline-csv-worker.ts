import { vi } from "vitest";
import { readCsv, type CsvTask } from "../../../shared/numbers/read-csv.ts";

/** Stands in for the browser's Worker, which jsdom lacks: does what `csv-worker.ts` does. */
class InlineCsvWorker extends EventTarget {
  static isBroken = false;
  static tasks: CsvTask[] = [];
  #isTerminated = false;

  postMessage(task: CsvTask): void {
    InlineCsvWorker.tasks.push(task);
    void this.#read(task);
  }

  terminate(): void {
    this.#isTerminated = true;
  }

  async #read(task: CsvTask): Promise<void> {
    const { isBroken } = InlineCsvWorker;
    const summary = isBroken ? undefined : await readCsv(task);
    window.setTimeout(() => {
      if (this.#isTerminated) return;
      this.dispatchEvent(summary === undefined ? new Event("error") : new MessageEvent("message", { data: summary }));
    });
  }
}

/** @returns what the workers are asked, as it is asked, and a switch that breaks them, as when their file cannot be fetched. */
export function inlineCsvWorker(): { tasks: readonly CsvTask[]; setBroken: (isBroken: boolean) => void } {
  InlineCsvWorker.isBroken = false;
  InlineCsvWorker.tasks = [];
  vi.stubGlobal("Worker", InlineCsvWorker);
  return {
    tasks: InlineCsvWorker.tasks,
    setBroken: (isBroken) => {
      InlineCsvWorker.isBroken = isBroken;
    },
  };
}
