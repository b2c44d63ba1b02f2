/** The public pages: whole without any script, taken over without a flicker, and at work. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { publicPagePaths } from "@ewebal/contract";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { sharedBrowserTest as test, viewports } from "./testing/browser.ts";
import { expectSoundPage, settle, takePicture } from "./testing/page-checks.ts";
import { waitUntil } from "./testing/product.ts";
import { signInAdmin, signInCustomer } from "./testing/sign-in-by-hand.ts";

const words: Record<(typeof publicPagePaths)[number], string[]> = {
  "/": [
    "Reach every customer with one SMS",
    "3.00 naira",
    "Lagos, Nigeria",
    "+234 800 000 0001",
    "support@ewebal.com",
    "Register",
    "Transaction history",
  ],
  "/pricings": ["Paystack", "Ewebal Microfinance Bank", "0000000000", "₦3.00", "₦3,000.00"],
  "/pricing-rates": ["Nigeria", "+234", "3.00", "Zimbabwe", "17.50"],
  "/sms-api-page": ["/api/v1/messages", "{senderName}", "IDEMPOTENCY_CONFLICT", "API documentation"],
  "/contact-us": ["User name", "Subject", "Message", "info@ewebal.com"],
  "/register": ["Welcome and Join us by creating a free account !", "Already have an account?"],
  "/login": ["Forgot Password", "Register"],
};

describe("without JavaScript", () => {
  test.for(publicPagePaths)("%s is whole", async (path, { product, browser }) => {
    const context = await browser.newContext({
      baseURL: product.url,
      javaScriptEnabled: false,
      viewport: viewports.narrow,
    });
    const page = await context.newPage();
    expect((await page.goto(path))?.status()).toBe(200);
    for (const text of words[path]) await page.getByText(text).first().waitFor();
    expect(await page.locator("h1").count()).toBe(1);
    await context.close();
  });

  test("an address that is no page says so, and leads home", async ({ product, browser }) => {
    const context = await browser.newContext({ baseURL: product.url, javaScriptEnabled: false });
    const page = await context.newPage();
    expect((await page.goto("/nothing/here"))?.status()).toBe(404);
    await page.getByRole("link", { name: "Go to Home" }).click();
    await page.getByRole("heading", { level: 1, name: "Reach every customer" }).waitFor();
    await context.close();
  });

  test("the narrow menu opens, and leads on", async ({ product, browser }) => {
    const context = await browser.newContext({
      baseURL: product.url,
      javaScriptEnabled: false,
      viewport: viewports.narrow,
    });
    const page = await context.newPage();
    await page.goto("/");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "SMS Rates" }).click();
    await page.waitForURL("**/pricing-rates");
    await context.close();
  });
});

/** Runs in the page before anything else: notes every element that a script puts in or takes out. */
function watchElements(): void {
  // A tab that an earlier test has used does this for each of them.
  if ("noted" in globalThis) return;
  const noted: string[] = [];
  Object.assign(globalThis, { noted });
  const note = (records: MutationRecord[]): void => {
    // The parser's own work is not a script's.
    if (document.readyState === "loading") return;
    for (const { addedNodes, removedNodes } of records) {
      for (const node of [...addedNodes, ...removedNodes]) {
        if (node instanceof Element && !["LINK", "SCRIPT"].includes(node.tagName))
          noted.push(node.outerHTML.slice(0, 100));
      }
    }
  };
  document.addEventListener("DOMContentLoaded", () =>
    new MutationObserver(note).observe(document, { childList: true, subtree: true }),
  );
}

async function readNoted(page: Page): Promise<string[]> {
  return await page.evaluate(() => (globalThis as unknown as { noted: string[] }).noted);
}

