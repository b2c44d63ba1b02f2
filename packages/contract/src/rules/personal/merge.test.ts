import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyOfLabel, nameColumns, cleanFieldValue } from "./columns.ts";
import { FieldedNumbers } from "./fielded-numbers.ts";
import { findFieldLookAlikes, keysOfPattern, mergePattern, readPattern, targetsOfPattern } from "./merge.ts";
import { valuesAt } from "./value-rows.ts";

const merge = (text: string, values: Record<string, string>) => {
  const merged = mergePattern(readPattern(text), (key) => values[key]);
  return merged.kind === "text" ? merged.text : merged.keys;
};

describe("merge fields", () => {
  test.each([
    ["Dear {{name}}!", { name: "Ada" }, "Dear Ada!"],
    ["{{ name }}{{name}}", { name: "Ada" }, "AdaAda"],
    ["Dear {{name| friend }}", {}, "Dear friend"],
    ["Dear {{name|friend}}", { name: "  " }, "Dear friend"],
    ["Dear{{name|}}.", {}, "Dear."],
    ["{{name}} {{city}} {{name}}", { city: "Jos" }, ["name"]],
    ["{{name}}", { name: "{{city}} $& \\1" }, "{{city}} $& \\1"],
    ["{{a|b|c}}", {}, "b|c"],
    ["{{{name}}}", { name: "Ada" }, "{Ada}"],
    [
      "{{7*7}} {{ }} {{Name}} {{name {{link:https://a.b/{c}}} {name} {{a|{b}}}",
      {},
      "{{7*7}} {{ }} {{Name}} {{name {{link:https://a.b/{c}}} {name} {{a|{b}}}",
    ],
    [`{{${"k".repeat(31)}}}`, {}, `{{${"k".repeat(31)}}}`],
    ["", {}, ""],
  ])("%j with %j", (text, values, merged) => {
    expect(merge(text, values)).toEqual(merged);
  });

  test("links are counted through, and their targets told as they are written", () => {
    const pattern = readPattern("{{link:https://a.b}} {{name}} {{ link: ftp://x y }}{{link:}}");
    expect(targetsOfPattern(pattern)).toEqual(["https://a.b", "ftp://x y", ""]);
    expect(keysOfPattern(pattern)).toEqual(["name"]);
    expect(mergePattern(pattern, () => "{{link:https://c.d}}", String)).toEqual({
      kind: "text",
      text: "0 {{link:https://c.d}} 12",
    });
    expect(mergePattern(readPattern("{{link:https://a.b}}"), () => "")).toEqual({
      kind: "text",
      text: "{{link:https://a.b}}",
    });
  });

  test("a text without fields stays itself, and the keys are told once", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("{", "}", "a", "|", " ", "\n", "_", "Z", "7") }), (text) => {
        const pattern = readPattern(text);
        if (keysOfPattern(pattern).length === 0) expect(merge(text, {})).toBe(text);
      }),
    );
    expect(keysOfPattern(readPattern("{{b}} {{a|x}} {{b}}"))).toEqual(["b", "a"]);
  });

  test("what other services write is told, of known keys alone", () => {
    expect(
      findFieldLookAlikes("{name} [Full Name] <city> {{name}} {other} {{Name}}", ["name", "full_name", "city"]),
    ).toEqual([
      { written: "{name}", field: "{{name}}" },
      { written: "[Full Name]", field: "{{full_name}}" },
      { written: "<city>", field: "{{city}}" },
      { written: "{{Name}}", field: "{{name}}" },
    ]);
  });
});

describe("columns", () => {
  test.each([
    ["Full Name", "full_name"],
    ["  First--Name (1) ", "first_name_1"],
    ["2nd №", "nd"],
    ["№", "field"],
    ["A".repeat(40), "a".repeat(30)],
    [`${"a".repeat(29)} b`, "a".repeat(29)],
  ])("%j is %s", (label, key) => expect(keyOfLabel(label)).toBe(key));

  test("keys that are taken are numbered, those that were given stand first", () => {
    const labels = [
      { label: "Name" },
      { key: "name", label: "X" },
      { label: "name" },
      { label: "a".repeat(30) },
      { label: "a".repeat(31) },
    ];
    expect(nameColumns(labels).map(({ key }) => key)).toEqual([
      "name_2",
      "name",
      "name_3",
      "a".repeat(30),
      `${"a".repeat(28)}_2`,
    ]);
  });

  test("values become one line of plain text", () => {
    expect(cleanFieldValue("  a\r\n b\u0000\u00A0c\t")).toBe("a b c");
    expect(cleanFieldValue("\ud800x")).toBe("\uFFFDx");
    expect(cleanFieldValue(" \u3000 ")).toBe("");
  });
});

describe("rows of numbers", () => {
  test("keep what stood first, or take what comes again", () => {
    for (const [repeats, expected] of [
      ["first", ["Ada", null]],
      ["merged", ["Bola", "Jos"]],
    ] as const) {
      const numbers = new FieldedNumbers({ repeats });
      numbers.put(1, ["Ada", null]);
      numbers.put(2, ["é😀", ""]);
      numbers.put(1, ["Bola", "Jos"]);
      const rows = numbers.finish();
      expect([valuesAt(rows, 0), valuesAt(rows, 1), valuesAt(rows, 2)]).toEqual([expected, ["é😀", ""], []]);
    }
  });
});
