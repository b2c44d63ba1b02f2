import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { basicCharacterOf, extensionCharacterOf, septetCountOf } from "./gsm-alphabet.ts";
import { decodeGsm7Unpacked, decodeUtf16Be, encodeGsm7Unpacked, encodeUtf16Be } from "./wire-encoding.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("GSM-7, one septet an octet", () => {
  test("a character outside the alphabet is refused by name and place", () => {
    expect(() => encodeGsm7Unpacked("ab₦")).toThrow("U+20A6 at 2");
  });

  test("known codes of TS 23.038", () => {
    expect(encodeGsm7Unpacked("@£$¥")).toEqual(bytes(0, 1, 2, 3));
    expect(encodeGsm7Unpacked("Aaà§\n\r")).toEqual(bytes(0x41, 0x61, 0x7f, 0x5f, 0x0a, 0x0d));
    expect(encodeGsm7Unpacked("ΔΦΓΛΩΠΨΣΘΞ")).toEqual(bytes(0x10, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a));
    expect(encodeGsm7Unpacked("€{\f")).toEqual(bytes(0x1b, 0x65, 0x1b, 0x28, 0x1b, 0x0a));
    expect(encodeGsm7Unpacked("^}\\[~]|")).toEqual(
      bytes(0x1b, 0x14, 0x1b, 0x29, 0x1b, 0x2f, 0x1b, 0x3c, 0x1b, 0x3d, 0x1b, 0x3e, 0x1b, 0x40),
    );
  });

  test("the alphabet has 127 basic and 10 extension characters, and each comes back as it went", () => {
    const alphabet = Array.from({ length: 0x1_0000 }, (_, code) => code).filter((code) => septetCountOf(code) > 0);
    expect(alphabet.filter((code) => septetCountOf(code) === 1)).toHaveLength(127);
    expect(alphabet.filter((code) => septetCountOf(code) === 2)).toHaveLength(10);
    const text = String.fromCharCode(...alphabet);
    expect(decodeGsm7Unpacked(encodeGsm7Unpacked(text))).toBe(text);
  });

  test("broken input decodes as a phone shows it and never throws", () => {
    expect(decodeGsm7Unpacked(bytes(0x1b))).toBe(" ");
    expect(decodeGsm7Unpacked(bytes(0x1b, 0x1b, 0x41))).toBe(" A");
    expect(decodeGsm7Unpacked(bytes(0x1b, 0x41))).toBe("A");
    expect(decodeGsm7Unpacked(bytes(0x80, 0xff))).toBe("\uFFFD\uFFFD");
    expect(basicCharacterOf(0x1b)).toBe("\uFFFD");
    expect(extensionCharacterOf(0x41)).toBeUndefined();
  });
});

describe("UTF-16, big endian", () => {
  test("known octets", () => {
    expect(encodeUtf16Be("₦\u{1F600}")).toEqual(bytes(0x20, 0xa6, 0xd8, 0x3d, 0xde, 0x00));
  });

  test("half a pair becomes U+FFFD, an odd octet is dropped", () => {
    expect(encodeUtf16Be("\ud83da")).toEqual(bytes(0xff, 0xfd, 0x00, 0x61));
    expect(decodeUtf16Be(bytes(0xd8, 0x3d, 0x00))).toBe("\uFFFD");
  });

  test("every well-formed text comes back as it went", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(decodeUtf16Be(encodeUtf16Be(text))).toBe(text.toWellFormed());
      }),
      { seed: 20_338, numRuns: 2000 },
    );
  });
});
