import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LINK_KEY_BYTES, LinkCodes } from "./link-codes.ts";

const CODE_COUNT = 62 ** 7;

describe("codes of links", () => {
  test("are seven letters and digits, which lead back to their number under the same key alone", () => {
    const codes = new LinkCodes(randomBytes(LINK_KEY_BYTES));
    const others = new LinkCodes(randomBytes(LINK_KEY_BYTES));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: CODE_COUNT - 1 }), { minLength: 1 }), (numbers) => {
        const made = codes.encode(numbers);
        for (const code of made) expect(code).toMatch(/^[A-Za-z0-9]{7}$/);
        expect(made.map((code) => codes.decode(code))).toEqual(numbers);
      }),
    );
    const [code = ""] = codes.encode([123_456]);
    expect(others.decode(code)).not.toBe(123_456);
  });

  test("of numbers that follow each other differ everywhere, and no two are the same", () => {
    const codes = new LinkCodes(randomBytes(LINK_KEY_BYTES));
    const made = codes.encode(Array.from({ length: 20_000 }, (_, number) => number));
    expect(new Set(made).size).toBe(made.length);
    // At each of the seven places about one in 62 neighbours agrees: 323 of 20,000.
    for (let place = 0; place < 7; place += 1) {
      const agreeing = made.filter((code, index) => index > 0 && code[place] === made[index - 1]?.[place]).length;
      expect(agreeing).toBeLessThan(500);
    }
  });

  test.each(["", "AAAAAA", "AAAAAAAA", "AAA-AAA", "AAAAAA\n"])("%j is none", (text) => {
    expect(new LinkCodes(Buffer.alloc(LINK_KEY_BYTES)).decode(text)).toBeUndefined();
  });
});
