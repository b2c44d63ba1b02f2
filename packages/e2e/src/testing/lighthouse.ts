/**
 * Lighthouse on a phone, as its defaults have it: a slow 4G line and a slow processor, both computed from what was traced.
 * The phone is the same on every machine: how many times slower it is than the machine follows from how fast that one is.
 */
import { rm } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import lighthouse from "lighthouse";
import { pageFunctions } from "lighthouse/core/lib/page-functions.js";
import { chromium, type BrowserContext } from "playwright-core";
import { findBrowser } from "../../../../tools/find-browser.ts";
import { findFreePort } from "@ewebal/embedded-postgres";
import { makeDataDir } from "./product.ts";

export const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
export type Category = (typeof categories)[number];

/** Pages behind a sign-in are no matter of search engines, and `pages.test.ts` asks axe, as Lighthouse does, about each of them. */
const signedInCategories: readonly Category[] = ["performance", "best-practices"];

export type PageReport = {
  path: string;
  /** 0 to 100. */
  scores: Record<Category, number>;
  /** Audits of the exact categories that did not pass, one line each. */
  findings: string[];
  firstPaintMs: number;
  largestPaintMs: number;
  blockingMs: number;
  /** Of the page while it loads, 0 when nothing moves. */
  layoutShift: number;
  /** Which elements moved, as Lighthouse describes them. */
  shifts: string;
  /** How fast the machine computed before this page and before the page before it, the slower of the two. Lighthouse's own unit: 300 is a crowded machine, 1,500 a quiet one. */
  machineIndex: number;
  /** How long the machine takes to draw `DRAWN_ROWS`, the longer of before and after. */
  drawingMs: number;
  /** How many times slower than the machine the phone was taken to be. */
  slowdown: number;
  /** Programs that wanted each processor, over the last minute. */
  loadPerProcessor: number;
};

/**
 * The phone that the budgets are judged for, in the unit of `machineIndex`: what Lighthouse's own factor makes of a quiet machine
 * of 2026 with 3,000. Chromium's own calibration (CalibrationController.ts) gives 264 to a cheap phone and 1,000 to a middling one.
 */
const PHONE_INDEX = 750;

/** `machineIndex` says how fast a machine computes; on some virtual ones each new page of memory costs so much that drawing is ten times slower than that. */
const DRAWN_ROWS = 5_000;

type Machine = { index: number; drawingMs: number };

/** A browser that Lighthouse can reach, with a profile that is kept between the pages. */
export type Auditor = {
  context: BrowserContext;
  /**
   * Each page is a first visit: nothing of it is in the browser's cache.
   *
   * @param isSignedIn whether cookies and storage stay as they are. @throws Error when the page cannot be measured at all.
   */
  audit: (path: string, isSignedIn?: boolean) => Promise<PageReport>;
  close: () => Promise<void>;
};

