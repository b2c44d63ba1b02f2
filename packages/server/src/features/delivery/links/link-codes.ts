/**
 * Codes of links: seven of A-Z a-z 0-9. Each stands for a number from 0 up, which names a batch and a recipient in it; a permutation under a secret
 * key makes numbers that follow each other into codes that do not, so that nobody finds a second code by changing the first.
 *
 * The permutation is a Feistel network of ten rounds over 42 bits with AES as its round function, walked until it lands below 62^7 (as format-preserving
 * encryption does, NIST SP 800-38G).
 */
import assert from "node:assert/strict";
import { createCipheriv } from "node:crypto";
import { personalLimits } from "@ewebal/contract";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const CODE_FORM = new RegExp(`^[A-Za-z0-9]{${personalLimits.linkCodeCharacters}}$`);
const CODE_COUNT = DIGITS.length ** personalLimits.linkCodeCharacters;
const HALF = 2 ** 21;
const ROUNDS = 10;
const BLOCK_BYTES = 16;

export const LINK_KEY_BYTES = 16;

export class LinkCodes {
  readonly #encrypt: (blocks: Buffer) => Buffer;

  /** @param key 16 bytes. */
  constructor(key: Uint8Array) {
    assert(key.length === LINK_KEY_BYTES);
    // Every block by itself: each call gives as many blocks as it takes.
    const cipher = createCipheriv("aes-128-ecb", key, null).setAutoPadding(false);
    this.#encrypt = (blocks) => cipher.update(blocks);
  }

  /** The codes of some numbers, each below 62^7: 500 take 0.3 ms. */
  encode(numbers: readonly number[]): string[] {
    const values = numbers.slice();
    let open = values.map((_, index) => index);
    while (open.length > 0) {
      this.#permute(values, open, ROUND_NUMBERS);
      open = open.filter((index) => (values[index] ?? 0) >= CODE_COUNT);
    }
    return values.map(write);
  }

  /** @returns undefined for a text that is no code. */
  decode(code: string): number | undefined {
    if (!CODE_FORM.test(code)) return undefined;
    const values = [read(code)];
    do this.#permute(values, [0], ROUND_NUMBERS.toReversed());
    while ((values[0] ?? 0) >= CODE_COUNT);
    return values[0];
  }

  /** Backwards when the rounds are given backwards. */
  #permute(values: number[], indexes: readonly number[], rounds: readonly number[]): void {
    const isBackwards = (rounds[0] ?? 0) > 0;
    const lefts = indexes.map((index) => Math.floor((values[index] ?? 0) / HALF));
    const rights = indexes.map((index) => (values[index] ?? 0) % HALF);
    const blocks = Buffer.alloc(indexes.length * BLOCK_BYTES);
    for (const round of rounds) {
      const [kept, changed] = isBackwards ? [lefts, rights] : [rights, lefts];
      for (const [place, half] of kept.entries()) {
        blocks.writeUInt32LE(half, place * BLOCK_BYTES);
        blocks.writeUInt8(round, place * BLOCK_BYTES + 4);
      }
      const mixed = this.#encrypt(blocks);
      for (const [place, half] of kept.entries()) {
        const other = (changed[place] ?? 0) ^ (mixed.readUInt32LE(place * BLOCK_BYTES) % HALF);
        if (isBackwards) [lefts[place], rights[place]] = [other, half];
        else [lefts[place], rights[place]] = [half, other];
      }
    }
    for (const [place, index] of indexes.entries()) values[index] = (lefts[place] ?? 0) * HALF + (rights[place] ?? 0);
  }
}

const ROUND_NUMBERS = Array.from({ length: ROUNDS }, (_, round) => round);

function write(value: number): string {
  let text = "";
  for (let rest = value; text.length < personalLimits.linkCodeCharacters; rest = Math.floor(rest / DIGITS.length))
    text = (DIGITS[rest % DIGITS.length] ?? "") + text;
  return text;
}

function read(code: string): number {
  let value = 0;
  for (const digit of code) value = value * DIGITS.length + DIGITS.indexOf(digit);
  return value;
}
