/**
 * What only several people at once show: two administrators decide one deposit, a customer is blocked while their window is
 * open, an announcement reaches an open page, one person wears both hats, and the audit log tells who did what.
 */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findLink, readUser, registerCustomer, signIn, type ApiClient } from "./testing/api-client.ts";
import { sharedBrowserTest as test, type Visitor } from "./testing/browser.ts";
import { expectNoAxeFindings, settle, takePicture, waitForText } from "./testing/page-checks.ts";
import { waitUntil, type Account, type Product } from "./testing/product.ts";
import { reportDeposit } from "./testing/report-deposit.ts";
import { signInAdmin, signInCustomer } from "./testing/sign-in-by-hand.ts";

const password = "a-long-enough-secret";
const notices = '[aria-label="Notices"]';
const main = "main";
/** What is pushed is on screen at once; what is tested here is that it comes without a reload. */
const pushedWithinMs = 5_000;

/** Registers a second administrator, as their calls do: the code of one mail, the link of the other. */
async function addAdmin(product: Product, email: string): Promise<Account> {
  const post = async (path: string, body: unknown): Promise<void> => {
    const response = await fetch(`${product.url}/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBeLessThan(300);
  };
  await post("create-admin", {
    adminName: "Second",
    adminFullName: "Second Administrator",
    email,
    contact: "8000000002",
    password,
  });
  const otp = await findLink(product, email, /^(\d{4})\r?$/m);
  await post(`${await findLink(product, email, /http\S+\/([^/\s]+)\/verify-otp/)}/verify-otp`, { otp });
  const link = await findLink(product, email, /http\S+\/([^/\s]+)\/verify-admin/);
  expect((await fetch(`${product.url}/api/${link}/verify-admin`)).status).toBe(200);
  return { email, password };
}

async function openDeposit(page: Page, tellerId: string): Promise<void> {
  await page.goto("/admin-dashboard/manage-all-transactions");
  await page
    .getByRole("row", { name: new RegExp(tellerId) })
    .getByRole("link", { name: /^More details/ })
    .click();
  await page.getByRole("button", { name: "Accept" }).waitFor();
}

async function openCustomer(product: Product, visitor: Visitor): Promise<ApiClient & { email: string }> {
  const customer = await registerCustomer(product);
  await signInCustomer(visitor.page, { email: customer.email, password });
  return customer;
}

describe("two administrators", () => {
  test("accept and decline one deposit at once: one of it happens, the other is told", async ({ visit, product }) => {
    const [owner, first, second] = [await visit(), await visit(), await visit()];
    first.announce(/^answer 409: PATCH \/api\/\S+\/(?:credit-user|declined-transaction)$/);
    const customer = await openCustomer(product, owner);
    await reportDeposit(product, { email: customer.email, password }, "TWICE-1");
    await signInAdmin(first.page, product.demo.admin);
    await signInAdmin(second.page, await addAdmin(product, "second@ewebal.com"));
    for (const { page } of [first, second]) await openDeposit(page, "TWICE-1");

    await first.page.getByRole("button", { name: "Accept" }).click();
    const modal = first.page.getByRole("dialog", { name: "Credit User" });
    await modal.getByLabel("Units", { exact: true }).waitFor();
    await second.page.getByRole("button", { name: "Decline" }).click();
    const dialog = second.page.getByRole("dialog", { name: "About to decline transaction?" });
    await dialog.getByText("A Mail will be sent to the user about declination").waitFor();
    const answers = Promise.all(
      [first, second].map(({ page }) => page.waitForResponse((response) => response.request().method() === "PATCH")),
    );
    await Promise.all([
      modal.getByRole("button", { name: "Credit User" }).click(),
      dialog.getByRole("button", { name: "Proceed" }).click(),
    ]);
    const statuses = (await answers).map((answer) => answer.status());
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409]);

    const isAccepted = statuses[0] === 200;
    const told = isAccepted ? "Transaction Verified" : "Transaction Declined";
    for (const { page } of [first, second]) {
      await waitForText(page, main, told, pushedWithinMs);
      await expect.poll(() => page.getByRole("button", { name: "Accept" }).count()).toBe(0);
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    }
    expect((await readUser(await signIn(product, { email: customer.email, password }))).units).toBe(
      isAccepted ? 5_000 : 0,
    );
    await waitForText(owner.page, "header", isAccepted ? "5,000.00" : "0.00", pushedWithinMs);
  });
});

describe("a customer whose window is open", () => {
  test("sees an announcement at once, dismisses it until it is edited, and sees it go", async ({ visit, product }) => {
    const [{ page: customer }, { page: admin }] = [await visit(), await visit()];
    await signInCustomer(customer, product.demo.customer);
    await signInAdmin(admin, product.demo.admin);
    await admin.getByRole("navigation").getByRole("link", { name: "Announcement" }).click();
    await admin.getByLabel("Hint / Subject").fill("Closed on Friday");
    await admin.getByLabel("Message").fill("We are back on Monday.");
    await admin.getByRole("button", { name: "Make Announcement" }).click();
    const card = customer.getByRole("region", { name: "Announcements" });
    await card.getByText("Closed on Friday").waitFor({ timeout: pushedWithinMs });
    await card.getByText("We are back on Monday.").waitFor();
    await settle(customer);
    await takePicture(customer, "journey announcement");

    await card.getByRole("button", { name: "Dismiss Closed on Friday" }).click();
    await card.waitFor({ state: "detached", timeout: pushedWithinMs });
    await customer.reload();
    await customer.getByRole("heading", { level: 1, name: "Basement" }).waitFor();
    await settle(customer);
    expect(await card.count()).toBe(0);

    await admin.getByRole("button", { name: "Edit Closed on Friday" }).click();
    const dialog = admin.getByRole("dialog", { name: "Edit announcement" });
    await dialog.getByLabel("Message").fill("We are back on Tuesday.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await card.getByText("We are back on Tuesday.").waitFor({ timeout: pushedWithinMs });
    await dialog.waitFor({ state: "detached" });

    await admin.getByRole("button", { name: "Clear Closed on Friday" }).click();
    await admin
      .getByRole("dialog", { name: "About to clear out announcement?" })
      .getByRole("button", { name: "Proceed" })
      .click();
    await card.waitFor({ state: "detached", timeout: pushedWithinMs });
  });

  test("is blocked: every window closes with a notice, the login refuses, and unblocking opens it again", async ({
    visit,
    product,
  }) => {
    const [visitor, { page: admin }] = [await visit(), await visit()];
    visitor.announce(/^answer 403: POST \/api\/sign-in-user$/);
    const customer = await openCustomer(product, visitor);
    const other = await visitor.openTab();
    await other.goto("/user-dashboard/whitelists");
    await other.getByRole("heading", { level: 1, name: "Whitelists" }).waitFor();
    await settle(other);

    await signInAdmin(admin, product.demo.admin);
    await admin.goto(`/admin-dashboard/manage-all-users/more-details-about-user/${customer.actorId}`);
    await admin.getByRole("button", { name: "Block user" }).click();
    const dialog = admin.getByRole("dialog", { name: "About to block user?" });
    await dialog.getByText("User won't be able to use your service").waitFor();
    await settle(admin);
    await expectNoAxeFindings(admin);
    const windows = [visitor.page, other];
    const farewells = windows.map((window) => waitForText(window, notices, "Logged Out...!", pushedWithinMs));
    await dialog.getByRole("button", { name: "Proceed" }).click();
    await Promise.all(farewells);
    for (const window of windows) await window.waitForURL("**/login");

    const { page } = visitor;
    const signInAgain = async (): Promise<void> => {
      await page.getByLabel("Email").fill(customer.email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Login", exact: true }).click();
    };
    await signInAgain();
    await waitForText(page, '[role="alert"]', "This account is blocked. Please contact support", pushedWithinMs);

    await admin.getByRole("button", { name: "Unblock user" }).click();
    await admin
      .getByRole("dialog", { name: "About to unblock user?" })
      .getByRole("button", { name: "Proceed" })
      .click();
    await admin.getByRole("button", { name: "Block user" }).waitFor();
    await signInAgain();
    await page.getByRole("heading", { level: 1, name: "Basement" }).waitFor();

    await admin.getByRole("link", { name: "What administrators did" }).click();
    const log = admin.getByRole("table", { name: "What administrators did" });
    await log.waitFor();
    const rows = await log.getByRole("row").allTextContents();
    expect(rows).toHaveLength(3);
    expect(rows[1]).toContain(`unblocked ${customer.email}.`);
    expect(rows[2]).toContain(` blocked ${customer.email}.`);
    expect(rows[2]).toContain("By demo@ewebal.com");
    await settle(admin);
    await takePicture(admin, "journey audit");
  });
});

test("somebody with both hats switches to the user's side and back without a password, and the log says so", async ({
  visit,
  product,
}) => {
  const { page, openTab, announce } = await visit();
  // A read that was on its way arrives with the other hat on.
  announce(/^answer 403: GET \/api\//);
  await signInAdmin(page, product.demo.admin);
  await page.getByRole("button", { name: "Switch Mode" }).click();
  await page.waitForURL("**/user-dashboard");
  await page.getByRole("heading", { level: 1, name: "Basement" }).waitFor();
  const other = await openTab();
  await other.goto("/user-dashboard/whitelists");
  await other.getByRole("heading", { level: 1, name: "Whitelists" }).waitFor();
  await settle(other);

  const told = waitForText(page, notices, "Successfully switched to admin mode", 10_000);
  await Promise.all([
    page.getByRole("button", { name: "Switch Mode" }).click(),
    page.waitForURL("**/admin-dashboard"),
    told,
  ]);
  // The other tab follows: it would only show what is refused.
  await other.waitForURL("**/admin-dashboard");

  await page.goto("/admin-dashboard/audit-log");
  await waitUntil(
    async () => (await page.getByText("switched from the customer side to the admin side").count()) > 0,
    "the switch in the audit log",
  );
  await page.getByText("switched from the admin side to the customer side").first().waitFor();
});