describe("the browser takes over", () => {
  test.for([...publicPagePaths, "/nothing/here"])(
    "%s without a change, and brings no style sheet of its own",
    async (path, { visit, product }) => {
      const { page, announce } = await visit();
      announce(/^answer 404: GET \/nothing\/here$/);
      const html = await (await fetch(product.url + path)).text();
      await page.addInitScript(watchElements);
      await page.goto(path);
      await settle(page);
      expect(await readNoted(page)).toEqual([]);
      expect(await page.title()).toBe(/<title>(.*)<\/title>/.exec(html)?.[1]);
      const sheets = await page
        .locator("link[rel=stylesheet]")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
      expect(sheets.filter((address) => !html.includes(address))).toEqual([]);
    },
  );

  test("a reload keeps the search, and an empty result leads back", async ({ visit }) => {
    const { page } = await visit();
    await page.goto("/pricing-rates?search=ken");
    await page.getByRole("status").filter({ hasText: "of" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
    await page.getByRole("searchbox").fill("+234");
    await page.getByRole("row", { name: "Nigeria +234 3.00" }).waitFor();
    await page.getByRole("searchbox").fill("nowhere at all");
    await page.getByRole("button", { name: "Clear the search" }).last().click();
    await page.getByRole("row", { name: "Zimbabwe" }).waitFor();
  });
});

test("the calculator charges contacts x pages x the country's rate, digits only", async ({ visit }) => {
  const { page } = await visit();
  await page.goto("/pricings");
  await page.getByLabel("Contacts").fill("00250 people");
  await page.getByLabel("Pages").fill("2");
  await page.getByText("₦1,500.00").waitFor();
  expect(await page.getByLabel("Contacts").inputValue()).toBe("250");
  await page.getByLabel("Country").selectOption({ label: "Kenya (+254)" });
  await page.getByText("250 x 2 x ₦5.90").waitFor();
  await page.getByText("₦2,950.00").waitFor();
});

test("a message to the company is mailed once the form is complete", async ({ visit, product }) => {
  const { page } = await visit();
  await page.goto("/contact-us");
  const send = page.getByRole("button", { name: "Send message" });
  await page.getByText("Still needed: user name, e-mail address, subject, message").waitFor();
  await page.getByLabel("User name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByLabel("Subject").fill("Units");
  await page.getByLabel("Message").fill("How do I buy them?");
  await page.getByText("Still needed: an e-mail address that ends with .com").waitFor();
  expect(await send.getAttribute("aria-disabled")).toBe("true");
  await page.getByLabel("Email").fill("ada@example.com");
  await send.dblclick();
  await page.getByRole("heading", { name: "Message sent" }).waitFor();
  await expectSoundPage(page);
  await takePicture(page, "contact thanks");
  const mailbox = join(product.dataDir, "mailbox");
  const readMails = async (): Promise<string[]> => {
    const names = await readdir(mailbox).catch(() => []);
    const mails = await Promise.all(names.map((name) => readFile(join(mailbox, name), "utf8")));
    return mails.filter((mail) => mail.includes("Contact form: Units"));
  };
  await waitUntil(async () => (await readMails()).length === 1, "the mail");
  expect((await readMails())[0]).toMatch(/^Reply-To: ada@example\.com$/m);
});

test("a form without a network says so, and keeps what was written", async ({ visit }) => {
  const { page, context, announce } = await visit();
  announce(/^failed: POST \/api\/need-help/);
  await page.goto("/contact-us");
  await page.getByLabel("User name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Subject").fill("Units");
  await page.getByLabel("Message").fill("How do I buy them?");
  await context.route("**/api/need-help", (route) => route.abort());
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByRole("alert").getByText("No Internet Connection").waitFor();
  expect(await page.getByLabel("Message").inputValue()).toBe("How do I buy them?");
});

test("somebody who is signed in is offered the dashboard, and never the login first", async ({ visit, product }) => {
  const { page, announce } = await visit();
  announce(/^failed: GET \/assets\/\S+\.js /);
  await signInCustomer(page, product.demo.customer);
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Dashboard" }).waitFor();
  await page.locator("main").getByRole("link", { name: "Dashboard" }).waitFor();
  expect(await page.getByRole("link", { name: "Login" }).count()).toBe(0);
  await settle(page);
  await takePicture(page, "home signed in", "whole page");
  // What the document itself holds for a stranger is hidden from somebody whom this browser knows.
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.reload({ waitUntil: "domcontentloaded" });
  expect(await page.getByRole("banner").getByText("Login").isVisible()).toBe(false);
});

test("an administrator is offered their own dashboard", async ({ visit, product }) => {
  const { page } = await visit();
  await signInAdmin(page, product.demo.admin);
  await page.goto("/pricings");
  const banner = page.getByRole("banner");
  const dashboard = banner.getByRole("link", { name: "Dashboard" });
  await dashboard.waitFor();
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await listOverlaps(banner)).toEqual([]);
  await dashboard.click();
  await page.waitForURL("**/admin-dashboard");
});

/** @returns what lies over its neighbour or outside the window, of links and buttons in a row. */
async function listOverlaps(row: Locator): Promise<string[]> {
  const places = await row.locator("a:visible, button:visible").evaluateAll((elements) =>
    elements.map(
      (element) =>
        ({ name: element.ariaLabel ?? element.textContent, ...element.getBoundingClientRect().toJSON() }) as {
          name: string;
          left: number;
          right: number;
        },
    ),
  );
  return places.flatMap(({ name, right }, index) => (right > (places[index + 1]?.left ?? 320) ? [name] : []));
}

test("on a phone the menu is sound, closes with Escape and after a choice; the way back up appears", async ({
  visit,
}) => {
  const { page } = await visit({ viewport: "narrow", colorScheme: "dark" });
  await page.goto("/");
  const menu = page.getByRole("navigation", { name: "Site" });
  await page.getByRole("button", { name: "Menu" }).click();
  await menu.getByRole("link", { name: "Sms API" }).waitFor();
  await takePicture(page, "site menu");
  await expectSoundPage(page);
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Menu" }).click();
  await menu.getByRole("link", { name: "Pricing" }).click();
  await page.getByRole("heading", { level: 1, name: "Pricing" }).waitFor();
  await menu.waitFor({ state: "hidden" });
  const up = page.getByRole("button", { name: "Scroll to top" });
  expect(await up.count()).toBe(0);
  await page.mouse.wheel(0, 2_000);
  await up.click();
  await waitUntil(async () => await page.evaluate(() => window.scrollY === 0), "the top");
});

test.for(
  ["/pricings", "/pricing-rates", "/contact-us"].flatMap((path) =>
    (["narrow", "wide"] as const).map((viewport) => [path, viewport] as const),
  ),
)("nothing floats over the prices and fields of %s, %s", async ([path, viewport], { visit }) => {
  const { page } = await visit({ viewport });
  await page.goto(path);
  const chat = page.getByRole("link", { name: "Chat" });
  await chat.waitFor();
  const [mainEnd, chatTop] = await page.evaluate(() =>
    ["main", "[aria-label='Chat']"].map((selector, index) => {
      const box = document.querySelector(selector)?.getBoundingClientRect();
      return index === 0 ? box?.bottom : box?.top;
    }),
  );
  expect(chatTop).toBeGreaterThanOrEqual(mainEnd ?? Number.POSITIVE_INFINITY);
});

test("About Us is found from every page", async ({ visit }) => {
  const { page } = await visit();
  await page.goto("/pricing-rates");
  await page.getByRole("contentinfo").getByRole("link", { name: "About Us" }).click();
  await page.getByRole("heading", { name: "About Us" }).waitFor();
  await waitUntil(
    async () => await page.locator("#about").evaluate((part) => part.getBoundingClientRect().top < window.innerHeight),
    "the part about us on screen",
  );
});