/** @param baseUrl what addresses of the profile's own pages, such as `/login`, begin with. */
export async function openAuditor(baseUrl: string): Promise<Auditor> {
  const port = await findFreePort();
  const folder = await makeDataDir("ewebal-lighthouse-");
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: findBrowser() ?? "",
    chromiumSandbox: false,
    baseURL: baseUrl,
    args: [
      "--headless",
      "--disable-gpu",
      // The page before has no process of its own then, which is ending when a recording ends: each waited five seconds for its answer.
      "--renderer-process-limit=1",
      "--no-first-run",
      "--disable-background-networking",
      `--remote-debugging-port=${port}`,
    ],
  });
  // Each page is slowed down by what was measured with the page before it.
  let machine: Machine | undefined;
  return {
    context,
    audit: async (path, isSignedIn = false) => {
      await emptyCache(context);
      const before = machine ?? { index: await measureIndex(context), drawingMs: await measureDrawing(context) };
      const slowdown = Math.max(1, before.index / PHONE_INDEX);
      const report = await auditPage(baseUrl + path, { port, isSignedIn, slowdown });
      machine = { index: report.machineIndex, drawingMs: await measureDrawing(context) };
      return {
        ...report,
        path,
        slowdown,
        machineIndex: Math.min(before.index, machine.index),
        drawingMs: Math.max(before.drawingMs, machine.drawingMs),
      };
    },
    close: async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Result = NonNullable<Awaited<ReturnType<typeof lighthouse>>>["lhr"];

/**
 * On a crowded machine the browser sometimes drops the beginning of its trace. Nothing was measured then, and nothing is
 * judged: the page is recorded anew. What a page scores is taken from its first whole recording.
 */
const recordingsMax = 3;

type Visit = { port: number; isSignedIn: boolean; slowdown: number };

async function record(url: string, { port, isSignedIn, slowdown }: Visit): Promise<Result> {
  for (let recording = 1; ; recording += 1) {
    const result = await lighthouse(url, {
      port,
      output: "json",
      logLevel: "silent",
      onlyCategories: [...(isSignedIn ? signedInCategories : categories)],
      disableStorageReset: isSignedIn,
      // A picture of each element with a finding; the findings are told in words.
      disableFullPageScreenshot: true,
      throttling: { cpuSlowdownMultiplier: slowdown },
    });
    const fault = result === undefined ? "no result" : result.lhr.runtimeError?.code;
    if (result !== undefined && fault === undefined) return result.lhr;
    if (fault !== "NO_NAVSTART" || recording === recordingsMax) throw new Error(`${url} was not measured: ${fault}`);
  }
}

async function auditPage(url: string, visit: Visit): Promise<Omit<PageReport, "path" | "slowdown" | "drawingMs">> {
  const lhr = await record(url, visit);
  const scoreOf = (category: Category): number => Math.round((lhr.categories[category]?.score ?? 0) * 100);
  const figureOf = (audit: string): number => lhr.audits[audit]?.numericValue ?? Number.NaN;
  const exact = categories
    .filter((category) => category !== "performance")
    .flatMap((category) => lhr.categories[category]?.auditRefs ?? []);
  return {
    scores: Object.fromEntries(categories.map((category) => [category, scoreOf(category)])) as Record<Category, number>,
    findings: exact.flatMap(({ id, weight }) => {
      const audit = lhr.audits[id];
      return audit === undefined || audit.score === null || audit.score === 1 || weight === 0
        ? []
        : [`${id}: ${audit.title} ${audit.displayValue ?? ""}`];
    }),
    firstPaintMs: figureOf("first-contentful-paint"),
    largestPaintMs: figureOf("largest-contentful-paint"),
    blockingMs: figureOf("total-blocking-time"),
    layoutShift: figureOf("cumulative-layout-shift"),
    shifts: JSON.stringify(lhr.audits["layout-shifts"]?.details ?? null),
    machineIndex: lhr.environment.benchmarkIndex,
    loadPerProcessor: (loadavg()[0] ?? 0) / availableParallelism(),
  };
}

async function emptyCache(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.clearBrowserCache");
  await page.close();
}

/** The same loop that Lighthouse runs before it measures a page, which takes a second. */
async function measureIndex(context: BrowserContext): Promise<number> {
  const page = await context.newPage();
  const index = await page.evaluate<number>(`(${pageFunctions.computeBenchmarkIndex.toString()})()`);
  await page.close();
  return index;
}

/** Drawing, which that loop leaves out. */
async function measureDrawing(context: BrowserContext): Promise<number> {
  const page = await context.newPage();
  const drawingMs = await page.evaluate((rowCount) => {
    const startedAt = performance.now();
    const list = document.createElement("div");
    for (let row = 0; row < rowCount; row += 1) {
      const line = document.createElement("p");
      line.textContent = `row ${row}`;
      list.append(line);
    }
    document.body.append(list);
    list.getBoundingClientRect();
    return performance.now() - startedAt;
  }, DRAWN_ROWS);
  await page.close();
  return drawingMs;
}
