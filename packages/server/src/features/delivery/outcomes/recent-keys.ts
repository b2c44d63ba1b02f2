/**
 * The newest keys and what they lead to, without remembering when each came: two generations, of which the older is
 * dropped whole when the younger is full. Forgetting one by one would cost as much as remembering.
 */
export class RecentKeys<Value> {
  readonly #generationMax: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** @param max keys that are remembered at most; at least half as many are. */
  constructor(max: number) {
    this.#generationMax = Math.ceil(max / 2);
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#generationMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  delete(key: string): void {
    if (!this.#young.delete(key)) this.#old.delete(key);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
