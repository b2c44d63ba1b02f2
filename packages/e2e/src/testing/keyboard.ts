/** A person without a mouse. */
import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";
import { waitUntil } from "./product.ts";

const tabsMax = 60;

/** Presses Tab until the focus is there, and sees to it that whoever looks can tell where it is. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressed = 0; pressed < tabsMax; pressed += 1) {
    await page.keyboard.press("Tab");
    if (await hasFocus(target)) {
      await expectVisibleFocus(target);
      return;
    }
  }
  throw new Error(`The focus did not reach ${String(target)} within ${tabsMax} tabs`);
}

export async function expectFocus(target: Locator): Promise<void> {
  await waitUntil(() => hasFocus(target), `the focus on ${String(target)}`, { withinMs: 5_000 });
}

async function hasFocus(target: Locator): Promise<boolean> {
  return (await target.count()) > 0 && (await target.evaluate((element) => element === document.activeElement));
}

/** A ring, or a border of another colour, also round what the field stands in. */
async function expectVisibleFocus(target: Locator): Promise<void> {
  const look = (): Promise<string> =>
    target.evaluate((element) => {
      const around = [element, element.parentElement, element.parentElement?.parentElement];
      return around
        .map((box) =>
          box instanceof Element
            ? [getComputedStyle(box).outline, getComputedStyle(box).boxShadow, getComputedStyle(box).borderColor].join()
            : "",
        )
        .join();
    });
  const focused = await look();
  await target.evaluate((element) => (element as HTMLElement).blur());
  const blurred = await look();
  await target.focus();
  expect(focused, `how ${String(target)} looks with the focus`).not.toBe(blurred);
}

export type Stop = { name: string; topPx: number; leftPx: number; isInMain: boolean };

/** Presses Tab so many times. @returns where the focus stood in turn, by the names that a screen reader says. */
export async function readStops(page: Page, count: number): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let pressed = 0; pressed < count; pressed += 1) {
    await page.keyboard.press("Tab");
    stops.push(
      await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement;
        const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText;
        const { top, left } = element.getBoundingClientRect();
        return {
          name: name.replaceAll(/\s+/g, " ").trim(),
          topPx: top + scrollY,
          leftPx: left,
          isInMain: element.closest("main") !== null,
        };
      }),
    );
  }
  return stops;
}
