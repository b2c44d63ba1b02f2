const small = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
  "thirteen",
  "fourteen",
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen",
];
const tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const groups = [
  { size: 1_000_000, name: "million" },
  { size: 1_000, name: "thousand" },
] as const;

/**
 * A whole number in English words, so that a zero too many is heard: `one thousand five hundred and one`.
 *
 * @param number 0 to 999,999,999.
 */
export function numberInWords(number: number): string {
  if (!Number.isInteger(number) || number < 0 || number >= 1_000_000_000)
    throw new RangeError(`${number} has no words here`);
  if (number === 0) return "zero";
  const parts: string[] = [];
  let rest = number;
  for (const { size, name } of groups) {
    if (rest >= size) parts.push(`${belowThousand(Math.trunc(rest / size))} ${name}`);
    rest %= size;
  }
  if (rest > 0) parts.push(parts.length > 0 && rest < 100 ? `and ${belowThousand(rest)}` : belowThousand(rest));
  return parts.join(" ");
}

function belowThousand(number: number): string {
  const hundreds = Math.trunc(number / 100);
  const rest = number % 100;
  if (hundreds === 0) return belowHundred(rest);
  return rest === 0 ? `${small[hundreds]} hundred` : `${small[hundreds]} hundred and ${belowHundred(rest)}`;
}

function belowHundred(number: number): string {
  if (number < 20) return small[number] ?? "";
  const unit = number % 10;
  return unit === 0 ? (tens[Math.trunc(number / 10)] ?? "") : `${tens[Math.trunc(number / 10)]}-${small[unit]}`;
}
