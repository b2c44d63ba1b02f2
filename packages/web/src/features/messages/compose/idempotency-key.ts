/** What is sent: four fields, and those of a schedule or a catalog. */
type Body = Readonly<Record<string, string>>;

type Attempt = {
  key: string;
  body: Body;
};

/**
 * The idempotency key of what is being composed. A retry of the same fields carries the same key, so that a double
 * click or a lost answer sends once; anything changed is another message and gets another key.
 */
export class IdempotencyKey {
  #attempt: Attempt | undefined;

  keyFor(body: Body): string {
    if (this.#attempt === undefined || !isSame(this.#attempt.body, body)) this.#attempt = { key: makeKey(), body };
    return this.#attempt.key;
  }

  /** After a success: sending the same text to the same people again is then a wish of its own. */
  renew(): void {
    this.#attempt = undefined;
  }
}

function isSame(one: Body, other: Body): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** `crypto.randomUUID` is only there on encrypted pages and localhost. */
export function makeKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
