/**
 * The whole main job without a mouse: signing in, composing, pasting, sending with Ctrl+Enter, opening the message, leaving. What
 * changes without the focus moving is said by live regions.
 */
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { equipCustomer, registerCustomer, signIn } from "./testing/api-client.ts";
import { sharedBrowserTest as test } from "./testing/browser.ts";
import { expectFocus, readStops, tabTo, type Stop } from "./testing/keyboard.ts";
import { expectNoAxeFindings, settle, takePicture, waitForText } from "./testing/page-checks.ts";
import { signInCustomer } from "./testing/sign-in-by-hand.ts";

const password = "a-long-enough-secret";
/** Says what is new when the reader has finished its sentence. */
const polite = '[aria-live="polite"]';
const status = '[role="status"]';
const message = "Sent without a mouse";
const moreMax = 15;

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

async function expectHeading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** Somebody who follows the focus with the eyes never looks up again within a page's own part. */
function expectDownwards(stops: readonly Stop[]): void {
  for (const [index, stop] of stops.entries()) {
    const before = stops[index - 1];
    if (before === undefined) continue;
    const isBelow = stop.topPx > before.topPx - 1;
    const isRightOf = stop.leftPx > before.leftPx && Math.abs(stop.topPx - before.topPx) < 60;
    expect(isBelow || isRightOf, `"${stop.name}" after "${before.name}"`).toBe(true);
  }
}

test("somebody without a mouse signs in, composes, pastes, sends with Ctrl+Enter, opens the message and leaves", async ({
  visit,
  product,
}) => {
  const { page } = await visit();
  const shop = await registerCustomer(product);
  await equipCustomer(product, shop, 1_000, "SHOP");

  await page.goto("/login");
  await expectHeading(page, "Login");
  await settle(page);
  const stops = await readStops(page, 8);
  const names = stops.map(({ name }) => name);
  expect(names[0]).toBe("Skip to content");
  expect(names.slice(names.indexOf("Email"))).toEqual(
    ["Email", "Password", "Show: Password", "Forgot Password", "Login"].slice(0, names.length - names.indexOf("Email")),
  );
  await page.reload();
  await expectHeading(page, "Login");
  await tabTo(page, page.getByLabel("Email"));
  await page.keyboard.type(shop.email);
  await tabTo(page, page.getByLabel("Password", { exact: true }));
  await page.keyboard.type(password);
  await press(page, "Enter");
  await expectHeading(page, "Basement");
  // The focus stands where the new page begins, not on a button that is gone.
  await expectFocus(page.locator("#main"));
  await waitForText(page, polite, /\S/, 5_000);

  await tabTo(page, page.getByRole("navigation").getByRole("link", { name: "Send SMS" }));
  await press(page, "Enter");
  await expectHeading(page, "Send SMS");
  await expectFocus(page.locator("#main"));
  await page.getByText("Approved. For another name").waitFor();
  await tabTo(page, page.getByRole("textbox", { name: "Message" }));
  await page.keyboard.type(message);
  const recipients = page.getByRole("textbox", { name: "Recipients" });
  await tabTo(page, recipients);
  await page.evaluate(() => navigator.clipboard.writeText("0803 000 0001\n+234 803 000 0002, 0803 000 0001"));
  await press(page, "Control+V");
  await waitForText(page, status, "2 recipients · 1 repeated number counts once", 5_000);

  // Two keys are pressed by mistake more easily than a button: they ask, and Escape is a "Nope".
  const dialog = page.getByRole("dialog", { name: "Send to 2 recipients?" });
  await press(page, "Control+Enter");
  await expectFocus(dialog.getByRole("button", { name: "Nope" }));
  await press(page, "Escape");
  await dialog.waitFor({ state: "hidden" });
  await expectFocus(recipients);
  await press(page, "Control+Enter");
  await expectFocus(dialog.getByRole("button", { name: "Nope" }));
  await press(page, "Enter");
  await dialog.waitFor({ state: "hidden" });
  await waitForText(page, "header", "1,000.00", 1_000);
  await expectFocus(recipients);

  await press(page, "Control+Enter");
  await expectFocus(dialog.getByRole("button", { name: "Nope" }));
  await tabTo(page, dialog.getByRole("button", { name: "Proceed" }));
  const told = waitForText(page, polite, "2 recipients, 6.00 units charged, 994.00 left", 10_000);
  await Promise.all([press(page, "Enter"), page.waitForURL("**/sms-history"), told]);

  await expectFocus(page.locator("#main"));
  const sent = page.getByRole("link", { name: message });
  await sent.waitFor();
  await tabTo(page, sent);
  await press(page, "Enter");
  await expectHeading(page, "Message from SHOP");
  await expect
    .poll(() => page.getByRole("progressbar", { name: "Done" }).getAttribute("aria-valuetext"), { timeout: 15_000 })
    .toBe("2 delivered");

  await tabTo(page, page.getByRole("button", { name: "Logout" }));
  const farewell = waitForText(page, polite, "Logged Out Successfully", 5_000);
  await Promise.all([press(page, "Enter"), page.waitForURL("**/login"), farewell]);
  await expectHeading(page, "Login");
  await expectFocus(page.locator("#main"));
});

