/** How much of something each key has at this moment: requests, open bodies, bytes. What is taken is given back. */
export class Usage {
  readonly #byKey = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(key: string): number {
    return this.#byKey.get(key) ?? 0;
  }

  /** @returns gives it back; a second call does nothing. */
  take(key: string, amount: number): () => void {
    this.#add(key, amount);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(key, -amount);
      isTaken = false;
    };
  }

  #add(key: string, amount: number): void {
    const left = this.of(key) + amount;
    if (left === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, left);
    this.#total += amount;
  }
}
