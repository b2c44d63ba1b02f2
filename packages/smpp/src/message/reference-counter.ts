import { randomFillSync } from "node:crypto";

const COUNTER_COUNT = 65_536;

/**
 * References for the parts of long messages. A phone puts parts together by sender and reference, so two long messages
 * to one phone must differ while both are under way: one counter for all destinations repeats after 255 long messages
 * to anybody. Here every destination falls on one of 65,536 counters, so a reference comes back only after 255 (or
 * 65,535) more long messages on the same counter, and the memory stays the same for any number of destinations.
 */
export class ReferenceCounter {
  /** Random at first: a client that starts again must not begin with the references it used last. */
  readonly #counters = randomFillSync(new Uint16Array(COUNTER_COUNT));

  /** @returns 0 to 65535; a mode with 8-bit references uses the low 8 bits, which run through all values too. */
  next(destination: string): number {
    const slot = hash(destination);
    const next = ((this.#counters[slot] ?? 0) + 1) & 0xffff;
    this.#counters[slot] = next;
    return next;
  }
}

/** FNV-1a, folded to 16 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value ^ (value >>> 16)) & 0xffff;
}
