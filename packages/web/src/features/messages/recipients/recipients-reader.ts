import type { Rates } from "@ewebal/contract";
import type { ContactColumnName } from "@ewebal/contract/rules";
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

/** What is asked of the worker and answered once. */
export type ListsQuestion = Exclude<ListsTask, { kind: "read" | "put" | "drop" }>;

/**
 * The page's side of the worker that reads recipients. One reading runs at a time; of the requests that arrive during it, only the
 * newest is read next, so fast typing beside a million numbers never queues up.
 */
export class RecipientsReader {
  readonly #worker: Worker;
  readonly #events: ReaderEvents;
  readonly #questions: Array<PromiseWithResolvers<ListsAnswer>> = [];
  #isReading = false;
  #next: ReadRequest | undefined;

  constructor(events: ReaderEvents) {
    this.#events = events;
    this.#worker = new Worker(new URL("./recipients-worker.ts", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<ListsAnswer>) => this.#onAnswer(data));
    this.#worker.addEventListener("error", () => this.#onError());
  }

  put(listId: number, text: string, columns?: readonly ContactColumnName[]): void {
    this.#post({ kind: "put", listId, text, ...(columns && { columns }) });
  }

  drop(listId: number): void {
    this.#post({ kind: "drop", listId });
  }

  read(request: ReadRequest): void {
    if (this.#isReading) this.#next = request;
    else this.#start(request);
  }

  /** Asks about the latest reading; answers come in the order of the questions. @throws Error when the worker has failed. */
  async ask(question: ListsQuestion): Promise<ListsAnswer> {
    const answer = Promise.withResolvers<ListsAnswer>();
    this.#questions.push(answer);
    this.#post(question);
    return await answer.promise;
  }

  end(): void {
    this.#worker.terminate();
  }

  #start(request: ReadRequest): void {
    this.#isReading = true;
    this.#post({ kind: "read", ...request });
  }

  #post(task: ListsTask): void {
    this.#worker.postMessage(task);
  }

  #onAnswer(answer: ListsAnswer): void {
    if (answer.kind !== "read") {
      this.#questions.shift()?.resolve(answer);
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
    for (const question of this.#questions.splice(0)) question.reject(new Error("The numbers could not be read"));
    this.#events.onFailure();
  }
}
