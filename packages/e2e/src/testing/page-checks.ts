/** What every page must be: complete, titled, free of findings of axe, and no wider than the screen. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AxeResults, run, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { waitUntil } from "./product.ts";
import { isQuiet } from "./traffic.ts";

/** Waits until a page shows what it has to show: nothing loads, nothing moves, no place is held for what is to come. */
export async function settle(page: Page): Promise<void> {
  await waitUntil(async () => isQuiet(page) && (await page.evaluate(isDrawn)), `${page.url()} to settle`, {
    everyMs: 20,
  });
}

/** Runs in the page. */
function isDrawn(): boolean {
  const isWaiting =
    document.querySelector(".app-loader, .mantine-Skeleton-root, .mantine-Loader-root, [aria-busy=true]") !== null;
  const isMoving = document.getAnimations().some(({ playState }) => playState === "running");
  // A dialog has its name a moment after its content.
  const isNamed = [...document.querySelectorAll("[role=dialog]")].every(
    (dialog) => dialog.hasAttribute("aria-labelledby") || dialog.hasAttribute("aria-label"),
  );
  return (
    document.querySelector("h1") !== null && isNamed && !isWaiting && !isMoving && document.fonts.status === "loaded"
  );
}

/** Title, one main heading, no findings of axe, nothing to scroll sideways. */
export async function expectSoundPage(page: Page, rules?: AxeRules): Promise<void> {
  expect(await page.title()).toMatch(/\S/);
  expect(await page.locator("h1:visible").count(), "main headings").toBe(1);
  await expectNoSidewaysScroll(page);
  await expectNoAxeFindings(page, rules);
}

/** A page wider than the screen is pushed about by every swipe. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { excessPx, culprits } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    return {
      excessPx: scrollWidth - clientWidth,
      culprits: wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120)),
    };
  });
  expect(excessPx, `pixels beyond the screen's edge, by ${culprits.join("\n")}`).toBe(0);
}

/** What changes between light and dark on the same page; `every rule` is more than twice as long. */
export type AxeRules = "every rule" | "colours";

const axeScript = readFile(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** axe with its best practices. What has the colours only was seen with every rule in its other colours. */
export async function expectNoAxeFindings(page: Page, rules: AxeRules = "every rule"): Promise<void> {
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(await axeScript);
  const options: RunOptions = {
    resultTypes: ["violations"],
    // A finding is told by its HTML; finding a selector for each element would only take time.
    selectors: false,
    ...(rules === "colours" && { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }),
  };
  const { violations } = await page.evaluate(runAxe, options);
  const findings = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
  expect(findings).toEqual([]);
}

/** Runs in the page. */
async function runAxe(options: RunOptions): Promise<Pick<AxeResults, "violations">> {
  const { violations } = await (globalThis as unknown as { axe: { run: typeof run } }).axe.run(options);
  return { violations };
}

const picturesFolder = (): string => process.env["EWEBAL_PICTURES"] ?? "";

export const keepsPictures = (): boolean => picturesFolder() !== "";

/**
 * Keeps a picture for people to look at, when `EWEBAL_PICTURES` names a folder.
 * @param name without an ending.
 * @param part a whole page may be longer than the screen; its fixed parts then stand where the screen was.
 */
export async function takePicture(page: Page, name: string, part: "screen" | "whole page" = "screen"): Promise<void> {
  if (!keepsPictures()) return;
  const folder = picturesFolder();
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: part === "whole page" });
}

/** Waits until a text stands in an element of the page. @param withinMs the freshness that is promised. */
export async function waitForText(
  page: Page,
  selector: string,
  text: string | RegExp,
  withinMs: number,
): Promise<void> {
  let seen = "";
  const isThere = async (): Promise<boolean> => {
    seen = (await page.locator(selector).allTextContents()).join("\n");
    return typeof text === "string" ? seen.includes(text) : text.test(seen);
  };
  await waitUntil(isThere, `"${String(text)}" in ${selector}`, { withinMs }).catch((error: unknown) => {
    throw new Error(`${String(error)}; there stood: ${seen}`, { cause: error });
  });
}
