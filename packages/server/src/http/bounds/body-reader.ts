import { Worker } from "node:worker_threads";
import type { Rates } from "@ewebal/contract";
import { AppError } from "../../base/errors.ts";
import { Gate } from "./gate.ts";
import type { ReadResult } from "./read-body.ts";

/** Bodies up to this size (17,000 numbers) are read in a few milliseconds; larger ones go to a thread. */
export const INLINE_BYTES_MAX = 256 * 1024;
/** A body of 20 MB needs 80 MB; one that needs more is an attack, not a list of numbers. */
const WORKER_HEAP_MB = 192;
const TASK_TIMEOUT_MS = 30_000;
/** How many bodies, of at most 20 MB each, may wait for the thread. */
const WAITING_MAX = 8;
/**
 * Short-lived objects while reading. Node's default is three times as much, and is filled before anything is collected.
 */
const WORKER_YOUNG_MB = 16;
/** An idle thread holds 60 MB after a large body; starting a new one takes a tenth of a second. */
const IDLE_TIMEOUT_MS = 1_000;

/** Ways to read a body, in this thread or another. The rates tell to which country code a number belongs. */
export type BodyTasks = Readonly<Record<string, (input: never, rates: Rates) => ReadResult<unknown>>>;
type TaskName<Tasks> = keyof Tasks & string;
type TaskInput<Tasks extends BodyTasks, Name extends TaskName<Tasks>> = Parameters<Tasks[Name]>[0];
type TaskValue<Tasks extends BodyTasks, Name extends TaskName<Tasks>> = Extract<
  ReturnType<Tasks[Name]>,
  { kind: "read" }
>["value"];

/** Reads small bodies at once and large ones in a thread, one after another. */
export class BodyReader<Tasks extends BodyTasks> {
  #worker: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  readonly #gate = new Gate({ placesMax: 1, waitingMax: WAITING_MAX });
  readonly #readRates: () => Promise<Rates>;
  readonly #tasks: Tasks;
  readonly #tasksUrl: URL;
  #isClosed = false;

  /** @param tasksUrl of the file that has the tasks and calls `serveBodyTasks`; a thread loads it. */
  constructor(readRates: () => Promise<Rates>, tasks: Tasks, tasksUrl: URL) {
    this.#readRates = readRates;
    this.#tasks = tasks;
    this.#tasksUrl = tasksUrl;
  }

  /**
   * @param byteLength length of the body. The bytes of a large body are moved to the thread and are empty here
   *   afterwards.
   * @throws AppError `VALIDATION` with what is wrong with each field, `UNAVAILABLE` when too many large ones wait.
   */
  async read<Name extends TaskName<Tasks>>(
    name: Name,
    input: TaskInput<Tasks, Name>,
    byteLength: number,
  ): Promise<TaskValue<Tasks, Name>> {
    const rates = await this.#readRates();
    const isSmall = byteLength <= INLINE_BYTES_MAX;
    const result = isSmall
      ? this.#doHere(name, input, rates)
      : await this.#gate.run(() => this.#readInWorker(name, input, rates));
    if (result.kind === "wrong") throw new AppError("VALIDATION", { fields: result.fields });
    return result.value;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    await this.#worker?.terminate();
  }

  #doHere(name: TaskName<Tasks>, input: unknown, rates: Rates): ReadResult<unknown> {
    const task = this.#tasks[name];
    if (task === undefined) throw new Error(`There is no task ${name}`);
    return task(input as never, rates);
  }

  async #readInWorker(name: string, input: unknown, rates: Rates): Promise<ReadResult<unknown>> {
    if (this.#isClosed) throw new AppError("UNAVAILABLE");
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#startWorker());
    const outcome = Promise.withResolvers<ReadResult<unknown>>();
    const tooComplex = (cause: Error): void =>
      outcome.reject(new AppError("VALIDATION", { fields: { body: "is too complex" }, cause }));
    const gone = (): void => outcome.reject(new AppError("UNAVAILABLE"));
    const timer = setTimeout(
      () => tooComplex(new Error(`Reading took longer than ${TASK_TIMEOUT_MS} ms`)),
      TASK_TIMEOUT_MS,
    );
    worker.once("message", outcome.resolve).once("error", tooComplex).once("exit", gone);
    worker.postMessage({ name, input, rates }, listBytes(input));
    try {
      const result = await outcome.promise;
      this.#idleTimer = setTimeout(() => {
        // Cleared first, so that a body that arrives during the shutdown starts a new thread.
        if (this.#worker === worker) this.#worker = undefined;
        void worker.terminate();
      }, IDLE_TIMEOUT_MS).unref();
      return result;
    } catch (error) {
      await worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off("message", outcome.resolve).off("error", tooComplex).off("exit", gone);
    }
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#tasksUrl, {
      workerData: { bodyTasksUrl: this.#tasksUrl.href },
      resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB, maxYoungGenerationSizeMb: WORKER_YOUNG_MB },
      execArgv: [],
    });
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    // The waiting read() rejects; an idle worker that crashes is replaced on the next body.
    worker.on("error", () => undefined);
    worker.unref();
    return worker;
  }
}

/** Finds the body's bytes: the whole input or one of its fields. */
function listBytes(input: unknown): ArrayBuffer[] {
  const parts =
    input instanceof Uint8Array ? [input] : typeof input === "object" && input !== null ? Object.values(input) : [];
  return parts.filter((part) => part instanceof Uint8Array).map(({ buffer }) => buffer as ArrayBuffer);
}
