import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvCells, detectCsvEncoding, MixedDecoder } from "./csv-cells.ts";

/** @returns the file as rows of cells, empty cells as "". */
function rows(...texts: string[]): { rows: string[][]; openQuoteRow: number | undefined } {
  const found: string[][] = [];
  const cells = new CsvCells(({ row, column, value }) => {
    const cell = (found[row - 1] ??= []);
    cell[column - 1] = value;
  });
  for (const text of texts) cells.add(text);
  cells.finish();
  return {
    rows: Array.from(found, (row) => Array.from(row ?? [], (cell) => cell ?? "")),
    openQuoteRow: cells.openQuoteRow,
  };
}

const grid = [
  ["a", "b"],
  ["c", "d"],
];

describe("what is read", () => {
  test.each([
    ["a,b\nc,d", "no last line end"],
    ["a,b\nc,d\n", "line feeds"],
    ["a,b\r\nc,d\r\n", "Windows"],
    ["a,b\rc,d\r", "old Mac"],
    ["a,b\rc,d\r\n", "mixed line ends"],
    ["a;b\nc;d", "semicolons"],
    ["a\tb\nc\td", "tabs"],
    ["a|b\nc|d", "bars"],
    ['"a","b"\r\n"c","d"\r\n', "quoted"],
    ['"a",b\nc,"d"', "partly quoted"],
    ["a,b,\nc,d, ", "empty cells at the end"],
  ])("%j (%s)", (text) => {
    expect(rows(text).rows).toEqual(grid);
    expect(rows(...text.split("")).rows, "character by character").toEqual(grid);
  });

  test.each<[string, string[][]]>([
    ['"a,""b""\nc",d', [['a,"b"\nc', "d"]]],
    ['a"b,c"d', [['a"b', 'c"d']]],
    ['"a"b,c', [["ab", "c"]]],
    ['"",a', [["", "a"]]],
    ["a\n\n\nb", [["a"], [], [], ["b"]]],
    ["sep=;\na;b,c", [[], ["a", "b,c"]]],
    [
      '"x;y";1,5\n"z;w";2,5\n',
      [
        ["x;y", "1,5"],
        ["z;w", "2,5"],
      ],
    ],
    ["", []],
    [" \n,,\n", []],
  ])("%j", (text, expected) => {
    expect(rows(text).rows).toEqual(expected);
  });

  test.each([
    ['a\n"b\nc', 2],
    ['a\n"', 2],
    ['"a', 1],
    [`a\n"${"b\n".repeat(600_000)}`, 2],
  ])("a quotation mark that is never closed is told with its row (%#)", (text, row) => {
    const read = rows(text, "c,d\n");
    expect(read.openQuoteRow).toBe(row);
    expect(read.rows).toEqual(row === 2 ? [["a"]] : []);
  });

  test("any table survives being written, however it is cut into pieces", () => {
    const cell = fc
      .string({ unit: fc.constantFrom(...Array.from('ab,;"\n\r\t |0')), maxLength: 6 })
      .filter((text) => text.trim() !== "");
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 12 });
    const delimiters = fc.constantFrom(",", ";", "\t");
    fc.assert(
      fc.property(
        table,
        delimiters,
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.integer({ min: 1, max: 9 }),
        (written, delimiter, end, size) => {
          const text = written
            .map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(delimiter))
            .join(end);
          const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
          expect(rows(...pieces)).toEqual({ rows: written, openQuoteRow: undefined });
        },
      ),
      { seed: 4, numRuns: 1_000 },
    );
  });
});

describe("the encoding", () => {
  const utf16 = (text: string, isLittle: boolean) =>
    Uint8Array.from(text, (character) => character.charCodeAt(0)).reduce<number[]>(
      (bytes, one) => [...bytes, ...(isLittle ? [one, 0] : [0, one])],
      [],
    );
  test.each([
    [[0xef, 0xbb, 0xbf, 0x30], "utf-8"],
    [[0x30, 0x38], "utf-8"],
    [[], "utf-8"],
    [[0xff, 0xfe, 0x30, 0], "utf-16le"],
    [[0xfe, 0xff, 0, 0x30], "utf-16be"],
    [utf16("0803,0805", true), "utf-16le"],
    [utf16("0803,0805", false), "utf-16be"],
    [[0x50, 0x4b, 3, 4, 0, 0, 0, 0], undefined],
    [[0x30, 0, 0x30, 0x30, 0x30, 0x30], undefined],
  ] as const)("%# is %s", (bytes, encoding) => {
    expect(detectCsvEncoding(Uint8Array.from(bytes))).toBe(encoding);
  });
});

describe("lines of several programs", () => {
  const old = (text: string) => Buffer.from(text, "latin1");
  const file = Buffer.concat([
    Buffer.from("\u{feff}Name,Phone\r\nZoë Ọbí,1\n“Ada”,2\n"),
    old("Jos\u00e9,3\nJO\u00c3O,4\nCAF\u00c9\u0092s,5\n"),
    Buffer.from("ẹ"),
  ]);

  test.each([1, 3, 1_000])("are each read as they were written, in pieces of %i bytes", (size) => {
    const decoder = new MixedDecoder();
    let text = "";
    for (let start = 0; start < file.length; start += size) text += decoder.decode(file.subarray(start, start + size));
    text += decoder.finish();
    expect(text).toBe("Name,Phone\r\nZoë Ọbí,1\n“Ada”,2\nJosé,3\nJOÃO,4\nCAFÉ’s,5\nẹ");
  });

  test("a line longer than all lines of people is read before it has ended", () => {
    const decoder = new MixedDecoder();
    const bytes = old("08030000001,".repeat(10_000));
    const begun = decoder.decode(bytes);
    expect(begun.length + decoder.finish().length).toBe(bytes.length);
    expect(begun).not.toBe("");
  });
});
