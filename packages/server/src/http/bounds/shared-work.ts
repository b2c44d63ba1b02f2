/**
 * What many requests ask at the same moment is done once for all of them: while work for a key is under way, further items wait, and are the next
 * work's together. Nothing is remembered: each answer comes of work that began after its item came, so that a key that was revoked, for
 * example, opens nothing from then on.
 */
import { AppError } from "../../base/errors.ts";

type Work<Item, Answer> = {
  /**
   * Does the work of one key's items; no other runs for this key meanwhile. An answer may be a promise, which nobody else waits for.
   *
   * @returns the answers in the order of the items. @throws what all of them are told.
   */
  work: (items: readonly Item[], key: string) => Promise<readonly (Answer | Promise<Answer>)[]>;
  /** Of one work. */
  itemsMax: number;
  /** Of all keys together. */
  waitingMax: number;
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
  readonly #waiting = new Map<string, Waiting<Item, Answer>[]>();
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
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      this.#waiting.set(key, [{ item, resolve, reject }]);
      void this.#workOff(key);
    } else waiting.push({ item, resolve, reject });
    return await promise;
  }

  /** Until nobody waits for this key. Never throws: who waits hears of it. */
  async #workOff(key: string): Promise<void> {
    for (;;) {
      const taken = this.#waiting.get(key)?.splice(0, this.#settings.itemsMax) ?? [];
      if (taken.length === 0) break;
      this.#count -= taken.length;
      try {
        const items = taken.map(({ item }) => item);
        const answers = await this.#settings.work(items, key);
        for (const [place, { resolve }] of taken.entries()) resolve(answers[place] as Answer);
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    this.#waiting.delete(key);
  }
}
