/**
 * Reading pasted phone numbers. What separates two numbers and what stands inside one:
 *
 * - A line break, comma, semicolon, tab, slash or bar always separates.
 * - A plus sign always begins a number.
 * - Spaces, dashes, dots, brackets, quotes and invisible marks stand inside a number (`0803 000-0001`), except where what
 *   follows begins like a number, with the code or, for Nigeria, a zero, and either side is a complete number: then they
 *   separate (`08030000001 08030000002`). `(0)` after a code is the trunk zero of `+44 (0)7911`, and is left out.
 * - Digits of other scripts are read as 0 to 9, and `.0` behind a whole number is a spreadsheet's.
 * - Anything else makes what it stands in a wrong number; nothing is guessed.
 *
 * What was read as something else than what is written is counted: see `repairs.ts`.
 */
import { createNumberCheck, DIGITS_MIN, type NumberCheck, type WrongNumberReason } from "./number-check.ts";
import { NumberList } from "./number-list.ts";
import { countRepairs, REPAIR, type RepairCounts, toPlainDigits } from "./repairs.ts";
import { DEFAULT_RATES, type Rates } from "../money/rates.ts";

export type { RepairCounts, WrongNumberReason };

export type WrongNumber = {
  /** Place among the numbers received, from 0. */
  index: number;
  /** As it was written, at most 40 characters. */
  value: string;
  reason: WrongNumberReason;
};

export type RecipientsRead = {
  /** Distinct valid numbers with their code, digits only, in first-seen order; whole numbers of at most 15 digits. */
  valid: Float64Array;
  /** Valid ones, repetitions and wrong ones together. */
  receivedCount: number;
  duplicateCount: number;
  wrongCount: number;
  /** The first 100 wrong numbers. */
  wrong: WrongNumber[];
  /** How many valid ones, repetitions included, are read as something else than what is written; kinds that there are. */
  repaired?: RepairCounts;
};

export const WRONG_NUMBERS_KEPT_MAX = 100;
const WRONG_VALUE_CHARACTERS_MAX = 40;
/** Digits beyond these are counted but not kept: 15 of E.164 and the two zeros of an international prefix. */
const DIGITS_KEPT_MAX = 17;

const DIGIT = 1;
const SEPARATOR = 2;
const INSIDE = 3;
const PLUS = 4;
const BLANK = 5;
const FOREIGN = 0;

const CHARACTER_CLASSES = buildCharacterClasses();

function buildCharacterClasses(): Uint8Array {
  const classes = new Uint8Array(0x1_0000);
  const assign = (characters: string, value: number) => {
    for (const character of characters) classes[character.charCodeAt(0)] = value;
  };
  assign("0123456789", DIGIT);
  assign("\n\r\v\f\u0085\u2028\u2029,;\t|/\u060C\u3001\uFF0C\uFF1B", SEPARATOR);
  assign("-\u2212.()[]'\"\u2018\u2019\u201C\u201D", INSIDE);
  assign(" \u00A0\u1680\u180E\u3000\u205F\u2060\uFEFF\u00AD", BLANK);
  // Typographic spaces, invisible marks of writing direction, and dashes, as address books and chats put them in.
  for (const [first, last, kind] of [
    [0x2000, 0x200f, BLANK],
    [0x2010, 0x2015, INSIDE],
    [0x202a, 0x202f, BLANK],
    [0x2066, 0x2069, BLANK],
  ] as const) {
    classes.fill(kind, first, last + 1);
  }
  assign("+\uFF0B", PLUS);
  return classes;
}

/**
 * Reads all numbers of a text for one country code.
 *
 * One million distinct Nigerian numbers (14 MB of text) take 0.23 to 0.35 s on one shared core (Node 24), separated by
 * spaces alone 0.33 s; the result is 8 MB, the working memory 25 to 50 MB.
 *
 * @param code the chosen dialling code, digits only.
 * @param rates decides which longer codes are priced apart; their numbers are not the chosen code's.
 */
export function readRecipients(
  text: string,
  code: string,
  rates: Rates = DEFAULT_RATES,
  options: { hasTestNumbers?: boolean } = {},
): RecipientsRead {
  const reader = new RecipientReader(code, rates, undefined, undefined, options);
  reader.add(text);
  return reader.finish();
}

