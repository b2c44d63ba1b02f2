/**
 * The browser of the tests: one Chromium and one product for each test file or process, and visitors who watch everything that a page
 * complains of. A console error, an uncaught error, a failed request or an answer from 400 up fails the test, unless the
 * test announced it.
 */
import {
  chromium,
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  type Dialog,
  type Page,
  type Request,
  type Response,
  type WebError,
} from "playwright-core";
import { test as base, type TestAPI } from "vitest";
import { findBrowser, type BrowserKind } from "../../../../tools/find-browser.ts";
import { removeProduct, startProduct, type Product, type ProductSettings } from "./product.ts";
import { watchTraffic } from "./traffic.ts";

/** A laptop and the smallest phone that we promise to serve, in CSS pixels. */
export const viewports = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } } as const;

export type ViewportName = keyof typeof viewports;
export type ColorScheme = "light" | "dark";

export type VisitorSettings = {
  viewport?: ViewportName;
  colorScheme?: ColorScheme;
  /** What an earlier visitor's browser kept, so that they need not sign in again. */
  profile?: Profile;
  /**
   * For a test that gives the tab what cannot be taken from it again, such as a clock or a device for passkeys: the tab is a new one, and nobody
   * gets it afterwards. Every other visitor may get a tab of an earlier one, emptied.
   */
  hasOwnTab?: boolean;
};

/** Cookies and storage. */
export type Profile = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** A person with a browser profile of their own: nothing is shared with other visitors. */
export type Visitor = {
  context: BrowserContext;
  /** The first tab. */
  page: Page;
  /** Another tab of the same person. */
  openTab: () => Promise<Page>;
  /** Lets through what the test causes on purpose, such as `/^answer 404: GET \/nothing$/`; see `Problems`. */
  announce: (problem: RegExp) => void;
};

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface TaskMeta {
    /** What the pages showed when the test failed; the end of `npm test` says it. */
    seen?: string;
  }
}

export type BrowserFixtures = {
  /** Brings a visitor; the test fails afterwards if any of their pages complained. */
  visit: (settings?: VisitorSettings) => Promise<Visitor>;
  product: Product;
  browser: Browser;
  /**
   * What earlier visitors left, emptied: each the only tab of its context. A tab that has shown a page need not compile its scripts
   * again, which takes a third of the time of a visit to `/login`.
   */
  spareTabs: Page[];
};

/** Long enough for a machine that builds something beside the tests; what must be quick says so itself. */
const ACTION_TIMEOUT_MS = 15_000;

/**
 * @returns the `test` of one file.
 * @param settings of the one product that its tests share.
 * @param kind of the browser: only the whole one can show a PDF, and it takes twice as long for everything else.
 * @param scope what has one product and one browser: a file, or with `sharedBrowserTest` a process.
 */
export function createBrowserTest(
  settings: ProductSettings = {},
  kind: BrowserKind = "shell",
  scope: "file" | "worker" = "file",
): TestAPI<BrowserFixtures> {
  return base.extend<BrowserFixtures>({
    product: [
      // oxlint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
      async ({}, use) => {
        const product = await startProduct(settings);
        try {
          await use(product);
        } finally {
          await removeProduct(product);
        }
      },
      { scope },
    ],
    browser: [
      // oxlint-disable-next-line no-empty-pattern -- as above.
      async ({}, use) => {
        const browser = await launchBrowser(kind);
        try {
          await use(browser);
        } finally {
          await browser.close();
        }
      },
      { scope },
    ],
    spareTabs: [
      // oxlint-disable-next-line no-empty-pattern -- as above.
      async ({}, use) => await use([]),
      { scope },
    ],
    visit: async ({ browser, product, spareTabs, task }, use) => {
      const problems = new Problems(product.url);
      const visitors: { context: BrowserContext; hasOwnTab: boolean; unwatch: () => void }[] = [];
      try {
        await use(async (visitorSettings = {}) => {
          const { hasOwnTab = false } = visitorSettings;
          const spare = hasOwnTab ? undefined : spareTabs.pop();
          const context = spare?.context() ?? (await openContext(browser, product.url, visitorSettings));
          visitors.push({ context, hasOwnTab, unwatch: problems.watch(context) });
          if (spare === undefined) watchTraffic(context);
          else await equipTab(spare, visitorSettings);
          return {
            context,
            page: spare ?? (await context.newPage()),
            openTab: () => context.newPage(),
            announce: (problem) => problems.announce(problem),
          };
        });
      } finally {
        const isFailed = task.result?.state === "fail";
        if (isFailed)
          task.meta.seen = (await Promise.all(visitors.map(({ context }) => describePages(context)))).join("\n");
        for (const { context, hasOwnTab, unwatch } of visitors) {
          const emptied = isFailed || hasOwnTab ? undefined : await emptyTab(context, product.url);
          unwatch();
          if (emptied === undefined) await context.close();
          else spareTabs.push(emptied);
        }
      }
      problems.assertNone();
    },
  });
}

/**
 * The `test` of files that share one product in each process. Such a file registers customers of its own, and expects nothing of the demo's accounts
 * that another file may have changed. These files run last (`vitest.config.ts`), so that their product does not stand idle while others run.
 */
export const sharedBrowserTest = createBrowserTest({}, "shell", "worker");

