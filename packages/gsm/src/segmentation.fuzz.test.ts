import * as fc from "fast-check";
import { SegmentedMessage } from "sms-segments-calculator";
import splitSms from "split-sms";
import { describe, expect, test } from "vitest";
import { fewestParts, segmentNaively } from "./testing/segment-naively.ts";
import { countParts, segmentText } from "./segmentation.ts";

/** Fixed, so that a failure is the same everywhere; the runs are many enough to meet every border. */
const FUZZ = { seed: 20_338, numRuns: 4000 } as const;

const BASIC_ATOMS = Array.from("abcXYZ 0189@£$¥èéùìòÇØøÅåΔ_ΦΩÆæßÉ¤¡ÄÖÑÜ§¿äöñüà\n\r");
const EXTENSION_ATOMS = Array.from("^{}\\[~]|€\f");
const UNICODE_ATOMS = Array.from("₦çẹọṣ’“–…\u00A0\tƙɓ漢\u{1F600}\u{1F680}\u{10FFFF}");
/** Several code points that a reader sees as one; each begins with a base, so neighbours never merge. */
const CLUSTER_ATOMS = ["e\u0301", "o\u0323\u0301", "\u{1F1F3}\u{1F1EC}", "\u{1F44D}\u{1F3FD}"];

const basicAtom = fc.constantFrom(...BASIC_ATOMS);
const extensionAtom = fc.constantFrom(...EXTENSION_ATOMS);
const unicodeAtom = fc.constantFrom(...UNICODE_ATOMS);

/** Runs of equal atoms reach lengths of several parts cheaply, and put single atoms on every side of the borders. */
function atomsOf(atom: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  const run = fc
    .tuple(atom, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 60, max: 160 })))
    .map(([value, count]) => Array.from({ length: count }, () => value));
  return fc.array(run, { maxLength: 9 }).map((runs) => runs.flat());
}

const gsmAtoms = atomsOf(fc.oneof({ weight: 3, arbitrary: basicAtom }, { weight: 2, arbitrary: extensionAtom }));
const mixedAtoms = atomsOf(fc.oneof(basicAtom, extensionAtom, unicodeAtom));
const anyAtoms = fc.oneof(gsmAtoms, mixedAtoms);

describe("compared with a brute-force reading of the standard", () => {
  test("the same parts, text for text, with 8- and 16-bit references", () => {
    fc.assert(
      fc.property(anyAtoms, fc.constantFrom(8 as const, 16 as const), (atoms, bits) => {
        const text = atoms.join("");
        const expected = segmentNaively(atoms, bits);
        const actual = segmentText(text, { concatReferenceBits: bits });
        expect(actual).toMatchObject(expected);
        expect(actual.partCount).toBe(expected.parts.length);
        expect(countParts(text, { concatReferenceBits: bits })).toBe(expected.parts.length);
      }),
      FUZZ,
    );
  });

  test("no other cutting needs fewer parts", () => {
    fc.assert(
      fc.property(anyAtoms, (atoms) => {
        const { encoding, partCount } = segmentText(atoms.join(""));
        fc.pre(partCount > 1);
        const sizeOf = (atom: string) => (encoding === "ucs2" ? atom.length : EXTENSION_ATOMS.includes(atom) ? 2 : 1);
        expect(partCount).toBe(fewestParts(atoms, encoding === "gsm7" ? 153 : 67, sizeOf));
      }),
      { ...FUZZ, numRuns: 1000 },
    );
  });

  test("any string at all, lone surrogates included, is cut without loss", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.string({ maxLength: 400 }), (odd, plain) => {
        for (const text of [odd, plain, odd + plain]) {
          const { parts, partCount, encoding } = segmentText(text);
          expect(parts.join("")).toBe(text);
          expect(countParts(text)).toBe(partCount);
          expect(encoding).toBe(segmentNaively(Array.from(text)).encoding);
        }
      }),
      FUZZ,
    );
  });
});

describe("compared with sms-segments-calculator", () => {
  const partCountOf = (text: string) => {
    const theirs = new SegmentedMessage(text);
    return { encoding: theirs.encodingName === "GSM-7" ? "gsm7" : "ucs2", partCount: theirs.segmentsCount };
  };

  test("the same encoding and count, border pairs included; only the empty text is one segment there", () => {
    fc.assert(
      fc.property(anyAtoms, (atoms) => {
        const text = atoms.join("");
        const theirs = partCountOf(text);
        // It opens a segment before it reads; we count what a carrier would send, and nobody sends an empty text.
        const expected = text === "" ? { ...theirs, partCount: 0 } : theirs;
        expect(segmentText(text)).toMatchObject(expected);
      }),
      FUZZ,
    );
  });

  test("it keeps a whole grapheme in one segment, where carriers cut between code points", () => {
    // Their rule is kinder to the eye, but phones join the parts before they draw them, and carriers bill the greedy
    // count. So: their answer is the greedy one over graphemes, ours the greedy one over code points, never more.
    const clusterAtoms = atomsOf(fc.oneof(basicAtom, unicodeAtom, fc.constantFrom(...CLUSTER_ATOMS)));
    let differing = 0;
    fc.assert(
      fc.property(clusterAtoms, (atoms) => {
        const text = atoms.join("");
        fc.pre(text !== "");
        const theirs = partCountOf(text);
        expect(theirs.partCount).toBe(segmentNaively(atoms).parts.length);
        const ours = segmentText(text);
        expect(ours.parts).toEqual(segmentNaively(Array.from(text)).parts);
        expect(ours.partCount).toBeLessThanOrEqual(theirs.partCount);
        if (ours.partCount !== theirs.partCount) differing += 1;
      }),
      FUZZ,
    );
    expect(differing).toBeGreaterThan(0);
  });
});

describe("compared with split-sms", () => {
  test("the same parts, text for text; only the empty text is one part there", () => {
    fc.assert(
      fc.property(anyAtoms, (atoms) => {
        const text = atoms.join("");
        const theirs = splitSms.split(text);
        const ours = segmentText(text);
        expect(ours.encoding).toBe(theirs.characterSet === "GSM" ? "gsm7" : "ucs2");
        expect(ours.lengthUnits).toBe(theirs.characterSet === "GSM" ? theirs.bytes : theirs.bytes / 2);
        expect(ours.parts).toEqual(text === "" ? [] : theirs.parts.map((part) => part.content));
      }),
      FUZZ,
    );
  });

  test("it takes any unit after a high surrogate for its other half; we only a low surrogate", () => {
    // A high surrogate before a letter is broken text; gluing the two is harmless, but the count is ours to state.
    const text = "\ud83da".repeat(40);
    expect(splitSms.split(text).length).toBe(40);
    expect(segmentText(text)).toMatchObject({ lengthUnits: 80, partCount: 2 });
    expect(segmentText(text).parts[0]).toHaveLength(67);
    expect(splitSms.split(text).parts[0]?.content).toHaveLength(66);
  });
});
