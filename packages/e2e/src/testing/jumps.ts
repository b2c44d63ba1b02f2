/**
 * What is on the page and moves when something else arrives: whoever was about to read or press it loses it. Answers come late
 * and one after the other here, as on a slow network, so that nothing arrives together by luck.
 */
import type { Page, Route } from "playwright-core";
import { expect } from "vitest";

/** Share of the screen times share of its way, as browsers measure it; from 0.1 on, Google calls a page unsteady. */
const SHIFT_MAX = 0.025;
const answers = /\/api\/(?!.*events)/;

/** To be called before the page is opened. */
export async function watchJumps(page: Page): Promise<void> {
  await page.addInitScript(noteShifts);
  let count = 0;
  await page.route(answers, async (route: Route) => {
    count += 1;
    await new Promise((resolve) => setTimeout(resolve, 60 + 60 * (count % 3)));
    // The page may have been left meanwhile.
    await route.continue().catch(() => undefined);
  });
}

/** To be called when the page has settled. Answers come at once from then on. */
export async function expectNoJumps(page: Page, shiftMax = SHIFT_MAX): Promise<void> {
  await page.unroute(answers);
  const shifts = await page.evaluate(() => (globalThis as unknown as NotesShifts).shifts);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(
    sum,
    `how much the page jumped:\n${shifts.map(({ value, what }) => `${value.toFixed(4)} ${what}`).join("\n")}`,
  ).toBeLessThan(shiftMax);
}

type Shift = { value: number; what: string };
type NotesShifts = { shifts: Shift[] };

/** Runs in the page. */
function noteShifts(): void {
  type Entry = PerformanceEntry & {
    value: number;
    sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
  };
  const notes = globalThis as unknown as Partial<NotesShifts>;
  // A tab that was opened before does this for each time that it was watched.
  if (notes.shifts !== undefined) return;
  const shifts: Shift[] = [];
  notes.shifts = shifts;
  const describe = ({ node, previousRect, currentRect }: Entry["sources"][number]): string =>
    `"${(node?.textContent ?? "").slice(0, 40)}" from ${previousRect.x}, ${previousRect.y} to ${currentRect.x}, ${currentRect.y}`;
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Entry[])
      shifts.push({ value, what: sources.map(describe).join("; ") });
  }).observe({ type: "layout-shift", buffered: true });
}
