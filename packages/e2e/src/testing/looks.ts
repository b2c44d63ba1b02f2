/** The four looks that every page and dialog must be sound in: light and dark, on a laptop and on the smallest phone. */
import type { Page } from "playwright-core";
import { viewports, type ColorScheme, type ViewportName } from "./browser.ts";
import { expectSoundPage, settle, takePicture } from "./page-checks.ts";
import { waitUntil } from "./product.ts";

export type Look = { viewport: ViewportName; colorScheme: ColorScheme };

const everyLook: readonly Look[] = [
  { viewport: "wide", colorScheme: "light" },
  { viewport: "wide", colorScheme: "dark" },
  { viewport: "narrow", colorScheme: "dark" },
  { viewport: "narrow", colorScheme: "light" },
];

/**
 * Settles, keeps a picture, and expects no findings and nothing to scroll sideways, in each of the looks; the page is left in the
 * first of them.
 */
export async function expectSoundIn(page: Page, name: string, looks: readonly Look[] = everyLook): Promise<void> {
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
    await expectSoundPage(page, viewport === earlier?.viewport ? "colours" : "every rule");
    earlier = look;
  }
  if (looks[0] !== undefined && earlier !== looks[0]) await showIn(page, looks[0]);
}

/** The page takes the device's colours a moment after the device; in between, half of it has the other ones. */
async function showIn(page: Page, { viewport, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewports[viewport]);
  await page.emulateMedia({ colorScheme });
  const isShown = (): Promise<boolean> =>
    page.evaluate(
      (wanted) => (document.documentElement.dataset["mantineColorScheme"] ?? wanted) === wanted,
      colorScheme,
    );
  await waitUntil(isShown, colorScheme);
}
