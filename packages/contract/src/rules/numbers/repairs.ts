/**
 * What spreadsheets, phones and people do to numbers, and what is undone without a guess. A number counts once for each kind that it
 * needed. A plus, a dash and the 0 of national dialling are no damage.
 */

/** The kinds, in the order in which they are told, each a bit. */
export const REPAIR = {
  /** Ten digits of the Nigerian mobile plan, whose 0 a spreadsheet has dropped. */
  leadingZero: 1,
  /** `.0` behind it: the cell was a number with decimals. */
  decimals: 2,
  /** Before it: a spreadsheet's sign that the cell is text. */
  apostrophe: 4,
  /** `+234 (0) 803`: the 0 of national dialling behind the code. */
  trunkZero: 8,
  /** `00234`: how most countries begin an international number. */
  internationalPrefix: 16,
  /** Of any kind between its digits, invisible ones too. */
  blanks: 32,
  /** Of other scripts. */
  digits: 64,
} as const;

export type RepairKind = keyof typeof REPAIR;
export const repairKinds = Object.keys(REPAIR) as readonly RepairKind[];

/** How many valid numbers, repetitions included, needed each kind; only kinds that there are. */
export type RepairCounts = { [kind in RepairKind]?: number | undefined };

/** @param counts in the order of the kinds. @returns nothing for no repair at all. */
export function countRepairs(counts: ArrayLike<number>): { repaired?: RepairCounts } {
  const repaired: RepairCounts = {};
  for (const [place, kind] of repairKinds.entries()) {
    const count = counts[place] ?? 0;
    if (count > 0) repaired[kind] = count;
  }
  return Object.keys(repaired).length === 0 ? {} : { repaired };
}

/** What was done, in words that follow "3 numbers". */
const repairWords: Readonly<Record<RepairKind, string>> = {
  leadingZero: "got back the 0 that a spreadsheet had dropped",
  decimals: "lost the .0 that a spreadsheet had added",
  apostrophe: "lost the apostrophe before them",
  trunkZero: "lost the 0 behind the country code",
  internationalPrefix: "began with 00",
  blanks: "had blanks inside",
  digits: "had digits of another script",
};

/** @returns a sentence for each kind: "3 numbers got back the 0 that a spreadsheet had dropped". */
export function describeRepairs(repaired: RepairCounts | undefined): string[] {
  return repairKinds.flatMap((kind) => {
    const count = repaired?.[kind] ?? 0;
    if (count === 0) return [];
    const words = count === 1 ? repairWords[kind].replace("before them", "before it") : repairWords[kind];
    return [`${count === 1 ? "1 number" : `${count.toLocaleString("en")} numbers`} ${words}`];
  });
}

const OTHER_DIGIT = /(?![0-9])\p{Nd}/u;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;
/** Holds the place of a digit's second half: inside a number it means nothing. */
const FILLER = "\u2019";

/** @returns the text with digits of 0 to 9 in place of those of other scripts, everything in the same place as before. */
export function toPlainDigits(text: string): string {
  if (!OTHER_DIGIT.test(text)) return text;
  return text.replaceAll(OTHER_DIGITS, (digit) => `${valueOf(digit)}${digit.length === 2 ? FILLER : ""}`);
}

const digitValues = new Map<string, number>();

/** Digits stand in the order of their values, ten of a script together, each ten beginning at a zero. */
function valueOf(digit: string): number {
  let value = digitValues.get(digit);
  if (value === undefined) {
    let code = digit.codePointAt(0) ?? 0;
    value = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
      code -= 1;
      value += 1;
    }
    value %= 10;
    digitValues.set(digit, value);
  }
  return value;
}
