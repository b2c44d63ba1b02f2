import { describe, expect, test } from "vitest";
import { listPatterns, measurePattern, repeats, SLOW_MS } from "./patterns.ts";

describe("the check finds", () => {
  test.each([[String.raw`\s*;\s*q=`], [String.raw`^(a+)+$`], [String.raw`(\d+)*x`], [String.raw`\s+$`]])(
    "%s",
    (source) => {
      expect(measurePattern({ source, flags: "" })).toBeGreaterThanOrEqual(SLOW_MS);
    },
  );

  test("patterns by what they are, not by how they look", () => {
    const text = 'const half = 4 / 2 / 1; // no /pattern/\nconst at: RegExp = /^[a/]+$/giu; "/text/".split(/,/);';
    expect(listPatterns([{ path: "x.ts", text }])).toEqual([
      { path: "x.ts", source: "^[a/]+$", flags: "giu" },
      { path: "x.ts", source: ",", flags: "" },
    ]);
  });
});

test.each([
  ["a*", true],
  ["a+?", true],
  [String.raw`(?:a{1,9}){1,9}`, true],
  [String.raw`[\]*]+`, true],
  [String.raw`[\]*+{]\*\+\{\\`, false],
  ["^a?b|c$", false],
])("whether %s repeats: %s", (source, expected) => {
  expect(repeats({ source })).toBe(expected);
});

test("no pattern of the product backtracks over a long text", { timeout: 120_000 }, () => {
  const patterns = listPatterns();
  expect(patterns.length).toBeGreaterThan(100);
  const tried = new Map(patterns.filter(repeats).map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  // Measured again, because a busy machine may stop for a moment.
  const slow = [...tried.values()].filter(
    (pattern) => measurePattern(pattern) >= SLOW_MS && measurePattern(pattern) >= SLOW_MS,
  );
  expect(slow.map(({ path, source }) => `${path}: ${source}`)).toEqual([]);
});
