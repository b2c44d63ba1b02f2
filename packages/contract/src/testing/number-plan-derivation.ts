/**
 * Derives the lines of `number-plans.ts` from libphonenumber's metadata. Only the test beside it uses this: it compares,
 * and its failure message holds the new lines after an update of the metadata.
 */

type DigitClass = string;
type Pattern = readonly DigitClass[];

/** The part of the metadata that is read; a country is a tuple: [3] possible lengths, [11] patterns by number type. */
export type NumberingMetadata = {
  country_calling_codes: Readonly<Record<string, readonly string[]>>;
  countries: Readonly<Record<string, readonly unknown[]>>;
};

const FIXED = 0;
const MOBILE = 1;
const PREMIUM = 3;
const VOIP = 8;
const SHARED_COST = 9;
const PREFIX_DIGITS_MAX = 7;
const SHORT_PREFIX_DIGITS = 3;

type NumberType = {
  pattern: string;
  lengths: readonly number[] | undefined;
};

/**
 * @returns one line a calling code: the code, shortest and longest mobile number (with a z where numbers may begin with
 * zero), and the prefixes never sent to.
 */
export function deriveNumberPlanLines(metadata: NumberingMetadata): string[] {
  return Object.entries(metadata.country_calling_codes).map(([code, countries]) => {
    const lengths: number[] = [];
    const ordinary: Pattern[] = [];
    const costly = new Set<string>();
    for (const country of countries) {
      const plan = metadata.countries[country] ?? [];
      lengths.push(...(readType(plan, MOBILE)?.lengths ?? (plan[3] as readonly number[])));
      for (const type of [FIXED, MOBILE, VOIP]) ordinary.push(...expandPattern(readType(plan, type)?.pattern ?? ""));
      for (const type of [PREMIUM, SHARED_COST]) {
        for (const pattern of expandPattern(readType(plan, type)?.pattern ?? "")) addPrefixes(pattern, costly);
      }
    }
    const isOrdinary = (prefix: string) => ordinary.some((pattern) => mayBeginWith(pattern, prefix));
    const prefixes = tidyPrefixes(costly, isOrdinary);
    const zero = isOrdinary("0") ? "z" : "";
    return [code, `${Math.min(...lengths)}-${Math.max(...lengths)}${zero}`, ...prefixes].join(" ");
  });
}

function readType(plan: readonly unknown[], type: number): NumberType | undefined {
  const types = plan[11] as ReadonlyArray<readonly [string, (readonly number[])?] | 0> | undefined;
  const entry = types?.[type];
  if (entry === undefined || entry === 0 || entry[0] === undefined) return undefined;
  return { pattern: entry[0], lengths: entry[1] };
}

/** A digit sequence's distinguishing start: trailing "any digit" places say nothing. */
function addPrefixes(pattern: Pattern, into: Set<string>): void {
  let end = pattern.length;
  while (end > 0 && pattern[end - 1]?.length === 10) end -= 1;
  let prefixes = [""];
  for (const digits of pattern.slice(0, Math.min(end, PREFIX_DIGITS_MAX))) {
    prefixes = prefixes.flatMap((prefix) => Array.from(digits, (digit) => prefix + digit));
  }
  for (const prefix of prefixes) if (prefix !== "") into.add(prefix);
}

function mayBeginWith(pattern: Pattern, prefix: string): boolean {
  if (pattern.length < prefix.length) return false;
  return Array.from(prefix).every((digit, index) => pattern[index]?.includes(digit));
}

function tidyPrefixes(found: ReadonlySet<string>, isOrdinary: (prefix: string) => boolean): string[] {
  // Shorter where no ordinary number begins so: fewer to compare with, and gaps in a costly range are not open doors.
  let kept = new Set(
    Array.from(found, (prefix) => {
      const shorter = prefix.slice(0, SHORT_PREFIX_DIGITS);
      return isOrdinary(shorter) ? prefix : shorter;
    }),
  );
  for (let length = PREFIX_DIGITS_MAX; length > 1; length -= 1) kept = joinDecades(kept, length);
  return [...kept]
    .filter((prefix) => ![...kept].some((other) => other !== prefix && prefix.startsWith(other)))
    .filter((prefix) => !isOrdinary(prefix))
    .toSorted();
}

/** Ten prefixes that differ in their last digit only are one shorter prefix. */
function joinDecades(prefixes: ReadonlySet<string>, length: number): Set<string> {
  const joined = new Set(prefixes);
  const decades = Map.groupBy(
    [...prefixes].filter((prefix) => prefix.length === length),
    (prefix) => prefix.slice(0, -1),
  );
  for (const [start, members] of decades) {
    if (members.length < 10) continue;
    for (const member of members) joined.delete(member);
    joined.add(start);
  }
  return joined;
}

/** Expands the subset of regular expressions that the metadata uses: digits, \d, sets, groups, |, ?, {n} and {n,m}. */
export function expandPattern(source: string): Pattern[] {
  const scanner = { source, index: 0 };
  return source === "" ? [] : readAlternatives(scanner);
}

type Scanner = {
  readonly source: string;
  index: number;
};

function readAlternatives(scanner: Scanner): Pattern[] {
  const found = readSequence(scanner);
  while (scanner.source[scanner.index] === "|") {
    scanner.index += 1;
    found.push(...readSequence(scanner));
  }
  return found;
}

function readSequence(scanner: Scanner): Pattern[] {
  let found: Pattern[] = [[]];
  while (scanner.index < scanner.source.length && !"|)".includes(scanner.source[scanner.index] ?? "")) {
    found = join(found, readQuantity(scanner, readAtom(scanner)));
  }
  return found;
}

function readAtom(scanner: Scanner): Pattern[] {
  const { source } = scanner;
  if (source.startsWith("(?:", scanner.index)) {
    scanner.index += 3;
    const group = readAlternatives(scanner);
    scanner.index += 1;
    return group;
  }
  if (source.startsWith("\\d", scanner.index)) {
    scanner.index += 2;
    return [["0123456789"]];
  }
  if (source[scanner.index] === "[") {
    const end = source.indexOf("]", scanner.index);
    const digits = Array.from("0123456789").filter((digit) =>
      new RegExp(source.slice(scanner.index, end + 1)).test(digit),
    );
    scanner.index = end + 1;
    return [[digits.join("")]];
  }
  const digit = source[scanner.index] ?? "";
  if (!/^\d$/.test(digit)) throw new Error(`cannot expand ${source} at ${scanner.index}`);
  scanner.index += 1;
  return [[digit]];
}

function readQuantity(scanner: Scanner, atom: Pattern[]): Pattern[] {
  const quantity = /^(?:\?|\{(\d+)(?:,(\d+))?\})/.exec(scanner.source.slice(scanner.index));
  if (quantity === null) return atom;
  scanner.index += quantity[0].length;
  const least = Number(quantity[1] ?? 0);
  const most = quantity[1] === undefined ? 1 : Number(quantity[2] ?? least);
  const found: Pattern[] = [];
  let repeated: Pattern[] = [[]];
  for (let count = 0; count <= most; count += 1) {
    if (count >= least) found.push(...repeated);
    repeated = join(repeated, atom);
  }
  return found;
}

function join(starts: readonly Pattern[], ends: readonly Pattern[]): Pattern[] {
  return starts.flatMap((start) => ends.map((end) => [...start, ...end]));
}
