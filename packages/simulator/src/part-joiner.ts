import type { CarriedMessage } from "./carried-message.ts";

/** A phone that never gets the missing part shows nothing; the oldest such messages are forgotten first. */
const incompleteMax = 5_000;

interface Incomplete {
  readonly texts: (string | undefined)[];
  missingCount: number;
}

/** Puts the parts of long messages together as a phone does: by sender, recipient, reference and number of parts. */
export class PartJoiner {
  readonly #incomplete = new Map<string, Incomplete>();

  /** @returns the whole text once the last part is there; a part that comes twice changes nothing. */
  add({ sender, recipient, text, place }: CarriedMessage): string | undefined {
    if (place === undefined) return text;
    const { reference, partCount, partNumber } = place;
    const key = `${sender.address} ${recipient} ${reference} ${partCount}`;
    const incomplete = this.#incomplete.get(key) ?? {
      texts: Array.from<string | undefined>({ length: partCount }),
      missingCount: partCount,
    };
    if (incomplete.texts[partNumber - 1] === undefined) {
      incomplete.texts[partNumber - 1] = text;
      incomplete.missingCount -= 1;
    }
    if (incomplete.missingCount === 0) {
      this.#incomplete.delete(key);
      return incomplete.texts.join("");
    }
    this.#incomplete.set(key, incomplete);
    if (this.#incomplete.size > incompleteMax) this.#forgetOldest();
    return undefined;
  }

  #forgetOldest(): void {
    const [oldest] = this.#incomplete.keys();
    if (oldest !== undefined) this.#incomplete.delete(oldest);
  }
}