/** Reads numbers text by text, such as the cells of a file, as one list without repetitions. */
export class RecipientReader {
  readonly #check: NumberCheck;
  readonly #list = new NumberList();
  readonly #wrong: WrongNumber[] = [];
  readonly #wrongKeptMax: number;
  #duplicateCount = 0;
  #wrongCount = 0;
  /** How many numbers needed each kind of repair. */
  readonly #repairCounts = new Float64Array(Object.keys(REPAIR).length);
  readonly #onNumber: ((number: number) => void) | undefined;
  // The number being read.
  #text = "";
  /** As it came; what is read has digits of 0 to 9 in the same places. */
  #written = "";
  #start = 0;
  #value = 0;
  #digitCount = 0;
  #leadingZeroCount = 0;
  #isForeign = false;
  /** Bits of `REPAIR`. */
  #repairs = 0;
  #isBlankBefore = false;

  /**
   * @param wrongKeptMax how many wrong numbers are kept, with what was written; all are counted.
   * @param options hasTestNumbers takes the numbers of test mode, too.
   * @param onNumber told each valid number in its turn, repetitions included.
   */
  constructor(
    code: string,
    rates: Rates = DEFAULT_RATES,
    wrongKeptMax = WRONG_NUMBERS_KEPT_MAX,
    onNumber?: (number: number) => void,
    { hasTestNumbers = false }: { hasTestNumbers?: boolean } = {},
  ) {
    this.#check = createNumberCheck(code, rates, hasTestNumbers);
    this.#wrongKeptMax = wrongKeptMax;
    this.#onNumber = onNumber;
  }

  get validCount(): number {
    return this.#list.count;
  }

  get duplicateCount(): number {
    return this.#duplicateCount;
  }

  get wrongCount(): number {
    return this.#wrongCount;
  }

  /** The first wrong numbers so far. */
  get wrong(): readonly WrongNumber[] {
    return this.#wrong;
  }

