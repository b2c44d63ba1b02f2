/**
 * What many requests ask at the same moment is done once for all of them: while work for a key is under way, further items wait, and are the next
 * work's together. Nothing is remembered: each answer comes of work that began after its item came, so that a key that was revoked, for
 * example, opens nothing from then on.
 */
import { AppError } from "../../base/errors.ts";

type Work<Item, Answer> = {
  /**
   * Does the work of one key's items. An answer may be a promise, which nobody else waits for.
   *
   * @returns the answers in the order of the items. @throws what all of them are told.
   */
  work: (items: readonly Item[], key: string) => Promise<readonly (Answer | Promise<Answer>)[]>;
  /** Items of one work. */
  itemsMax: number;
  /** Items of all keys together that wait. */
  waitingMax: number;
  /** How many works run for one key at a time; one when absent. A further work begins once half of the items that it may take wait. */
  worksMax?: number;
  /** Waits for a place, then does the work with all items that have come by then. */
  inTurn?: (work: () => Promise<void>) => Promise<void>;
};
type Waiting<Item, Answer> = {
  item: Item;
  resolve: (answer: Answer | Promise<Answer>) => void;
  reject: (reason: unknown) => void;
};

const RETRY_AFTER_SECONDS = 5;

export class SharedWork<Item, Answer> {
  readonly #settings: Work<Item, Answer>;
  /** A key has an entry while its work is under way. */
  readonly #queues = new Map<string, { waiting: Waiting<Item, Answer>[]; workCount: number }>();
  #count = 0;

  constructor(settings: Work<Item, Answer>) {
    this.#settings = settings;
  }

  /** @throws AppError `UNAVAILABLE` when too many wait; and what the work throws. */
  async ask(key: string, item: Item): Promise<Answer> {
    if (this.#count >= this.#settings.waitingMax) {
      const message = "We are busy. Please try again in a few seconds";
      throw new AppError("UNAVAILABLE", { message, extra: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
    }
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#count += 1;
    const { itemsMax, worksMax = 1 } = this.#settings;
    const queue = this.#queues.get(key) ?? { waiting: [], workCount: 0 };
    this.#queues.set(key, queue);
    queue.waiting.push({ item, resolve, reject });
    const hasHalf = queue.waiting.length * 2 >= itemsMax;
    if (queue.workCount === 0 || (hasHalf && queue.workCount < worksMax)) void this.#workOff(key, queue);
    return await promise;
  }

  /** Until nobody waits for this key. Never throws: who waits hears of it. */
  async #workOff(key: string, queue: { waiting: Waiting<Item, Answer>[]; workCount: number }): Promise<void> {
    const { inTurn = async (work) => await work() } = this.#settings;
    queue.workCount += 1;
    while (queue.waiting.length > 0) {
      try {
        await inTurn(async () => await this.#workOn(key, this.#take(queue.waiting)));
      } catch (error) {
        for (const { reject } of this.#take(queue.waiting)) reject(error);
      }
    }
    queue.workCount -= 1;
    if (queue.workCount === 0) this.#queues.delete(key);
  }

  #take(waiting: Waiting<Item, Answer>[]): Waiting<Item, Answer>[] {
    const taken = waiting.splice(0, this.#settings.itemsMax);
    this.#count -= taken.length;
    return taken;
  }

  async #workOn(key: string, taken: readonly Waiting<Item, Answer>[]): Promise<void> {
    // Another work of this key took them while this one waited for its place.
    if (taken.length === 0) return;
    try {
      const items = taken.map(({ item }) => item);
      const answers = await this.#settings.work(items, key);
      for (const [place, { resolve }] of taken.entries()) resolve(answers[place] as Answer);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }
}
