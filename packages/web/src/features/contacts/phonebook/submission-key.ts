import { randomText } from "../../../lib/browser/random-text.ts";

/**
 * The idempotency key of a filled form. The same contents carry the same key until they have succeeded, so that a double
 * click or a lost answer makes one catalog and not two.
 */
export class SubmissionKey {
  #contents: string | undefined;
  #key = "";

  keyFor(contents: readonly unknown[]): string {
    const text = JSON.stringify(contents);
    if (text !== this.#contents) {
      this.#contents = text;
      this.#key = randomText();
    }
    return this.#key;
  }

  /** After a success: the same contents are then a wish of their own. */
  renew(): void {
    this.#contents = undefined;
  }
}