  /** Reads one text to its end; a number does not go on in the next text. */
  add(written: string): void {
    const text = toPlainDigits(written);
    this.#text = text;
    this.#written = written;
    this.#begin(0);
    let isBroken = false;
    for (let index = 0; index < text.length; index += 1) {
      const charCode = text.charCodeAt(index);
      const kind = CHARACTER_CLASSES[charCode] ?? FOREIGN;
      if (kind === DIGIT) {
        if (isBroken && this.#isAnotherNumber(index)) this.#end(index);
        isBroken = false;
        if (this.#isBlankBefore) this.#repairs |= REPAIR.blanks;
        if (text !== written && written.charCodeAt(index) !== charCode) this.#repairs |= REPAIR.digits;
        this.#addDigit(charCode - 48);
      } else if (kind === BLANK) {
        isBroken = true;
        this.#isBlankBefore = this.#digitCount > 0;
      } else if (kind === INSIDE) {
        isBroken = true;
        index = this.#readMark(charCode, index);
      } else if (kind === SEPARATOR) {
        this.#end(index);
        this.#begin(index + 1);
        isBroken = false;
      } else if (kind === PLUS) {
        if (!this.#isForeign && this.#digitCount > 0) this.#end(index);
      } else {
        this.#isForeign = true;
      }
    }
    this.#end(text.length);
    this.#text = "";
    this.#written = "";
  }

  /** @returns the index of the last character that belongs to the mark. */
  #readMark(charCode: number, index: number): number {
    const isBegun = this.#digitCount > 0;
    if (!isBegun && APOSTROPHES.has(charCode)) this.#repairs |= REPAIR.apostrophe;
    if (isBegun && charCode === OPENING_BRACKET && this.#text.startsWith("(0)", index)) {
      this.#repairs |= REPAIR.trunkZero;
      return index + 2;
    }
    if (charCode !== POINT || this.#digitCount < DIGITS_MIN) return index;
    const zeros = countDecimalZeros(this.#text, index + 1);
    const whole = zeros > 0 && this.#check.read(this.#value, this.#digitCount, this.#leadingZeroCount);
    if (typeof whole !== "number") return index;
    this.#repairs |= REPAIR.decimals;
    return index + zeros;
  }

  /** @returns everything read so far. */
  finish(): RecipientsRead {
    return {
      valid: this.#list.toArray(),
      receivedCount: this.#list.count + this.#duplicateCount + this.#wrongCount,
      duplicateCount: this.#duplicateCount,
      wrongCount: this.#wrongCount,
      wrong: [...this.#wrong],
      ...countRepairs(this.#repairCounts),
    };
  }

  #begin(start: number): void {
    this.#start = start;
    this.#value = 0;
    this.#digitCount = 0;
    this.#leadingZeroCount = 0;
    this.#isForeign = false;
    this.#repairs = 0;
    this.#isBlankBefore = false;
  }

  #addDigit(digit: number): void {
    this.#isBlankBefore = false;
    this.#digitCount += 1;
    if (this.#value === 0 && digit === 0) this.#leadingZeroCount += 1;
    if (this.#digitCount <= DIGITS_KEPT_MAX) this.#value = this.#value * 10 + digit;
  }

  /** Asked at the first digit after a break. */
  #isAnotherNumber(index: number): boolean {
    if (this.#isForeign || this.#digitCount < DIGITS_MIN || !this.#check.beginsNumber(this.#text, index)) return false;
    const before = this.#check.read(this.#value, this.#digitCount, this.#leadingZeroCount);
    return typeof before === "number" || this.#isCompleteNumber(index);
  }

  /** Whether the unbroken digits at the index are a number by themselves. */
  #isCompleteNumber(start: number): boolean {
    let end = start;
    let value = 0;
    let leadingZeroCount = 0;
    for (; end - start <= DIGITS_KEPT_MAX; end += 1) {
      const charCode = this.#text.charCodeAt(end);
      if (CHARACTER_CLASSES[charCode] !== DIGIT) break;
      value = value * 10 + charCode - 48;
      if (value === 0) leadingZeroCount += 1;
    }
    return typeof this.#check.read(value, end - start, leadingZeroCount) === "number";
  }

  #end(end: number): void {
    if (this.#isForeign) this.#addWrong(end, readForeignReason(this.#text.slice(this.#start, end)));
    else if (this.#digitCount > 0) {
      const read = this.#check.read(this.#value, this.#digitCount, this.#leadingZeroCount);
      if (typeof read === "number") this.#take(read);
      else this.#addWrong(end, read);
    }
    this.#begin(end);
  }

  #take(read: number): void {
    let repairs = this.#repairs;
    if (this.#check.hasLostZero(this.#digitCount, this.#leadingZeroCount)) repairs |= REPAIR.leadingZero;
    if (this.#leadingZeroCount === 2) repairs |= REPAIR.internationalPrefix;
    const digits = this.#digitCount - (this.#leadingZeroCount === 2 ? 2 : 0);
    // A zero between the code and the number, which nobody dials from abroad.
    if (read < 10 ** (digits - 1)) repairs |= REPAIR.trunkZero;
    for (let kind = 0; repairs !== 0; kind += 1, repairs >>= 1)
      if ((repairs & 1) === 1) this.#repairCounts[kind] = (this.#repairCounts[kind] ?? 0) + 1;
    this.#onNumber?.(read);
    if (!this.#list.add(read)) this.#duplicateCount += 1;
  }

  #addWrong(end: number, reason: WrongNumberReason): void {
    if (this.#wrong.length < this.#wrongKeptMax) {
      const index = this.#list.count + this.#duplicateCount + this.#wrongCount;
      const value = this.#written.slice(this.#start, end).trim().slice(0, WRONG_VALUE_CHARACTERS_MAX);
      this.#wrong.push({ index, value, reason });
    }
    this.#wrongCount += 1;
  }
}

const POINT = 46;
const OPENING_BRACKET = 40;
/** A spreadsheet's sign that a cell is text; straight, or as a word processor makes it. */
const APOSTROPHES: ReadonlySet<number> = new Set([0x27, 0x2018, 0x2019]);

/** @returns how many zeros stand at the index, one or two and no digit behind them; 0 for anything else. */
function countDecimalZeros(text: string, index: number): number {
  if (text.charAt(index) !== "0") return 0;
  const count = text.charAt(index + 1) === "0" ? 2 : 1;
  return CHARACTER_CLASSES[text.charCodeAt(index + count)] === DIGIT ? 0 : count;
}

/** Excel shows a long number as 2.34803E+12, and saves what it shows: the last digits are lost. */
function readForeignReason(written: string): WrongNumberReason {
  return /^\s*"?[0-9](?:\.[0-9]+)?E\+?[0-9]+"?\s*$/i.test(written.slice(0, WRONG_VALUE_CHARACTERS_MAX))
    ? "scientific-notation"
    : "not-digits";
}
