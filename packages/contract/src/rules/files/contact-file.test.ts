import { describe, expect, test } from "vitest";
import { ContactFileReader, type ContactFileRead } from "./contact-file.ts";
import { limits } from "../../limits.ts";

function readFile(text: string, code = "234", columns?: readonly number[]): ContactFileRead {
  const reader = new ContactFileReader(code, { columns });
  for (let index = 0; index < text.length; index += 50_000) reader.add(text.slice(index, index + 50_000));
  return reader.finish();
}

function read(text: string, code?: string, columns?: readonly number[]): Extract<ContactFileRead, { kind: "read" }> {
  const result = readFile(text, code, columns);
  if (result.kind !== "read") throw new Error(result.kind);
  return result;
}

const numbers = (text: string, code?: string) => [...read(text, code).numbers].map(String);
const wrong = (text: string) => read(text).wrong.map(({ row, column, value, reason }) => [row, column, value, reason]);

const [one, two, three] = ["2348030000001", "2348050000002", "2348070000003"];

describe("wrong cells", () => {
  test.each<[string, string, (string | number)[][]]>([
    ["text among numbers", "08030000001\nabc\n08050000002", [[2, 1, "abc", "not-digits"]]],
    ["Excel's short form", "08030000001\n2.34803E+12", [[2, 1, "2.34803E+12", "scientific-notation"]]],
    ["Excel's short form with a comma", "Phone;Name\n2,34803E+12;Ada", [[2, 1, "2.34803E+12", "scientific-notation"]]],
    ["another country", "08030000001\n447911123456", [[2, 1, "447911123456", "wrong-code"]]],
    ["a line of numbers with text in it", "08030000001,abc,08050000002", [[1, 2, "abc", "not-digits"]]],
    [
      "one cell of three columns",
      "08030000001,08030000002\nabc,08030000003\n08030000004,08030000005",
      [[2, 1, "abc", "not-digits"]],
    ],
    [
      "a file of nothing but text",
      "Ada\nBola\nChi",
      [
        [2, 1, "Bola", "not-digits"],
        [3, 1, "Chi", "not-digits"],
      ],
    ],
    ["words with a stroke between them", "Phone\n08030000001\nn/a", [[3, 1, "n/a", "not-digits"]]],
    ["rows counted with empty ones", "phone\n\n\n12\n", [[4, 1, "12", "too-short"]]],
    ["a wrong one among several in a cell", 'Phone\n"08030000001 / 0805"', [[2, 1, "0805", "too-short"]]],
  ])("%s", (_, text, expected) => {
    expect(wrong(text)).toEqual(expected);
  });

  test("the first 100 are kept, all are counted", () => {
    const { wrong: kept, wrongCount } = read(`phone\n${"abc\n".repeat(250)}08030000001`);
    expect([kept.length, kept.at(-1)?.row, wrongCount]).toEqual([100, 101, 250]);
  });

  test("more are kept for who asks for them", () => {
    const reader = new ContactFileReader("234", { wrongKeptMax: 240 });
    reader.add(`phone\n${"abc\n".repeat(250)}`);
    const result = reader.finish();
    expect(result.kind === "read" && [result.wrong.length, result.wrong.at(-1)?.row, result.wrongCount]).toEqual([
      240, 241, 250,
    ]);
  });

  test("an open quotation mark and more than a million numbers end it", () => {
    expect(readFile('08030000001\n"08050000002\n')).toEqual({ kind: "open-quote", row: 2 });
    expect(readFile("08030000001\n".repeat(limits.catalogContactsMax))).toMatchObject({
      kind: "read",
      duplicateCount: 999_999,
    });
    expect(readFile("08030000001\n".repeat(limits.catalogContactsMax + 1))).toEqual({ kind: "too-many" });
  });
});

