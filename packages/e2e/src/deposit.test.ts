/**
 * A bank deposit from the slip to the units, by hand: a customer reports two of them, an administrator looks at the proof,
 * accepts one and declines the other. Both look at pages that are never reloaded.
 */
import type { DepositAnswer } from "@ewebal/contract";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { readUser, signIn } from "./testing/api-client.ts";
import { createBrowserTest } from "./testing/browser.ts";
import { expectSoundIn } from "./testing/looks.ts";
import { waitForText } from "./testing/page-checks.ts";
import { drawReceipts, type ReceiptFile } from "./testing/receipts.ts";
import { signInAdmin, signInCustomer } from "./testing/sign-in-by-hand.ts";

const test = createBrowserTest({}, "whole");

const notices = '[aria-label="Notices"]';
const main = "main";
const withinMs = 2_000;

async function report(page: Page, fields: { amount: string; tellerId: string; receipt: ReceiptFile }): Promise<void> {
  await page.getByRole("link", { name: "Buy SMS", exact: true }).first().click();
  const panel = page.locator("section", { has: page.getByRole("heading", { name: "Pay Via Bank Deposit" }) });
  await panel.getByRole("button", { name: "Fill in details" }).waitFor();
  await panel.getByLabel("Depositor's name").fill("Ada Obi");
  await panel.getByLabel("Amount deposited").fill(fields.amount);
  await panel.getByLabel("Phone number").fill("08031234567");
  await panel.getByLabel("Teller ID").fill(fields.tellerId);
  await panel.getByLabel("Transaction date").fill("2026-03-05");
  await panel.locator('input[type="file"]').setInputFiles(fields.receipt);
  await expectSoundIn(page, `deposit form ${fields.tellerId}`);
  await panel.getByRole("button", { name: "Submit Details" }).click();
  await waitForText(page, notices, "A mail was sent to management", 10_000);
  await page.waitForURL("**/user-dashboard/transactions");
}

/** Whether the browser could draw the receipt, which a wrong policy or type would stop. */
async function expectDrawn(image: Locator): Promise<void> {
  await image.scrollIntoViewIfNeeded();
  await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(480);
}

/** The browser's own viewer opens in a frame inside the receipt's; under a policy that it does not accept, there is none. */
async function expectPdfShown(page: Page): Promise<void> {
  await expect
    .poll(() => page.frames().some((frame) => frame.url().startsWith("chrome-extension://")), { timeout: 10_000 })
    .toBe(true);
}

async function openDetails(admin: Page, tellerId: string): Promise<void> {
  const row = admin.getByRole("row", { name: new RegExp(tellerId) });
  await row.getByRole("link", { name: /^More details/ }).click();
  await admin.getByRole("heading", { level: 1, name: "Transaction details" }).waitFor();
}

test("two deposits: one is accepted for half its amount, one is declined, and each side sees it at once", async ({
  visit,
  product,
  browser,
}) => {
  const { image, pdf } = await drawReceipts(browser);
  const [{ page: customer }, { page: admin }] = [await visit(), await visit()];
  await signInCustomer(customer, product.demo.customer);
  await signInAdmin(admin, product.demo.admin);

  await admin.getByRole("link", { name: "Transactions", exact: true }).click();
  await admin.getByText("There are no transactions made by any user.").waitFor();
  await expectSoundIn(admin, "admin transactions empty");

  await report(customer, { amount: "10000", tellerId: "TRF-0001", receipt: image });
  await waitForText(admin, main, "TRF-0001", withinMs);
  await report(customer, { amount: "25000", tellerId: "TRF-0002", receipt: pdf });
  await waitForText(admin, main, "TRF-0002", withinMs);
  await waitForText(customer, main, "We are checking this deposit. To withdraw it, delete it.", withinMs);
  await expectDrawn(customer.getByRole("img", { name: "Receipt of ₦10,000.00 by Ada Obi" }));
  await expectSoundIn(admin, "admin transactions");

  await openDetails(admin, "TRF-0001");
  await expectDrawn(admin.getByRole("img", { name: "Receipt of Ada Obi" }));
  await expectSoundIn(admin, "admin transaction");
  await admin.getByRole("button", { name: "Accept" }).click();
  const modal = admin.getByRole("dialog", { name: "Credit User" });
  await modal.getByLabel("Units", { exact: true }).waitFor();
  expect(await modal.getByLabel("Units", { exact: true }).inputValue()).toBe("5,000");
  await expectSoundIn(admin, "admin credit modal");
  await modal.getByRole("button", { name: "Credit User" }).click();
  await waitForText(admin, main, "Transaction Verified", withinMs);
  await waitForText(customer, main, "5,000.00 units credited", withinMs);
  await waitForText(customer, "header", "105,000.00", withinMs);
  expect(await admin.getByRole("button", { name: "Accept" }).count()).toBe(0);

  await admin.getByRole("link", { name: "All transactions" }).click();
  await openDetails(admin, "TRF-0002");
  await expectPdfShown(admin);
  await expectSoundIn(admin, "admin transaction pdf");
  await admin.getByRole("button", { name: "Decline" }).click();
  const dialog = admin.getByRole("dialog", { name: "About to decline transaction?" });
  await dialog.getByText("A Mail will be sent to the user about declination").waitFor();
  await expectSoundIn(admin, "admin decline");
  await dialog.getByLabel("Reason (optional)").fill("There is no such transfer in the account");
  await dialog.getByRole("button", { name: "Proceed" }).click();
  await waitForText(admin, main, "Transaction Declined", withinMs);
  await waitForText(customer, main, "There is no such transfer in the account", withinMs);
  await expectSoundIn(customer, "transactions");

  await customer.getByRole("button", { name: "Delete ₦25,000.00 by Ada Obi" }).click();
  await customer.getByRole("button", { name: "Proceed" }).click();
  await waitForText(customer, notices, "Deleted Successfully", withinMs);
  await expect.poll(() => customer.getByText("₦25,000.00").count()).toBe(0);

  const client = await signIn(product, product.demo.customer);
  expect(await readUser(client)).toMatchObject({ units: 105_000, counts: { transfers: 1 } });
  const { body } = await client.call<{ data: DepositAnswer[] }>("GET", `/api/${client.actorId}/user-transfer-details`);
  expect(body.data).toMatchObject([{ tellerId: "TRF-0001", verified: true, creditedUnits: 5_000 }]);
  const { body: statement } = await client.call<{ data: { cause: string; units: number; reference: string }[] }>(
    "GET",
    `/api/${client.actorId}/statement?limit=1`,
  );
  expect(statement.data).toMatchObject([{ cause: "deposit", units: 5_000, reference: body.data[0]?._id }]);
});
