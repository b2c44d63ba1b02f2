/**
 * How soon two windows of one customer show what has changed: both at once, and neither behind the other for longer than a moment. What else
 * they show stands in windows-agree.test.ts.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { createBrowserTest } from "./testing/browser.ts";
import { waitUntilDrawn } from "./testing/measure-push.ts";
import { settle } from "./testing/page-checks.ts";
import { changes, openBoth, openShop, type Change, type Shop } from "./testing/two-windows.ts";

const test = createBrowserTest();

/** The promise is 100 ms on a machine that is not busy; the figures are printed, and these bounds hold on one that is. */
const boundMs = 1_500;
const medianBoundMs = 250;
const rounds = 5;
/** What a change sets in motion would be measured with the next one; a message is sent and reported meanwhile. */
const betweenRoundsMs = 200;
const afterMessageMs = 1_500;

type Times = { disagreedMs: number; sinceRequestMs: number; sinceAnswerMs: number };

/** The commit lies between the request and the answer; all of them run on this machine's clock. */
async function measure(
  windows: readonly Page[],
  shop: Shop,
  { selector, make, text }: Change,
  round: number,
): Promise<Times> {
  const drawn = Promise.all(windows.map((window) => waitUntilDrawn(window, selector, text(round))));
  const requestedAt = Date.now();
  const { status } = await make(shop, text(round));
  const answeredAt = Date.now();
  expect(status).toBeLessThan(300);
  const times = await drawn;
  const last = Math.max(...times);
  return {
    disagreedMs: last - Math.min(...times),
    sinceRequestMs: last - requestedAt,
    sinceAnswerMs: last - answeredAt,
  };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function inWords(values: readonly number[]): string {
  return `median ${medianOf(values)} ms, worst ${Math.max(...values)} ms`;
}

test("two windows of one customer show units, drafts, catalogs and history at the same time, without a reload", async ({
  visit,
  product,
}) => {
  const shop = await openShop(product);
  const windows = await openBoth(visit, shop.customer);
  for (const change of changes) {
    for (const window of windows) {
      await window.goto(change.path);
      await settle(window);
    }
    const times: Times[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      times.push(await measure(windows, shop, change, round));
      await sleep(change.what === "history" ? afterMessageMs : betweenRoundsMs);
    }
    const disagreed = times.map(({ disagreedMs }) => disagreedMs);
    const sinceAnswer = times.map(({ sinceAnswerMs }) => sinceAnswerMs);
    const sinceRequest = times.map(({ sinceRequestMs }) => sinceRequestMs);
    process.stdout.write(
      `Two windows, ${change.what}: disagreed for ${inWords(disagreed)}; both drawn after the answer ${inWords(sinceAnswer)}, after the request ${inWords(sinceRequest)}\n`,
    );
    for (const [what, values] of [
      [`how long the windows disagreed about ${change.what}`, disagreed],
      [`how long ${change.what} took to both screens`, sinceAnswer],
    ] as const) {
      expect(medianOf(values), what).toBeLessThan(medianBoundMs);
      expect(Math.max(...values), what).toBeLessThan(boundMs);
    }
  }
});
