/**
 * The idempotency key of a form. The same contents keep the same key until they have succeeded, so that a double click or a lost
 * answer sends once; changed contents get another key.
 */
export class IdempotencyKey {
  #contents: string | undefined;
  #key = "";

  /** @param contents what is sent, or what identifies it; always in the same order. */
  keyFor(contents: unknown): string {
    const text = JSON.stringify(contents);
    if (text !== this.#contents) {
      this.#contents = text;
      this.#key = randomText();
    }
    return this.#key;
  }

  /** Call this after a success: whoever sends the same contents again means to send twice. */
  renew(): void {
    this.#contents = undefined;
  }
}

/** 128 random bits as 32 characters. `crypto.randomUUID` exists only on encrypted pages and localhost. */
export function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
