/**
 * Rows of short texts, packed: a row takes its letters and two numbers, not an object and a text for each value. A list can be moved
 * between threads.
 */
export type ValueRows = {
  /** JSON of each row's values, in UTF-8, one after another. */
  bytes: Uint8Array;
  /** Where each row begins and ends: two numbers a row. A row without values begins and ends at 0. */
  places: Float64Array;
};

/** The values of one row, in the order of their keys; null for what was not given. */
export type Values = readonly (string | null)[];

const INITIAL_BYTES = 4_096;
/** More text than a million rows of what people keep of others: beyond it a list is refused, so that it cannot fill the memory. */
export const VALUE_BYTES_MAX = 192 * 1024 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Collects rows in order; a row may be given again, and what it had before is left behind. */
export class ValueRowList {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #byteCount = 0;
  #places = new Float64Array(32);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Whether there is more text than may be kept; nothing is taken from then on. */
  get isTooMuch(): boolean {
    return this.#byteCount > VALUE_BYTES_MAX;
  }

  /** @param index of the row; rows between the last one and it are empty. */
  set(index: number, values: Values): void {
    if (this.isTooMuch) return;
    while (index * 2 + 1 >= this.#places.length) {
      const larger = new Float64Array(this.#places.length * 2);
      larger.set(this.#places);
      this.#places = larger;
    }
    this.#count = Math.max(this.#count, index + 1);
    const text = JSON.stringify(values);
    // A UTF-16 unit takes three bytes at most.
    this.#reserve(text.length * 3);
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(this.#byteCount));
    this.#places[index * 2] = this.#byteCount;
    this.#places[index * 2 + 1] = this.#byteCount + written;
    this.#byteCount += written;
  }

  get(index: number): Values {
    return valuesAt({ bytes: this.#bytes, places: this.#places }, index);
  }

  finish(): ValueRows {
    return { bytes: this.#bytes.slice(0, this.#byteCount), places: this.#places.slice(0, this.#count * 2) };
  }

  #reserve(byteCount: number): void {
    let { length } = this.#bytes;
    while (this.#byteCount + byteCount > length) length *= 2;
    if (length === this.#bytes.length) return;
    const larger = new Uint8Array(length);
    larger.set(this.#bytes.subarray(0, this.#byteCount));
    this.#bytes = larger;
  }
}

/** @returns no values for a row that has none. */
export function valuesAt({ bytes, places }: ValueRows, index: number): Values {
  const start = places[index * 2] ?? 0;
  const end = places[index * 2 + 1] ?? 0;
  if (end === 0) return [];
  return JSON.parse(decoder.decode(bytes.subarray(start, end))) as Values;
}
