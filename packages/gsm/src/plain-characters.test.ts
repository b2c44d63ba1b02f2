import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isGsmText } from "./gsm-alphabet.ts";
import { listForcingCharacters, toPlainCharacters } from "./plain-characters.ts";
import { segmentText } from "./segmentation.ts";

describe("naming what forces Unicode", () => {
  test("each character once, in order, with its count and its replacement", () => {
    expect(listForcingCharacters("₦500 – it’s ₦500…")).toEqual([
      { character: "₦", count: 2, replacement: "N" },
      { character: "–", count: 1, replacement: "-" },
      { character: "’", count: 1, replacement: "'" },
      { character: "…", count: 1, replacement: "..." },
    ]);
  });

  test("a letter written with combining marks is named whole", () => {
    expect(listForcingCharacters("o\u0323\u0301ba")).toEqual([
      { character: "o\u0323\u0301", count: 1, replacement: "o" },
    ]);
  });

  test("an emoji, a flag and a joined family are one character each and have no replacement", () => {
    const family = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}";
    const named = listForcingCharacters(`\u{1F600}\u{1F1F3}\u{1F1EC}${family}\u2764\uFE0F`);
    expect(named.map(({ character }) => character)).toEqual([
      "\u{1F600}",
      "\u{1F1F3}\u{1F1EC}",
      family,
      "\u2764\uFE0F",
    ]);
    expect(named.every(({ replacement }) => replacement === undefined)).toBe(true);
  });

  test("a text of the alphabet forces nothing", () => {
    expect(segmentText("Price: €5 {net}\f").forcingCharacters).toEqual([]);
  });
});

describe("replacing with plain characters", () => {
  test.each([
    ["‘Hello’ “World”", "'Hello' \"World\""],
    ["Sale – today — only…", "Sale - today - only..."],
    ["a\u00A0b\tc\u202Fd", "a b c d"],
    ["₦5,000", "N5,000"],
    ["Ẹ kú ọjọ́, ṣé dáadáa ni?", "E kú ojo, sé dáadáa ni?".replaceAll("ú", "u").replaceAll("á", "a")],
    ["ẹ ọ ṣ ị ụ ṅ Ẹ Ọ Ṣ Ị Ụ Ṅ", "e o s i u n E O S I U N"],
    ["ɓ ɗ ƙ ƴ Ɓ Ɗ Ƙ Ƴ", "b d k y B D K Y"],
    ["ça coûte", "ca coute"],
    ["a\u0300", "à"],
    ["`code`", "'code'"],
    ["zero\u200Bwidth\uFEFF", "zerowidth"],
    ["½ ﬁ ™ ² Ｎ", "1/2 fi TM 2 N"],
    ["\u{1D401}\u{1D428}\u{1D425}\u{1D41D}", "Bold"],
  ])("%s becomes %s", (text, plain) => {
    expect(toPlainCharacters(text)).toBe(plain);
  });

  test("what has no plain form stays as it is, untouched", () => {
    for (const text of ["\u{1F44D}\u{1F3FD}", "漢字", "مرحبا", "नमस्ते", "Привет, й", "1\uFE0F\u20E3"]) {
      expect(toPlainCharacters(text)).toBe(text);
    }
  });

  test("every text: twice is once, the alphabet is left alone, and nothing replaceable remains", () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.string({ unit: "grapheme", maxLength: 1 }),
        fc.constantFrom(...Array.from("₦’ẹ\u0323\u0301a\u200B{\u{1F1F3}\u200D\uFE0F")),
      ),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, (value) => {
        const plain = toPlainCharacters(value);
        expect(toPlainCharacters(plain)).toBe(plain);
        if (isGsmText(value)) expect(plain).toBe(value);
        for (const { replacement } of listForcingCharacters(plain)) expect(replacement).toBeUndefined();
        for (const { replacement } of listForcingCharacters(value)) expect(isGsmText(replacement ?? "")).toBe(true);
      }),
      { seed: 20_338, numRuns: 3000 },
    );
  });
});
