import type { Rates } from "@ewebal/contract";
import type { ListsAnswer, ListsTask, RecipientsSummary } from "./recipient-lists.ts";

/** What a reading depends on beside the pasted lists. */
export type ReadRequest = {
  code: string;
  /** They tell which longer codes are priced apart. */
  rates: Rates;
  typed: string;
};

export type ReaderEvents = {
  /** @param isCurrent false when a newer request waits; its summary follows. */
  onSummary: (summary: RecipientsSummary, isCurrent: boolean) => void;
  /** The worker could not be fetched, or it crashed. No summary follows. */
  onFailure: () => void;
};

/**
 * The page's side of the worker that reads recipients. One reading runs at a time; of the requests that arrive during it, only the
 * newest is read next, so fast typing beside a million numbers never queues up.
 */
export class RecipientsReader {
  readonly #worker: Worker;
  readonly #events: ReaderEvents;
  readonly #writings: Array<PromiseWithResolvers<string>> = [];
  #isReading = false;
  #next: ReadRequest | undefined;

  constructor(events: ReaderEvents) {
    this.#events = events;
    this.#worker = new Worker(new URL("./recipients-worker.ts", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<ListsAnswer>) => this.#onAnswer(data));
    this.#worker.addEventListener("error", () => this.#onError());
  }

  put(listId: number, text: string): void {
    this.#ask({ kind: "put", listId, text });
  }

  drop(listId: number): void {
    this.#ask({ kind: "drop", listId });
  }

  read(request: ReadRequest): void {
    if (this.#isReading) this.#next = request;
    else this.#start(request);
  }

  /** @returns the distinct valid numbers of the latest reading, as the send call takes them. */
  async write(): Promise<string> {
    const writing = Promise.withResolvers<string>();
    this.#writings.push(writing);
    this.#ask({ kind: "write" });
    return await writing.promise;
  }

  end(): void {
    this.#worker.terminate();
  }

  #start(request: ReadRequest): void {
    this.#isReading = true;
    this.#ask({ kind: "read", ...request });
  }

  #ask(task: ListsTask): void {
    this.#worker.postMessage(task);
  }

  #onAnswer(answer: ListsAnswer): void {
    if (answer.kind === "written") {
      this.#writings.shift()?.resolve(answer.text);
      return;
    }
    const next = this.#next;
    this.#next = undefined;
    this.#isReading = false;
    if (next !== undefined) this.#start(next);
    this.#events.onSummary(answer.summary, next === undefined);
  }

  #onError(): void {
    this.#worker.terminate();
    for (const writing of this.#writings.splice(0)) writing.reject(new Error("The numbers could not be read"));
    this.#events.onFailure();
  }
}
