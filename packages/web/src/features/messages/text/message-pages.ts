import type { PageRule } from "@ewebal/contract";
import { countCharacters, limits, segmentText } from "@ewebal/contract/rules";

/**
 * Cuts a text where a new page begins to be charged.
 *
 * @returns the pages; joined, they are the text. None for an empty text.
 */
export function cutPages(text: string, rule: PageRule): string[] {
  if (rule === "gsm") return segmentText(text).parts;
  const characters = Array.from(text);
  return Array.from({ length: Math.ceil(characters.length / limits.pageCharacters) }, (_, pageIndex) =>
    characters.slice(pageIndex * limits.pageCharacters, (pageIndex + 1) * limits.pageCharacters).join(""),
  );
}

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
