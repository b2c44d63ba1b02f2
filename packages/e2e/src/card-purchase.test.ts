/**
 * Buying units by card, by hand, in the built-in sandbox: paying, a card that is declined, leaving without paying, and coming
 * back twice. The units on the page are exact after each.
 */
import { readFile } from "node:fs/promises";
import { formatNaira, formatUnits, instantPurchaseKobo, MILLI_PER_UNIT } from "@ewebal/contract";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { sharedBrowserTest as test } from "./testing/browser.ts";
import { expectSoundIn } from "./testing/looks.ts";
import { waitForText } from "./testing/page-checks.ts";
import { signInCustomer } from "./testing/sign-in-by-hand.ts";

/** The provider is asked, and says no: what the journey is about. */
const notPaid = /^answer 402: POST \/api\/transaction\/verify\//;
const header = "header";
async function readUnits(page: Page): Promise<number> {
  const balance = /[\d,]+\.\d\d/;
  await waitForText(page, header, balance, 15_000);
  const [text = ""] = balance.exec((await page.locator(header).textContent()) ?? "") ?? [];
  return Number(text.replaceAll(",", ""));
}

/** From the page of the two panels to the provider's checkout. @returns its address. */
async function beginPurchase(page: Page, units: number): Promise<string> {
  await page.goto("/user-dashboard/buy-sms");
  await page.getByLabel("Units", { exact: true }).fill(String(units));
  await expect
    .poll(() => page.getByLabel("Price").textContent())
    .toContain(`Total₦${formatNaira(instantPurchaseKobo(units))}`);
  await page.getByRole("button", { name: "Buy Instant Unit" }).click();
  await page.waitForURL("**/sandbox-checkout/*");
  return page.url();
}

const shown = (units: number): string => formatUnits(units * MILLI_PER_UNIT);

describe("a purchase by card", () => {
  test("500 units are bought, counted, receipted and stated", async ({ visit, product }) => {
    const { page } = await visit();
    await signInCustomer(page, product.demo.customer);
    const before = await readUnits(page);
    await beginPurchase(page, 500);
    await page.getByText("No card is asked for and no money moves.").waitFor();
    await page.getByText("NGN 657.50").waitFor();
    await expectSoundIn(page, "card checkout");
    await page.getByRole("button", { name: "Pay now", exact: true }).click();

    await page.waitForURL(/\/user-dashboard\/buy-sms\?trxref=(EWB-[\w-]+)&reference=\1$/);
    await page.getByText("Payment received").waitFor();
    await waitForText(page, header, shown(before + 500), 2_000);
    await expectSoundIn(page, "card paid");

    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Receipt", exact: true }).click();
    const receipt = await download;
    expect(receipt.suggestedFilename()).toMatch(/^receipt-EWB-[\w-]+\.pdf$/);
    const bytes = await readFile(await receipt.path());
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(bytes.subarray(-6).toString()).toContain("%%EOF");

    await page.getByRole("link", { name: "Statement of units" }).click();
    await page.getByRole("heading", { level: 1, name: "Statement" }).waitFor();
    const newest = page.getByRole("row").nth(1);
    await expect.poll(() => newest.textContent()).toMatch(/Card payment/);
    expect(await newest.textContent()).toContain(`+500.00${shown(before + 500)}`);
    await expectSoundIn(page, "statement");
  });

  test("a declined card gives nothing, and says so", async ({ visit, product }) => {
    const { page, announce } = await visit();
    announce(notPaid);
    await signInCustomer(page, product.demo.customer);
    const before = await readUnits(page);
    await beginPurchase(page, 1_000);
    await page.getByRole("button", { name: "Let the card be declined" }).click();
    await page.getByText("The card was declined.").waitFor();
    await page.getByRole("button", { name: "Leave without paying" }).click();
    await page.getByText("Not paid yet").waitFor();
    await page.getByText("Card declined").first().waitFor();
    expect(await readUnits(page)).toBe(before);
    await expectSoundIn(page, "card declined");
  });

  test("who leaves and pays later sees the units come, without a reload; coming back twice counts once", async ({
    visit,
    product,
  }) => {
    const { page, openTab, announce } = await visit();
    announce(notPaid);
    await signInCustomer(page, product.demo.customer);
    const before = await readUnits(page);
    const checkout = await beginPurchase(page, 250);
    await page.getByRole("button", { name: "Leave without paying" }).click();
    await page.getByText("Not paid yet").waitFor();
    await expectSoundIn(page, "card unpaid");

    const other = await openTab();
    await other.goto(checkout);
    await other.getByRole("button", { name: "Pay now", exact: true }).click();
    // Both pages ask about the same payment at the same time, and so does the provider's event.
    await other.getByText("Payment received").waitFor();
    await page.getByText("Payment received").waitFor();
    await waitForText(page, header, shown(before + 250), 2_000);
    await other.reload();
    await other.getByText("Payment received").waitFor();
    await other.goto(checkout);
    await other.getByText("This payment is complete.").waitFor();
    await other.getByRole("button", { name: "Go back" }).click();
    await other.getByText("Payment received").waitFor();
    expect(await readUnits(other)).toBe(before + 250);
  });
});
