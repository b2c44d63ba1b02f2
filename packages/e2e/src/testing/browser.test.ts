/** Visitors of later tests get the tabs of earlier ones; nothing that those kept may be in them. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { sharedBrowserTest as test } from "./browser.ts";

type Kept = { cookie: string; local: string | null; session: string | null; databases: number; caches: number };

/** Runs in the page. */
async function keepEverything(): Promise<void> {
  document.cookie = "kept=cookie";
  localStorage.setItem("kept", "local");
  sessionStorage.setItem("kept", "session");
  await caches.open("kept");
  await new Promise((resolve) => {
    indexedDB.open("kept").addEventListener("success", resolve);
  });
}

/** Runs in the page. */
async function readKept(): Promise<Kept> {
  return {
    cookie: document.cookie,
    local: localStorage.getItem("kept"),
    session: sessionStorage.getItem("kept"),
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
  };
}

const nothing: Kept = { cookie: "", local: null, session: null, databases: 0, caches: 0 };
const everything: Kept = { cookie: "kept=cookie", local: "local", session: "session", databases: 1, caches: 1 };
const earlierTabs: Page[] = [];

describe("one visitor after the other", () => {
  test.for(["the first", "the second", "the third"])("%s finds nothing of those before", async (_, { visit }) => {
    const { page, context, openTab } = await visit({ colorScheme: "light" });
    await page.goto("/robots.txt");
    expect(await page.evaluate(readKept)).toEqual(nothing);
    expect(await page.evaluate(() => navigator.onLine)).toBe(true);
    expect(await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches)).toBe(false);

    await page.evaluate(keepEverything);
    expect(await page.evaluate(readKept)).toEqual(everything);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.route("**/robots.txt", (route) => route.abort());
    await openTab();
    await context.setOffline(true);
    earlierTabs.push(page);
  });

  test("all of them had one tab, and the others are closed", () => {
    expect(new Set(earlierTabs).size).toBe(1);
    expect(earlierTabs[0]?.context().pages()).toHaveLength(1);
  });
});

test("a tab that a test asked for is nobody's afterwards", async ({ visit, spareTabs }) => {
  const { page } = await visit({ hasOwnTab: true });
  expect(earlierTabs).not.toContain(page);
  expect(spareTabs).not.toContain(page);
});

test("with a profile, what it holds is there", async ({ visit, product }) => {
  const { origin, hostname } = new URL(product.url);
  const cookie = {
    name: "kept",
    value: "cookie",
    domain: hostname,
    path: "/",
    expires: -1,
    httpOnly: false,
    secure: false,
    sameSite: "Lax" as const,
  };
  const profile = { cookies: [cookie], origins: [{ origin, localStorage: [{ name: "kept", value: "local" }] }] };
  for (const who of ["with a tab of an earlier visitor", "with a new tab"]) {
    const { page } = await visit({ profile });
    await page.goto("/robots.txt");
    expect(await page.evaluate(readKept), who).toEqual({ ...nothing, cookie: "kept=cookie", local: "local" });
  }
});
