/** The four looks that every page and dialog must be sound in: light and dark, on a laptop and on the smallest phone. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { viewports, type ColorScheme, type ViewportName } from "./browser.ts";
import { expectSoundPage, keepsPictures, settle, takePicture } from "./page-checks.ts";
import { waitUntil } from "./product.ts";

export type Look = { viewport: ViewportName; colorScheme: ColorScheme };

/** One width after the other: a page that gets wider or narrower is laid out anew. */
const everyLook: readonly Look[] = [
  { viewport: "wide", colorScheme: "light" },
  { viewport: "wide", colorScheme: "dark" },
  { viewport: "narrow", colorScheme: "dark" },
  { viewport: "narrow", colorScheme: "light" },
];

/** Each width and each colour once: what breaks a page comes with the width, what hides a word with the colours. */
export const bothLooks: readonly Look[] = [
  { viewport: "wide", colorScheme: "light" },
  { viewport: "narrow", colorScheme: "dark" },
];

/** The other two: half of the pages are seen in these, so that what they share (frame, tables, forms, buttons) is seen in all four. */
const otherLooks: readonly Look[] = [
  { viewport: "wide", colorScheme: "dark" },
  { viewport: "narrow", colorScheme: "light" },
];

/**
 * Settles, keeps a picture, and expects no findings, nothing to scroll sideways and no word in two parts, in each of the looks; the
 * page is left in the first of them.
 */
export async function expectSoundIn(page: Page, name: string, looks: readonly Look[] = bothLooks): Promise<void> {
  await expectSoundInEach(page, name, looks);
  if (looks.length > 1) await showIn(page, looks[0] as Look);
}

/**
 * The same in each width and each colour once, beginning with the width that the page has; it is left in the other one. Where pictures
 * are kept, in all four.
 */
export async function expectSoundInTurn(page: Page, name: string): Promise<void> {
  const pair = name.length % 2 === 0 ? bothLooks : otherLooks;
  const looks = keepsPictures() ? everyLook : pair;
  const isWide = page.viewportSize()?.width === viewports.wide.width;
  await expectSoundInEach(page, name, isWide ? looks : looks.toReversed());
}

async function expectSoundInEach(page: Page, name: string, looks: readonly Look[]): Promise<void> {
  let earlier: Look | undefined;
  for (const look of looks) {
    const { viewport, colorScheme } = look;
    await showIn(page, look);
    await settle(page);
    await takePicture(
      page,
      `${name} ${viewport} ${colorScheme}`,
      (await page.getByRole("dialog").first().isVisible()) ? "screen" : "whole page",
    );
    const isNewWidth = viewport !== earlier?.viewport;
    await expectSoundPage(page, isNewWidth ? "every rule" : "colours");
    // A number, a mail or a name in two parts is read as two.
    if (isNewWidth)
      expect(await page.evaluate(findMaimedWords), `words that are broken or cut, ${name} ${viewport}`).toEqual([]);
    earlier = look;
  }
}

/** The page takes the device's colours a moment after the device; in between, half of it has the other ones. */
async function showIn(page: Page, { viewport, colorScheme }: Look): Promise<void> {
  if (page.viewportSize()?.width !== viewports[viewport].width) await page.setViewportSize(viewports[viewport]);
  await page.emulateMedia({ colorScheme });
  const isShown = (): Promise<boolean> =>
    page.evaluate(
      (wanted) => (document.documentElement.dataset["mantineColorScheme"] ?? wanted) === wanted,
      colorScheme,
    );
  await waitUntil(isShown, colorScheme);
}

/**
 * Runs in the page. A word breaks at a hyphen or a stroke only when it has no digit, and a mail after its @ only when it is a long
 * one. What nobody reads out may break anywhere: ids, addresses of pages, and words that are longer than the page (or a mail's
 * article) is wide. What is cut on purpose says so: `cut` for one line of a longer text, a line clamp for several.
 */
function findMaimedWords(): string[] {
  const found = new Set<string>();
  const frame = document.querySelector("[role=dialog]") ?? document.querySelector("main") ?? document.body;
  const roomPx = frame.getBoundingClientRect().width - 64;
  const notText =
    "script, style, textarea, select, option, pre, code, svg, .cut, .visually-hidden, .outline, [aria-hidden=true]";
  const isClamped = (element: Element): boolean =>
    getComputedStyle(element).webkitLineClamp !== "none" ||
    (element.parentElement !== null && getComputedStyle(element.parentElement).webkitLineClamp !== "none");
  const note = (what: string, word: string, element: Element): void => {
    const place = element.closest("table, dl, ul, form, header, nav, section, main") ?? element;
    const name = place.getAttribute("aria-label") ?? place.querySelector("caption, h1, h2, h3")?.textContent ?? "";
    found.add(
      `${what}: "${word.trim().slice(0, 60)}" in ${element.tagName.toLowerCase()}.${element.className} of ${place.tagName.toLowerCase()} ${name}`,
    );
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent ?? "";
    if (element === null || text.trim() === "" || element.closest(notText) !== null || isClamped(element)) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    for (const { 0: word, index } of text.matchAll(/\S+/g)) {
      if (/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\/\S*\//.test(word)) continue;
      const article = element.closest("article")?.firstElementChild;
      if (article !== null && article !== undefined) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const widthPx = [...range.getClientRects()].reduce((sum, { width }) => sum + width, 0);
        if (widthPx > article.clientWidth) continue;
      }
      const isMail = word.includes("@");
      const parts =
        isMail && word.length > 28 ? word.split(/(?<=@)/) : /[0-9@]/.test(word) ? [word] : word.split(/(?<=[-–—/])/);
      let start = index;
      for (const part of parts) {
        range.setStart(node, start);
        range.setEnd(node, start + part.length);
        start += part.length;
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
        const lines = new Set(boxes.map(({ top }) => Math.round(top / 4)));
        const widthPx = boxes.reduce((sum, { width }) => sum + width, 0);
        if (lines.size > 1 && widthPx <= roomPx) note("broken", part, element);
      }
    }
  }

  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    if (element.closest(notText) !== null || isClamped(element) || element.clientWidth <= 1) continue;
    if ((element.textContent ?? "").trim() === "" || element.scrollWidth <= element.clientWidth + 1) continue;
    const style = getComputedStyle(element);
    if (style.overflowX === "visible" || style.display === "inline") continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    note("cut", element.innerText, element);
  }
  return [...found];
}
