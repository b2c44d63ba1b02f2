const BUCKET_MS = 2;

/**
 * Things to do at their time, to within 2 ms. Buckets instead of a heap: a hundred thousand entries are added and taken
 * at the same cost as ten.
 */
export class DueQueue<Item> {
  readonly #buckets = new Map<number, Item[]>();
  /** Everything before this bucket was taken. */
  #nextBucket: number;
  #size = 0;

  constructor(nowMs: number) {
    this.#nextBucket = Math.floor(nowMs / BUCKET_MS);
  }

  get size(): number {
    return this.#size;
  }

  add(dueMs: number, item: Item): void {
    const bucket = Math.max(this.#nextBucket, Math.ceil(dueMs / BUCKET_MS));
    const items = this.#buckets.get(bucket);
    if (items === undefined) this.#buckets.set(bucket, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** Hands over everything that is due, earliest first. What `onEach` adds waits for the next call. */
  takeDue(nowMs: number, onEach: (item: Item) => void): void {
    const last = Math.floor(nowMs / BUCKET_MS);
    const from = this.#nextBucket;
    this.#nextBucket = Math.max(from, last + 1);
    for (let bucket = from; bucket <= last && this.#size > 0; bucket += 1) {
      const items = this.#buckets.get(bucket);
      if (items === undefined) continue;
      this.#buckets.delete(bucket);
      this.#size -= items.length;
      items.forEach(onEach);
    }
  }
}
