import { describe, expect, test } from "vitest";
import { countParts, measureText, segmentText } from "./segmentation.ts";

const EMOJI = "\u{1F600}";
const NAIRA = "₦";

/** Counts of 3GPP TS 23.038 and 23.040, checked against the calculator that Twilio publishes. */
const VECTORS: ReadonlyArray<readonly [name: string, text: string, encoding: string, units: number, parts: number]> = [
  ["empty", "", "gsm7", 0, 0],
  ["160 a", "a".repeat(160), "gsm7", 160, 1],
  ["161 a", "a".repeat(161), "gsm7", 161, 2],
  ["306 a", "a".repeat(306), "gsm7", 306, 2],
  ["307 a", "a".repeat(307), "gsm7", 307, 3],
  ["459 a", "a".repeat(459), "gsm7", 459, 3],
  ["460 a", "a".repeat(460), "gsm7", 460, 4],
  ["158 a and the euro", `${"a".repeat(158)}€`, "gsm7", 160, 1],
  ["159 a and the euro", `${"a".repeat(159)}€`, "gsm7", 161, 2],
  ["80 braces", "{".repeat(80), "gsm7", 160, 1],
  ["81 braces", "{".repeat(81), "gsm7", 162, 2],
  ["brace before the border", `${"a".repeat(152)}{${"a".repeat(151)}`, "gsm7", 305, 2],
  ["brace on the border", `${"a".repeat(152)}{${"a".repeat(152)}`, "gsm7", 306, 3],
  ["69 a and the naira sign", "a".repeat(69) + NAIRA, "ucs2", 70, 1],
  ["70 a and the naira sign", "a".repeat(70) + NAIRA, "ucs2", 71, 2],
  ["133 a and the naira sign", "a".repeat(133) + NAIRA, "ucs2", 134, 2],
  ["134 a and the naira sign", "a".repeat(134) + NAIRA, "ucs2", 135, 3],
  ["35 emoji", EMOJI.repeat(35), "ucs2", 70, 1],
  ["36 emoji", EMOJI.repeat(36), "ucs2", 72, 2],
  ["emoji on the border, 66 after", "a".repeat(66) + EMOJI + "a".repeat(66), "ucs2", 134, 3],
  ["emoji on the border, 67 after", "a".repeat(66) + EMOJI + "a".repeat(67), "ucs2", 135, 3],
  ["a curly apostrophe", `Don\u2019t${"a".repeat(155)}`, "ucs2", 160, 3],
  ["160 é", "é".repeat(160), "gsm7", 160, 1],
  ["small ç", "ça", "ucs2", 2, 1],
  ["capital Ç", "Ç", "gsm7", 1, 1],
  ["backtick", "`", "ucs2", 1, 1],
  ["form feed is of the extension table", "\f".repeat(81), "gsm7", 162, 2],
  ["extension characters count one in UCS-2", `{}[]€${NAIRA}`, "ucs2", 6, 1],
];

describe("segments and pages of known texts", () => {
  test.each(VECTORS)("%s", (_name, text, encoding, lengthUnits, partCount) => {
    expect(segmentText(text)).toMatchObject({ encoding, lengthUnits, partCount });
    expect(segmentText(text).parts).toHaveLength(partCount);
    expect(measureText(text)).toMatchObject({ encoding, lengthUnits, partCount });
    expect(countParts(text)).toBe(partCount);
  });
});

describe("cutting", () => {
  test("an escape pair on the border moves whole to the next part", () => {
    const text = `${"a".repeat(152)}{${"a".repeat(152)}`;
    expect(segmentText(text).parts).toEqual(["a".repeat(152), `{${"a".repeat(151)}`, "a"]);
  });

  test("a surrogate pair on the border moves whole to the next part", () => {
    const text = "a".repeat(66) + EMOJI + "a".repeat(66);
    expect(segmentText(text).parts).toEqual(["a".repeat(66), EMOJI + "a".repeat(65), "a"]);
  });

  test("half a surrogate pair is one unit and breaks nothing", () => {
    expect(segmentText("\ud83d".repeat(68))).toMatchObject({ encoding: "ucs2", lengthUnits: 68, partCount: 1 });
    expect(segmentText("\ude00\ud83d".repeat(40)).parts.join("")).toBe("\ude00\ud83d".repeat(40));
  });

  test("16-bit references leave 152 septets or 66 units", () => {
    const wide = { concatReferenceBits: 16 } as const;
    expect(countParts("a".repeat(160), wide)).toBe(1);
    expect(countParts("a".repeat(304), wide)).toBe(2);
    expect(countParts("a".repeat(305), wide)).toBe(3);
    expect(countParts(NAIRA.repeat(70), wide)).toBe(1);
    expect(countParts(NAIRA.repeat(132), wide)).toBe(2);
    expect(countParts(NAIRA.repeat(133), wide)).toBe(3);
  });

  test("the room left in the last part counts down to 0 and starts again", () => {
    expect(measureText("").lastPartFreeUnits).toBe(160);
    expect(measureText("a".repeat(159)).lastPartFreeUnits).toBe(1);
    expect(measureText("a".repeat(160)).lastPartFreeUnits).toBe(0);
    expect(measureText("a".repeat(161)).lastPartFreeUnits).toBe(2 * 153 - 161);
    expect(measureText(NAIRA.repeat(71)).lastPartFreeUnits).toBe(2 * 67 - 71);
    expect(measureText(NAIRA.repeat(134)).lastPartFreeUnits).toBe(0);
  });
});
