import { countParts } from "@ewebal/gsm";
import { limits } from "../../limits.ts";

export {
  type ForcingCharacter,
  measureText,
  type Measurement,
  type Segmentation,
  segmentText,
  toPlainCharacters,
} from "@ewebal/gsm";

/** `flat160`: pages of 160 characters, as specified. `gsm`: the parts that carriers send and bill. */
export type PageRule = "flat160" | "gsm";

/**
 * The one count of pages, in the browser and on the server.
 *
 * @returns pages to charge; 0 for an empty text.
 */
export function countPages(text: string, rule: PageRule): number {
  return rule === "gsm" ? countParts(text) : Math.ceil(countCharacters(text) / limits.pageCharacters);
}

/** @returns Unicode code points: an emoji outside the basic plane is one character, a letter and its mark are two. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    const isPair = (text.charCodeAt(index - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(index) & 0xfc00) === 0xdc00;
    if (isPair) count -= 1;
  }
  return count;
}
