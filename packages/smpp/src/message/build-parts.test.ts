import { decodeGsm7Unpacked, decodeUtf16Be, segmentText } from "@ewebal/gsm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildParts } from "./build-parts.ts";
import type { MessagePart } from "../client/client-types.ts";

function textOf(parts: readonly MessagePart[]): string {
  return parts
    .map(({ dataCoding, body }) => (dataCoding === 8 ? decodeUtf16Be(body) : decodeGsm7Unpacked(body)))
    .join("");
}

const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "B", "1", " ", "{", "}", "€", "^", "@", "é"), maxLength: 700 }),
  fc.string({ unit: fc.constantFrom("a", "₦", "😀", "ẹ"), maxLength: 300 }),
);

describe("the parts of a text", () => {
  test("are what people are shown and charged: 160/153 septets, 70/67 units", () => {
    const counts = (text: string): number => buildParts(text).length;
    expect([
      counts("a".repeat(160)),
      counts("a".repeat(161)),
      counts("a".repeat(306)),
      counts("a".repeat(307)),
    ]).toEqual([1, 2, 2, 3]);
    expect([counts("₦".repeat(70)), counts("₦".repeat(71)), counts("₦".repeat(134)), counts("₦".repeat(135))]).toEqual([
      1, 2, 2, 3,
    ]);
    expect(buildParts("")).toEqual([]);
  });

  test("say the whole text again, in as many parts as the segmentation counts, none too long or cut in a pair", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom("udh8", "udh16", "sar"), (text, mode) => {
        const parts = buildParts(text, { mode });
        expect(textOf(parts)).toBe(text.toWellFormed());
        const bits = mode === "udh16" ? 16 : 8;
        expect(parts.length).toBe(segmentText(text, { concatReferenceBits: bits }).partCount);
        for (const { body, dataCoding } of parts) {
          expect(body.length).toBeLessThanOrEqual(dataCoding === 8 ? 140 : 160);
          expect(body.at(-1)).not.toBe(dataCoding === 8 ? undefined : 0x1b);
          if (dataCoding === 8) expect((body.at(-2) ?? 0) & 0xfc).not.toBe(0xd8);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("beyond 255 are refused, as the header counts in one octet", () => {
    expect(buildParts("a".repeat(153 * 255))).toHaveLength(255);
    expect(() => buildParts("a".repeat(153 * 255 + 1))).toThrow(RangeError);
  });

  test("in payload mode are one, with a header for nobody; a short text stays in short_message", () => {
    expect(buildParts("a".repeat(161), { mode: "payload" })).toMatchObject([{ inPayload: true, dataCoding: 0 }]);
    expect(buildParts("a".repeat(160), { mode: "payload" })).toMatchObject([{ inPayload: false }]);
    expect(buildParts("a".repeat(161), { mode: "payload" })[0]).not.toHaveProperty("concat");
  });

  test("for a carrier that means Latin-1 by 0 are Latin-1, or UCS-2 when Latin-1 lacks a character", () => {
    const [accents] = buildParts("Café @ 5", { alphabet: "latin1" });
    expect(accents).toMatchObject({ dataCoding: 0, body: Buffer.from("Café @ 5", "latin1") });
    expect(buildParts("5 €", { alphabet: "latin1" })).toMatchObject([{ dataCoding: 8 }]);
    const long = buildParts("Ω".repeat(100), { alphabet: "latin1" });
    expect(long.map(({ body }) => body.length)).toEqual([134, 66]);
    expect(textOf(long)).toBe("Ω".repeat(100));
  });
});
