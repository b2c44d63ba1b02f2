/**
 * Links in texts: `{{link:https://...}}` becomes a short link, and a text may end in a link by which its recipient opts out. Each recipient gets
 * codes of its own, all of one length, so that a text costs the same for everybody. Pure; the browser counts with the same functions.
 */
import { personalLimits } from "./personal-limits.ts";

/** As long as every code, and of letters and digits alike: what a price is counted with before there are codes. */
export const PLACEHOLDER_CODE = "0".repeat(personalLimits.linkCodeCharacters);

/** @param publicUrl without a slash at its end. */
export function shortLink(publicUrl: string, code: string = PLACEHOLDER_CODE): string {
  return `${publicUrl}/l/${code}`;
}

/** What a text with an opt-out link ends in. */
export function optOutEnding(publicUrl: string, code: string = PLACEHOLDER_CODE): string {
  return `\nSTOP: ${publicUrl}/o/${code}`;
}

/** What is short already, or else a long link: up to a blank, a brace or a quote; a full stop or bracket behind it belongs to the sentence. */
const EITHER = /\{\{\s*link:[^{}]*\}\}|(https?:\/\/[^\s{}<>"]*[^\s{}<>".,;:!?)\]'])/gi;
const SHORT = /\{\{\s*link:([^{}]*)\}\}/g;

/** How many links a text has, long or short. */
export function countLinks(text: string): number {
  return [...text.matchAll(EITHER)].length;
}

/** Whether there are links, and none that is sent as it is written. */
export function isEachShort(text: string): boolean {
  const links = [...text.matchAll(EITHER)];
  return links.length > 0 && links.every(([, long]) => long === undefined);
}

export function shortenLinks(text: string): string {
  return text.replaceAll(EITHER, (link: string, long?: string) => (long === undefined ? link : `{{link:${link}}}`));
}

export function writeOutLinks(text: string): string {
  return text.replaceAll(SHORT, (_, target: string) => target.trim());
}