describe("numbers", () => {
  test.each([
    ["one on each line", "08030000001\n08050000002\n08070000003"],
    ["Windows line ends and a last one", "08030000001\r\n08050000002\r\n08070000003\r\n"],
    ["one line", "08030000001,08050000002,08070000003"],
    ["one line, spaced", "08030000001, 08050000002, 08070000003,"],
    ["three columns", "08030000001;08050000002\n08070000003;"],
    ["a header", "Phone number\n08030000001\n08050000002\n08070000003"],
    ["a quoted header and quoted numbers", '"GSM No."\n"+2348030000001"\n"+234 805 000 0002"\n"0807-000-0003"'],
    ["names beside numbers, with a header", "Name,Phone\nAda 1234567,08030000001\nBola,08050000002\nChi,08070000003"],
    ["names beside numbers, without one", "Ada,08030000001\nBola,08050000002\nChi,08070000003"],
    [
      "two phone columns",
      "first name,Mobile,id,Tel. 2\nAda,08030000001,1234567,08050000002\nBola,08070000003,1234568,",
    ],
    [
      "an account number beside a phone",
      "Account Number,Contact Number\n0123456789,08030000001\n0123456780,08050000002\n0123456781,08070000003",
    ],
    ["numbers headed as such", "S/N,Number\n1,08030000001\n2,08050000002\n3,08070000003"],
    ["headings that say nothing", "A,B\nAda,08030000001\nBola,08050000002\nChi,08070000003"],
    [
      "Google contacts",
      "Name,Phone 1 - Label,Phone 1 - Value\nAda,Mobile,08030000001\nBola,Work,08050000002\nChi,,08070000003",
    ],
    [
      "dates and prices beside numbers",
      "2024-01-15,1500,08030000001\n15/01/2024,200,08050000002\n2024-01-16 10:00,5,08070000003",
    ],
    ["protected from Excel", 'phone\n="08030000001"\n"=""08050000002"""\n\'08070000003'],
    ["Excel's separator line", "sep=;\nName;Phone\nAda;08030000001\nBola;08050000002\nChi;08070000003"],
    ["several in a cell", 'Name,Phone\nAda,"08030000001, 08050000002"\nBola,08070000003'],
    ["ragged rows of a list", "08030000001\n08050000002,08070000003"],
    ["rows with more cells than the header", "Phone,Town\n08030000001,Ibadan,x\n08050000002,Aba,y,z\n08070000003"],
  ])("%s", (_, text) => {
    expect(numbers(text)).toEqual([one, two, three]);
    expect(wrong(text)).toEqual([]);
  });

  test("repetitions are counted, in any spelling", () => {
    expect(read("08030000001\n+234 803 000 0001\n2348030000001\n08050000002")).toMatchObject({
      duplicateCount: 2,
      wrongCount: 0,
    });
  });

  test("the columns that a person names are read, and no other", () => {
    const text = "Phone,Office\n08030000001,abc\n08050000002,08070000003";
    expect([...read(text, "234", [1]).numbers].map(String)).toEqual([one, two]);
    expect(read(text, "234", [2])).toMatchObject({ wrongCount: 1, wrong: [{ row: 2, column: 2 }] });
    expect(read(text, "234", [7]).numbers).toHaveLength(0);
  });

  test("another country's catalog takes that country's numbers", () => {
    expect(numbers("Phone\n+44 7911 123456\n00447911123457", "44")).toEqual(["447911123456", "447911123457"]);
  });

  test("a preview tells the columns and which are read", () => {
    expect(read("Name,Phone\nAda,08030000001\n")).toMatchObject({
      hasHeader: true,
      columns: [
        { column: 1, name: "Name", sample: "Ada", isRead: false },
        { column: 2, name: "Phone", sample: "08030000001", isRead: true },
      ],
    });
    expect(read("Ada,08030000001\nBola,08050000002").columns).toMatchObject([
      { column: 1, name: "", isRead: false },
      { column: 2, isRead: true },
    ]);
  });

  test("nothing is nothing", () => {
    for (const text of ["", "\n\n", ",,,\n", "Phone\n"])
      expect(read(text)).toMatchObject({ wrongCount: 0, duplicateCount: 0 });
  });
});
