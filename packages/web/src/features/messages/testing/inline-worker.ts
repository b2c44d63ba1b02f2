import { vi } from "vitest";
import { readCsv, type CsvTask } from "../../../shared/numbers/read-csv.ts";
import { RecipientLists, type ListsTask } from "../recipients/recipient-lists.ts";

/** Stands in for the browser's Worker, which jsdom lacks: does what `recipients-worker.ts` and `csv-worker.ts` do, a moment later. */
export class InlineWorker extends EventTarget {
  static started: InlineWorker[] = [];
  /** Set to let every worker fail, as when its file cannot be fetched. */
  static isBroken = false;

  readonly tasks: ListsTask[] = [];
  readonly #lists = new RecipientLists();
  #isTerminated = false;

  constructor() {
    super();
    InlineWorker.started.push(this);
  }

  postMessage(task: ListsTask | CsvTask): void {
    if (!("kind" in task)) {
      void readCsv(task).then((summary) => this.dispatchEvent(new MessageEvent("message", { data: summary })));
      return;
    }
    this.tasks.push(task);
    const { isBroken } = InlineWorker;
    window.setTimeout(() => {
      if (this.#isTerminated) return;
      if (isBroken) {
        this.dispatchEvent(new Event("error"));
        return;
      }
      const answer = this.#lists.handle(task);
      if (answer !== undefined) this.dispatchEvent(new MessageEvent("message", { data: answer }));
    });
  }

  terminate(): void {
    this.#isTerminated = true;
  }
}

/** @returns the workers as they are started. */
export function inlineWorker(): InlineWorker[] {
  InlineWorker.started = [];
  InlineWorker.isBroken = false;
  vi.stubGlobal("Worker", InlineWorker);
  return InlineWorker.started;
}