/**
 * Makes the first tab as it was before its visitor, and closes the others.
 *
 * @returns undefined where it cannot be used again: the test has closed it, or the product answers no more.
 */
async function emptyTab(context: BrowserContext, url: string): Promise<Page | undefined> {
  const [page, ...others] = context.pages();
  if (page === undefined) return undefined;
  await Promise.all(others.map((other) => other.close()));
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  // A page may ask whether it is really to be left.
  const leave = (dialog: Dialog): void => void dialog.accept();
  page.on("dialog", leave);
  // The tab waits on a page of ours that runs no script. A page of another origin would end the tab's process, and all compiled code with it.
  const isThere = await page.goto("/robots.txt").catch(() => undefined);
  page.off("dialog", leave);
  if (isThere === undefined) return undefined;
  const session = await context.newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin: url, storageTypes: "all" });
  await session.send("Network.clearBrowserCache");
  await session.detach();
  return page;
}

/** Gives an emptied tab what `openContext` gives a new one. */
async function equipTab(
  page: Page,
  { viewport = "wide", colorScheme = "light", profile }: VisitorSettings,
): Promise<void> {
  await page.setViewportSize(viewports[viewport]);
  await page.emulateMedia({ colorScheme, media: null, reducedMotion: "reduce", forcedColors: null });
  if (profile === undefined) return;
  await page.context().addCookies(profile.cookies);
  const kept = profile.origins.flatMap(({ localStorage }) => localStorage);
  await page.evaluate((items) => {
    for (const { name, value } of items) localStorage.setItem(name, value);
  }, kept);
}

/** @throws Error that says how to install a browser. */
async function launchBrowser(kind: BrowserKind): Promise<Browser> {
  const executablePath = findBrowser(kind);
  if (executablePath === undefined) throw new Error("There is no Chromium. `node tools/find-browser.ts` installs it.");
  const options = {
    executablePath,
    args: [
      "--headless",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  };
  // Chromium refuses to be sandboxed as root.
  if (process.getuid?.() === 0) return await chromium.launch({ ...options, chromiumSandbox: false });
  try {
    return await chromium.launch({ ...options, chromiumSandbox: true });
  } catch (error) {
    // Containers often forbid what the sandbox is made of. The pages are our own, on loopback.
    if (!String(error).includes("sandbox")) throw error;
    return await chromium.launch({ ...options, chromiumSandbox: false });
  }
}

async function openContext(
  browser: Browser,
  baseURL: string,
  { viewport = "wide", colorScheme = "light", profile }: VisitorSettings,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL,
    viewport: viewports[viewport],
    colorScheme,
    ...(profile !== undefined && { storageState: profile }),
    // Half-faded text has half the contrast; motion is honoured by the product and tested in its own right.
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "Africa/Lagos",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  return context;
}

/** What a person would have seen when the test failed: the message of a failed wait only says what was not there. */
async function describePages(context: BrowserContext): Promise<string> {
  const seen = context.pages().map(async (page) => {
    const outline = await page.locator("body").ariaSnapshot({ timeout: 2_000 }).catch(String);
    return `${page.url()} showed:\n${outline}\n`;
  });
  const text = (await Promise.all(seen)).join("\n");
  process.stdout.write(`\n${text}`);
  return text;
}

/**
 * What pages complained of, one line each:
 * `console: <text>`, `error: <text>`, `failed: <method> <path> <reason>`, `answer <status>: <method> <path>`.
 */
class Problems {
  readonly #baseUrl: string;
  readonly #lines: string[] = [];
  readonly #announced: RegExp[] = [];

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  announce(problem: RegExp): void {
    this.#announced.push(problem);
  }

  /** @returns what ends the watch. */
  watch(context: BrowserContext): () => void {
    const note = (line: string): void => {
      this.#lines.push(line);
    };
    const onConsole = (message: ConsoleMessage): void => {
      // The browser also logs each failed request; those come with method and status below.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        note(`console: ${message.text()}`);
    };
    const onError = (webError: WebError): void => note(`error: ${webError.error().stack ?? webError.error().message}`);
    const onFailure = (request: Request): void => {
      const reason = request.failure()?.errorText ?? "";
      // A page that is left, or a read that nobody needs any more, ends its requests itself.
      if (reason !== "net::ERR_ABORTED") note(`failed: ${this.#name(request)} ${reason}`);
    };
    const onAnswer = (response: Response): void => {
      if (response.status() >= 400) note(`answer ${response.status()}: ${this.#name(response.request())}`);
    };
    context.on("console", onConsole).on("weberror", onError).on("requestfailed", onFailure).on("response", onAnswer);
    return () =>
      context
        .off("console", onConsole)
        .off("weberror", onError)
        .off("requestfailed", onFailure)
        .off("response", onAnswer);
  }

  /** @throws Error that lists every problem that was not announced. */
  assertNone(): void {
    const unexpected = this.#lines.filter((line) => !this.#announced.some((pattern) => pattern.test(line)));
    if (unexpected.length > 0) throw new Error(`The pages complained:\n${unexpected.join("\n")}`);
  }

  #name(request: Request): string {
    const url = request.url();
    return `${request.method()} ${url.startsWith(this.#baseUrl) ? url.slice(this.#baseUrl.length) : url}`;
  }
}