describe("the composing page", () => {
  test("is walked through from top to bottom, each field once, without a trap", async ({ visit, product }) => {
    const { page } = await visit();
    await signInCustomer(page, product.demo.customer);
    await page.goto("/user-dashboard/ewebal/send-sms");
    await page.getByText("Approved. For another name").waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    await page.getByRole("textbox", { name: "Recipients" }).fill("08030000001");
    await page.getByRole("button", { name: "Send SMS" }).and(page.locator("[aria-disabled=false]")).waitFor();
    await page.getByRole("combobox", { name: "Country" }).focus();
    const stops = (await readStops(page, moreMax)).filter(({ isInMain }) => isInMain);
    const names = stops.map(({ name }) => name);
    expect(
      names.filter((name) =>
        ["Sender name", "Message", "Recipients", "Send later", "Send SMS", "Draft SMS"].includes(name),
      ),
    ).toEqual(["Sender name", "Message", "Recipients", "Send later", "Send SMS", "Draft SMS"]);
    expectDownwards(stops.filter(({ name }) => name !== ""));
    // Backwards the same way.
    await page.getByRole("button", { name: "Draft SMS" }).focus();
    await press(page, "Shift+Tab");
    await expectFocus(page.getByRole("button", { name: "Send SMS" }));
  });

  test("100,000 numbers on as many lines, inserted as phone keyboards do, are taken over at once", async ({
    visit,
    product,
  }) => {
    const { page } = await visit();
    await signInCustomer(page, product.demo.customer);
    await page.goto("/user-dashboard/ewebal/send-sms");
    await page.getByRole("textbox", { name: "Recipients" }).focus();
    const text = Array.from({ length: 100_000 }, (_, index) => `0803${String(index).padStart(7, "0")}`).join("\n");
    const session = await page.context().newCDPSession(page);
    const startedAt = performance.now();
    await session.send("Input.insertText", { text });
    const takenMs = Math.round(performance.now() - startedAt);
    await page.getByText("100,000 numbers pasted").waitFor();
    process.stdout.write(`100,000 numbers inserted as text: taken over after ${takenMs} ms\n`);
    // Chromium alone takes 24 s for 3,000 lines. The goal is 200 ms on a machine with nothing else to do.
    expect(takenMs).toBeLessThan(1_000);
    await page.getByText("100,000 recipients").first().waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
  });

  test("an inert button is reached, and says why it does nothing", async ({ visit, product }) => {
    const { page } = await visit();
    await signInCustomer(page, product.demo.customer);
    await page.goto("/user-dashboard/ewebal/send-sms");
    const send = page.getByRole("button", { name: "Send SMS" });
    await send.and(page.locator("[aria-disabled=true]")).waitFor();
    await page.getByRole("textbox", { name: "Recipients" }).focus();
    await tabTo(page, send);
    const hintId = (await send.getAttribute("aria-describedby")) ?? "";
    expect(await page.locator(`[id="${hintId}"]`).textContent()).toMatch(/^Still needed: .*message, recipients$/);
    await press(page, "Enter", "Control+Enter");
    expect(new URL(page.url()).pathname).toBe("/user-dashboard/ewebal/send-sms");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("a refusal is announced at once, beside the button that caused it", async ({ visit, product }) => {
    const { page, announce } = await visit();
    announce(/^answer 402: POST \/api\/[^/]+\/send-bulk-sms$/);
    const shop = await registerCustomer(product);
    await equipCustomer(product, shop, 100, "SHOP");
    const admin = await signIn(product, product.demo.admin, "admin");
    const limit = { userId: shop.actorId, code: "234", recipientsMax: 0 };
    expect(
      (await admin.call("PATCH", `/api/${admin.actorId}/set-daily-limit`, limit, { "idempotency-key": randomUUID() }))
        .status,
    ).toBe(200);
    await signInCustomer(page, { email: shop.email, password });
    await page.goto("/user-dashboard/ewebal/send-sms");
    await page.getByText("Approved. For another name").waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    const recipients = page.getByRole("textbox", { name: "Recipients" });
    await recipients.fill("08030000001");
    await tabTo(page, page.getByRole("button", { name: "Send SMS" }).and(page.locator("[aria-disabled=false]")));
    await press(page, "Enter");
    await waitForText(page, '[role="alert"]', "Your account's daily limit for numbers with 234 is reached", 10_000);
    await expectFocus(page.getByRole("button", { name: "Send SMS" }));
  });
});

describe("dialogs and keys", () => {
  test("a dialog begins in its field, holds the focus, and gives it back on Escape", async ({ visit, product }) => {
    const { page } = await visit();
    await signInCustomer(page, product.demo.customer);
    await page.goto("/user-dashboard/all-contacts");
    const opener = page.getByRole("button", { name: "Create New Catalog" });
    await opener.waitFor();
    await tabTo(page, opener);
    await press(page, "Enter");
    const dialog = page.getByRole("dialog", { name: "Create New Catalog" });
    await expectFocus(dialog.getByRole("textbox", { name: "Catalog name" }));
    for (const key of ["Tab", "Shift+Tab"]) {
      for (let step = 0; step < moreMax; step += 1) {
        await press(page, key);
        expect(
          await dialog.evaluate((element) => element.contains(document.activeElement)),
          `inside after ${key} ${step + 1} times`,
        ).toBe(true);
      }
    }
    await press(page, "Escape");
    await dialog.waitFor({ state: "hidden" });
    await expectFocus(opener);
  });

  test("Ctrl+K goes anywhere, / searches the list, ? says which keys there are", async ({ visit, product }) => {
    const { page } = await visit();
    await signInCustomer(page, product.demo.customer);
    const main = page.locator("#main");
    await press(page, "Control+K");
    const palette = page.getByRole("textbox", { name: "Go to a page" });
    await expectFocus(palette);
    await page.getByRole("dialog", { name: "Go to a page" }).waitFor();
    await expectNoAxeFindings(page);
    await takePicture(page, "palette");
    await page.keyboard.type("phoneb");
    await press(page, "Enter");
    await expectHeading(page, "Phonebook");
    await expectFocus(main);
    await page.getByRole("searchbox").waitFor();
    // As long as the palette fades away, keys are its own.
    await expect.poll(() => page.locator('[role="dialog"]').count()).toBe(0);
    await press(page, "/");
    await expectFocus(page.getByRole("searchbox"));
    await page.keyboard.type("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await main.focus();
    await page.keyboard.type("?");
    const help = page.getByRole("dialog");
    await help.getByText("Ctrl").first().waitFor();
    await takePicture(page, "keyboard help");
    await press(page, "Escape");
    await help.waitFor({ state: "hidden" });
    await press(page, "Control+K");
    await expectFocus(palette);
    await press(page, "Escape");
    await palette.waitFor({ state: "hidden" });
  });
});
