import { DEFAULT_RATES } from "@ewebal/contract";
import { describe, expect, test } from "vitest";
import { readFile } from "node:fs/promises";
import { readCsv, writeWrongRows, type CsvSummary } from "./read-csv.ts";

type Read = Extract<CsvSummary, { kind: "read" }>;

async function read(content: BlobPart, columns?: number[]): Promise<Read> {
  const summary = await readCsv({
    file: new Blob([content]),
    code: "234",
    rates: DEFAULT_RATES,
    ...(columns && { wish: { numbers: columns, fields: [] } }),
  });
  if (summary.kind !== "read") throw new Error(summary.kind);
  return summary;
}

describe("what is no list of contacts", () => {
  test("a picture", async () => {
    const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 1, 2, 0, 0]);
    expect(await readCsv({ file: new Blob([bytes]), code: "234", rates: DEFAULT_RATES })).toEqual({
      kind: "no-text",
    });
  });

  test("a file with an open quotation mark", async () => {
    expect(
      await readCsv({
        file: new Blob(['08030000001\n"08050000002\n']),
        code: "234",
        rates: DEFAULT_RATES,
      }),
    ).toEqual({ kind: "open-quote", row: 2 });
  });
});

describe("wrong rows", () => {
  const messy = "Name,Phone\nAda,08030000001\nBola,8003000009\nChi,2.34803E+12\nDede,08030000001\n";

  test("are named with line, value and reason; right ones and repetitions are counted", async () => {
    const { goodCount, duplicateCount, wrongCount, wrong } = await read(messy);
    expect({ goodCount, duplicateCount, wrongCount }).toEqual({ goodCount: 1, duplicateCount: 1, wrongCount: 2 });
    expect(wrong.map(({ row, column, value, reason }) => [row, column, value, reason])).toEqual([
      [3, 2, "8003000009", "wrong-code"],
      [4, 2, "2.34803E+12", "scientific-notation"],
    ]);
  });

  test("come as a file too, all of them, while 100 are shown", async () => {
    const { wrong, wrongFile } = await read(`Phone\n${"abc\n".repeat(250)}`);
    expect(wrong).toHaveLength(100);
    const lines = (await wrongFile?.text())?.trim().split("\r\n");
    expect(lines).toHaveLength(251);
    expect(lines?.at(-1)).toBe('"251","1","abc","is not a number"');
  });

  test("are no formulas in a spreadsheet", () => {
    const text = writeWrongRows([{ row: 1, value: '=HYPERLINK("x")', reason: "not-digits", text: "is not a number" }]);
    expect(text).toContain(`"'=HYPERLINK(""x"")"`);
  });

  test("none leave no file", async () => {
    expect(await read("08030000001")).not.toHaveProperty("wrongFile");
  });
});

describe("columns", () => {
  const twoPhones = "Name,Phone,Mobile\nAda,08030000001,08050000002\n";

  test("the file tells which hold numbers, with an example of each", async () => {
    const { hasHeader, columns, goodCount } = await read(twoPhones);
    expect(hasHeader).toBe(true);
    expect(columns).toEqual([
      { column: 1, name: "Name", sample: "Ada", isRead: false },
      { column: 2, name: "Phone", sample: "08030000001", isRead: true },
      { column: 3, name: "Mobile", sample: "08050000002", isRead: true },
    ]);
    expect(goodCount).toBe(2);
  });

  test("a person's choice goes before it", async () => {
    expect((await read(twoPhones, [3])).goodCount).toBe(1);
  });
});

test.each([
  ["UTF-8 with a byte order mark", new TextEncoder().encode("\u{feff}08030000001\r\n08050000002")],
  ["UTF-16 of Excel", new Uint8Array(Buffer.from("\u{feff}08030000001\t08050000002", "utf16le"))],
])("%s", async (_, bytes) => {
  expect((await read(bytes)).goodCount).toBe(2);
});

/** Sheets: Empty, March (Name, Phone; Ada, 2.348030000001E12), April (08050000002). */
async function twoMonths(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile("packages/web/src/shared/numbers/testing/two-months.xlsx"));
}

describe("what a list's program made of it", () => {
  const person = { numbers: '["2348030000001","Ada"]' };
  const taken = async (content: BlobPart) => {
    const file = new Blob([content]);
    const summary = await readCsv({ file, code: "234", rates: DEFAULT_RATES, takesFields: true, wantsNumbers: true });
    if (summary.kind !== "read") throw new Error(summary.kind);
    return summary;
  };

  test("beside one column of numbers the others with headings become fields; a column of reasons does not", async () => {
    const summary = await taken("Full Name,Phone,Empty,reason\nAda,8030000001,,too short\n");
    expect(summary).toMatchObject({ ...person, repaired: { leadingZero: 1 }, goodCount: 1 });
    expect(summary.match.fields).toEqual([{ column: 1, key: "full_name", label: "Full Name" }]);
    expect([...(summary.rows[0]?.cells ?? [])].slice(0, 2)).toEqual([
      [1, "Ada"],
      [2, "8030000001"],
    ]);
  });

  test("headings below a title are found", async () => {
    const summary = await taken("CUSTOMERS OF MARCH,,\nPrinted,today\nS/N,Customer,GSM\n1,Ada,08030000001\n");
    expect(summary.match).toMatchObject({ header: 3, numbers: [3] });
    expect(summary.match.fields.map(({ key }) => key)).toEqual(["s_n", "customer"]);
    expect(summary.goodCount).toBe(1);
  });

  test("a workbook, of which the first sheet that holds rows is read until another is chosen", async () => {
    const file = new Blob([await twoMonths()]);
    const task = { file, code: "234", rates: DEFAULT_RATES, takesFields: true, wantsNumbers: true };
    const march = await readCsv(task);
    expect(march).toMatchObject({ ...person, sheets: ["March", "April"], match: { sheet: "March" } });
    expect(await readCsv({ ...task, wish: { sheet: "April" } })).toMatchObject({ numbers: "2348050000002" });
  });

  test("contact cards, whatever the file is called", async () => {
    const summary = await taken("BEGIN:VCARD\nVERSION:3.0\nFN:Ada\nTEL:+234 803 000 0001\nEND:VCARD\n");
    expect(summary).toMatchObject(person);
  });

  test("letters of Windows-1252", async () => {
    const summary = await taken(new Uint8Array(Buffer.from("Name,Phone\nJos\u00e9,08030000001\n", "latin1")));
    expect(summary.numbers).toContain("José");
  });

  test("lines of UTF-8 among letters of Windows-1252", async () => {
    const lines = [Buffer.from("Name,Phone\nZoë,08030000001\n"), Buffer.from("Jos\u00e9,08030000002\n", "latin1")];
    const { numbers } = await taken(new Uint8Array(Buffer.concat(lines)));
    expect([numbers?.includes("Zoë"), numbers?.includes("José")]).toEqual([true, true]);
  });

  test("half a workbook is none", async () => {
    const half = (await twoMonths()).subarray(0, 300);
    expect(await readCsv({ file: new Blob([half]), code: "234", rates: DEFAULT_RATES })).toEqual({ kind: "no-text" });
  });
});

test("a file that is longer than one slice is one file", async () => {
  const numbers = Array.from({ length: 200_000 }, (_, index) => `0803${String(index).padStart(7, "0")}`);
  expect(await read(numbers.join("\n"))).toMatchObject({ goodCount: 200_000, wrongCount: 0 });
});
