/** A contact list as it comes out of somebody's spreadsheet. */
import { buildWorkbook } from "@ewebal/server/src/features/contacts/testing/build-workbook.ts";
import { makeNumbers } from "./api-client.ts";

/** What a preview has to say of one cell; `value` as it is shown. */
export type WrongCell = { line: number; value: string; reason: string };

export type MessyCsv = {
  file: { name: string; mimeType: string; buffer: Buffer };
  /** Distinct and right, with their code. */
  numbers: string[];
  repeatedCount: number;
  wrong: WrongCell[];
};

/** What spreadsheets and people make of a number, with the words that the page has for it. */
const damaged: readonly { value: string; written?: string; reason: string }[] = [
  { value: "2.34803E+12", written: "2,34803E+12", reason: "was shortened by a spreadsheet, its last digits are lost" },
  { value: "8001234567", reason: "does not begin with the chosen country code" },
  { value: "12345", reason: "is too short" },
  { value: "ask her sister", reason: "is not a number" },
  { value: "+44 20 7946 0958", reason: "does not begin with the chosen country code" },
];

const repeatedCount = 60;
/** A damaged row stands behind every so many. */
const damageEvery = 700;

/** How a cell writes one number; all of these are right. */
const shapes: readonly ((number: string) => string)[] = [
  (number) => number,
  (number) => `+${number}`,
  (number) => `0${number.slice(3)}`,
  // A spreadsheet has dropped the 0.
  (number) => number.slice(3),
  (number) => `"+234 ${number.slice(3, 6)} ${number.slice(6, 9)} ${number.slice(9)}"`,
  (number) => `="0${number.slice(3)}"`,
  (number) => `0${number.slice(3, 6)}-${number.slice(6, 9)}-${number.slice(9)}`,
];

/** Names with what must be quoted: the separator, quotation marks, a line break. */
const names = ['"Obi; Ada"', '"Ada ""Mama"" Obi"', "Chinedu Eze", '"Bola\nAdé"', "Ngozi"];

/**
 * A byte order mark, semicolons, a header, quoted names, dates beside the numbers, repeated and damaged rows, Windows line ends
 * and an empty line at the end.
 *
 * @param special numbers that must be among the good ones.
 */
export function makeMessyCsv(goodCount: number, special: readonly string[]): MessyCsv {
  const numbers = [...special, ...makeNumbers(goodCount - special.length)];
  const cells = [...numbers, ...numbers.slice(0, repeatedCount)];
  const rows = ["Name;Phone number;Customer since"];
  const wrong: WrongCell[] = [];
  let line = 1;
  const add = (index: number, cell: string): void => {
    rows.push(`${names[index % names.length]};${cell};2025-01-${String((index % 28) + 1).padStart(2, "0")}`);
    line += 1;
  };
  cells.forEach((number, index) => {
    add(index, shapes[index % shapes.length]?.(number) ?? number);
    const damage = index % damageEvery === damageEvery - 1 ? damaged[wrong.length % damaged.length] : undefined;
    if (damage === undefined) return;
    add(index, damage.written ?? damage.value);
    wrong.push({ line, value: damage.value, reason: damage.reason });
  });
  const text = `\uFEFF${rows.join("\r\n")}\r\n\r\n`;
  return {
    file: { name: "customers.csv", mimeType: "text/csv", buffer: Buffer.from(text) },
    numbers,
    repeatedCount,
    wrong,
  };
}

/**
 * A title and an empty line above the headings; numbers without their 0, one of them as a large number is written, and a sixth that lost its
 * digits. The last good one is of nobody.
 */
export const uglyWorkbook = {
  name: "march.xlsx",
  mimeType: "application/octet-stream",
  buffer: Buffer.from(
    buildWorkbook({
      Lace: [
        ["CUSTOMERS OF MARCH"],
        [],
        ["S/N", "Name", "GSM"],
        ["1", "Ada", { number: "8030000021" }],
        ["2", "Bola", { number: "2.348030000022E12" }],
        ["3", "Chi", "+234 (0) 803 000 0023"],
        ["4", "Oluwaseun Adebayo-Ogunlesi", "'08030000024"],
        ["5", "Emeka", { number: "8039009902" }],
        ["6", "Funke", "2.34803E+12"],
      ],
    }),
  ),
};
