import type { PageRule } from "@ewebal/contract";
import { countCharacters, limits, segmentText } from "@ewebal/contract/rules";

export type PageMeasure = {
  pageCount: number;
  characterCount: number;
  /** What still fits on the last page, in characters (flat rule) or in units of the text's encoding. */
  freeCount: number;
  /** How full the last page is, 0 to 1. */
  lastPageShare: number;
};

export function measurePages(text: string, rule: PageRule): PageMeasure {
  const characterCount = countCharacters(text);
  if (rule === "gsm") {
    const { partCount, lengthUnits, lastPartFreeUnits, encoding } = segmentText(text);
    const joined = encoding === "gsm7" ? 153 : 67;
    const capacity = partCount > 1 ? joined : lengthUnits + lastPartFreeUnits;
    return {
      pageCount: partCount,
      characterCount,
      freeCount: lastPartFreeUnits,
      lastPageShare: 1 - lastPartFreeUnits / capacity,
    };
  }
  const pageCount = Math.ceil(characterCount / limits.pageCharacters);
  const freeCount = Math.max(pageCount, 1) * limits.pageCharacters - characterCount;
  return { pageCount, characterCount, freeCount, lastPageShare: 1 - freeCount / limits.pageCharacters };
}
