import { formatCount } from "../../../lib/texts/format.ts";

type Counted = {
  valid: { length: number };
  wrongCount: number;
};

/** What is still needed of numbers before they can be added, in words for "Still needed: ...". */
export function missingNumbers({ valid, wrongCount }: Counted, onlyGood: boolean): string[] {
  if (valid.length === 0) return [wrongCount === 0 ? "phone numbers" : "a right number"];
  if (wrongCount === 0 || onlyGood) return [];
  return [
    wrongCount === 1
      ? "1 number put right, or your choice to add the good ones"
      : `${formatCount(wrongCount)} numbers put right, or your choice to add the good ones`,
  ];
}
