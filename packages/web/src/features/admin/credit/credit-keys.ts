/** What a credit says: the same contents are the same credit, until one has succeeded. */
export type CreditContents = {
  email: string;
  units: string;
};

/**
 * Idempotency keys of a filled form. A retry after a lost answer carries the key of the first try, also when something else
 * was tried between the two, so nobody is credited twice. After a success the same contents are a wish of their own.
 */
export class CreditKeys {
  readonly #keys = new Map<string, string>();

  keyFor({ email, units }: CreditContents): string {
    const contents = `${units} ${email}`;
    const key = this.#keys.get(contents) ?? makeKey();
    this.#keys.set(contents, key);
    return key;
  }

  renew(): void {
    this.#keys.clear();
  }
}

/** `crypto.randomUUID` is only there on encrypted pages and localhost. */
function makeKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
