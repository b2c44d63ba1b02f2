/** Every page, as it is found by its address: light and dark, on a laptop and on the smallest phone. */
import { pagePaths } from "@ewebal/contract";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { createBrowserTest, viewports, type ColorScheme, type ViewportName } from "./testing/browser.ts";
import { expectSoundPage, settle, takePicture } from "./testing/page-checks.ts";
import { signInAdmin, signInCustomer } from "./testing/sign-in-by-hand.ts";

const test = createBrowserTest();
const colorSchemes: readonly ColorScheme[] = ["light", "dark"];
const viewportNames = Object.keys(viewports) as ViewportName[];

async function expectSoundInEveryLook(page: Page, name: string): Promise<void> {
  for (const viewport of viewportNames) {
    await page.setViewportSize(viewports[viewport]);
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      await settle(page);
      await takePicture(page, `${name} ${viewport} ${colorScheme}`);
      await expectSoundPage(page);
    }
  }
}

function nameOf(path: string): string {
  return path === "/" ? "home" : path.slice(1).replaceAll("/", " ").replaceAll(":", "");
}

describe("pages before sign-in", () => {
  test.for(pagePaths.filter((path) => !path.includes("dashboard") && !path.includes(":")))("%s", async (path, { visit }) => {
    const { page } = await visit();
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(200);
    await expectSoundInEveryLook(page, nameOf(path));
    expect(new URL(page.url()).pathname).toBe(path);
  });
});

describe("pages of a customer", () => {
  test("x", async ({ visit, product }) => {
    const { page } = await visit();
    await signInCustomer(page, product.demo.customer);
    for (const path of ["/user-dashboard", "/user-dashboard/whitelists", "/user-dashboard/ewebal/send-sms"]) {
      await page.goto(path);
      await expectSoundInEveryLook(page, nameOf(path));
    }
  });
});
describe("pages of a admin", () => {
  test("x", async ({ visit, product }) => {
    const { page } = await visit();
    await signInAdmin(page, product.demo.admin);
    for (const path of pagePaths.filter((p) => p.startsWith("/admin-dashboard"))) {
      await page.goto(path);
      await expectSoundInEveryLook(page, nameOf(path));
    }
  });
});
