import type { CarriedMessage } from "./carried-message.ts";

/** A phone that never gets the missing part shows nothing; beyond either limit the oldest such message is forgotten. */
const INCOMPLETE_MAX = 5_000;
const CHARACTERS_MAX = 4_000_000;

type Incomplete = {
  readonly texts: (string | undefined)[];
  missingCount: number;
  characterCount: number;
};

/** Puts the parts of long messages together as a phone does: by sender, recipient, reference and number of parts. */
export class PartJoiner {
  readonly #incomplete = new Map<string, Incomplete>();
  #characterCount = 0;

  /** @returns the whole text once the last part is there; a part that comes twice changes nothing. */
  add({ sender, recipient, text, place }: CarriedMessage): string | undefined {
    if (place === undefined) return text;
    const { reference, partCount, partNumber } = place;
    const key = `${sender.address} ${recipient} ${reference} ${partCount}`;
    const incomplete = this.#incomplete.get(key) ?? {
      texts: Array.from<string | undefined>({ length: partCount }),
      missingCount: partCount,
      characterCount: 0,
    };
    this.#incomplete.set(key, incomplete);
    if (incomplete.texts[partNumber - 1] === undefined) {
      incomplete.texts[partNumber - 1] = text;
      incomplete.missingCount -= 1;
      incomplete.characterCount += text.length;
      this.#characterCount += text.length;
    }
    if (incomplete.missingCount === 0) {
      this.#forget(key);
      return incomplete.texts.join("");
    }
    while (this.#incomplete.size > INCOMPLETE_MAX || this.#characterCount > CHARACTERS_MAX) {
      const [oldest = key] = this.#incomplete.keys();
      this.#forget(oldest);
    }
    return undefined;
  }

  #forget(key: string): void {
    this.#characterCount -= this.#incomplete.get(key)?.characterCount ?? 0;
    this.#incomplete.delete(key);
  }
}
