/**
 * The administrators' error catalogue (administrator document, section 8), made real: each row has a cause that the real
 * server, or a cut network, answers to, and is read off the page word for word. So are the confirmations of section 5.
 */
import type { Page } from "playwright-core";
import { describe } from "vitest";
import { findLink, registerCustomer, type ApiClient } from "./testing/api-client.ts";
import { sharedBrowserTest as test, type Visitor } from "./testing/browser.ts";
import type { Product } from "./testing/product.ts";
import { reportDeposit } from "./testing/report-deposit.ts";
import { signInAdmin } from "./testing/sign-in-by-hand.ts";
import { expectTold, type Told } from "./testing/told.ts";

const password = "a-long-enough-secret";
/** Behind a title that stands alone in the catalogue. */
const networkLost = "No Internet Connection. Please check your network";

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

/** Answers the question that must have these words. */
async function proceed(page: Page, title: string, text?: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  if (text !== undefined) await dialog.getByText(text, { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Proceed" }).click();
}

async function chooseUser(page: Page, email: string): Promise<void> {
  await page.getByRole("combobox", { name: "User" }).fill(email);
  await page.getByRole("option", { name: email }).click();
}

describe("before the dashboard", () => {
  test("registering, the code and the first sign-in", async ({ visit, product }) => {
    const visitor = await visit();
    const { page } = visitor;
    const call = /\/create-admin$/;
    const fillIn = async (email: string): Promise<void> => {
      await page.goto("/admin-register");
      for (const [label, value] of [
        ["Admin Name", "Bola"],
        ["Full Name", "Bola Admin"],
        ["Email", email],
        ["Contact", "8000000001"],
      ] as const)
        await page.getByLabel(label).fill(value);
      for (const label of ["Password", "Confirm Password"])
        await page.getByLabel(label, { exact: true }).fill(password);
    };
    await fillIn(product.demo.admin.email);
    await expectTold(visitor, { call, status: 409, text: "Email already registered" }, () =>
      press(page, "Create Account"),
    );
    await fillIn("bola@ewebal.com");
    await expectTold(
      visitor,
      { call, status: 201, text: "An OTP mail has been sent to you", leadsTo: "/otp-message" },
      () => press(page, "Create Account"),
    );

    await page.goto(`/${await findLink(product, "bola@ewebal.com", /http\S+\/([^/\s]+)\/verify-otp/)}/verify-otp`);
    const first = page.getByLabel("Digit 1 of 4");
    await first.waitFor();
    const mailed = await readCode(product, "bola@ewebal.com");
    const wrong = mailed === "1234" ? "4321" : "1234";
    // Sent by itself with its last digit.
    await expectTold(visitor, { call: /\/verify-otp$/, status: 400 }, async () => {
      await first.focus();
      await page.keyboard.type(wrong);
    });

    await page.goto("/admin-login-page");
    await page.getByLabel("Email").fill("bola@ewebal.com");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await expectTold(
      visitor,
      { call: /\/sign-in-admin$/, status: 401, text: "You have not verified your account" },
      () => press(page, "Login"),
    );
  });

  const cases: readonly { who: string; email: (product: Product) => string; told: Omit<Told, "call"> }[] = [
    {
      who: "an unknown email",
      email: () => "nobody@ewebal.com",
      told: { status: 404, text: "Email is not registered" },
    },
    {
      who: "a wrong password",
      email: ({ demo }) => demo.admin.email,
      told: { status: 400, text: "Try again or reset your password" },
    },
    {
      who: "a lost network",
      email: ({ demo }) => demo.admin.email,
      told: { status: "none", title: "No Internet Connection", text: "Please check your network" },
    },
  ];

  test.for(cases)("signing in with $who", async ({ email, told }, { visit, product }) => {
    const visitor = await visit();
    const { page } = visitor;
    await page.goto("/admin-login-page");
    await page.getByLabel("Email").fill(email(product));
    await page.getByLabel("Password", { exact: true }).fill("not-the-password");
    await expectTold(visitor, { call: /\/sign-in-admin$/, ...told }, () => press(page, "Login"));
  });
});

async function readCode(product: Product, email: string): Promise<string> {
  return await findLink(product, email, /^(\d{4})\r?$/m);
}

describe("on the dashboard", () => {
  async function enter(
    product: Product,
    visitor: Visitor,
  ): Promise<{ page: Page; customer: ApiClient & { email: string } }> {
    const customer = await registerCustomer(product);
    await signInAdmin(visitor.page, product.demo.admin);
    return { page: visitor.page, customer };
  }
  const lost = { status: "none" } as const;

  test("what fails about one user, with the questions before it", async ({ visit, product }) => {
    const visitor = await visit();
    const { page, customer } = await enter(product, visitor);
    await page.goto(`/admin-dashboard/manage-all-users/more-details-about-user/${customer.actorId}`);
    await press(page, "Edit");
    await page.getByLabel("User Name").fill("Renamed");
    await press(page, "Update");
    const update = { title: "About to update user?", text: "This action can't be reversed" } as const;
    await expectTold(
      visitor,
      { ...lost, call: /\/update-user$/, title: "Update Failed", text: "This may be due to network" },
      () => proceed(page, update.title, update.text),
    );
    await press(page, "Update");
    await expectTold(visitor, { status: 200, call: /\/update-user$/ }, () => proceed(page, update.title, update.text));

    const block = { title: "About to block user?", text: "User won't be able to use your service" } as const;
    await press(page, "Block user");
    await expectTold(
      visitor,
      { ...lost, call: /\/block-user$/, title: "Unable to block user", text: networkLost },
      () => proceed(page, block.title, block.text),
    );
    await press(page, "Block user");
    await expectTold(visitor, { status: 200, call: /\/block-user$/ }, () => proceed(page, block.title, block.text));
    await press(page, "Unblock user");
    await expectTold(
      visitor,
      { ...lost, call: /\/unblock-user$/, title: "Unable to unblock user", text: networkLost },
      () => proceed(page, "About to unblock user?"),
    );
    await press(page, "Unblock user");
    await expectTold(visitor, { status: 200, call: /\/unblock-user$/ }, () => proceed(page, "About to unblock user?"));
  });

  test("what fails about a deposit", async ({ visit, product }) => {
    const visitor = await visit();
    const { page, customer } = await enter(product, visitor);
    await reportDeposit(product, { email: customer.email, password }, "FAIL-1");
    await page.goto("/admin-dashboard/manage-all-transactions");
    await page
      .getByRole("row", { name: /FAIL-1/ })
      .getByRole("link", { name: /^More details/ })
      .click();
    await press(page, "Accept");
    const modal = page.getByRole("dialog", { name: "Credit User" });
    await modal.getByLabel("Units", { exact: true }).waitFor();
    const credit = {
      ...lost,
      call: /\/credit-user$/,
      title: "Unable to Credit User",
      text: "Check your credentials or network",
    } as const;
    await expectTold(visitor, credit, () => modal.getByRole("button", { name: "Credit User" }).click());
    await page.keyboard.press("Escape");
    await modal.waitFor({ state: "hidden" });
    await press(page, "Decline");
    const decline = {
      ...lost,
      call: /\/declined-transaction$/,
      title: "Unable to decline transaction",
      text: networkLost,
    } as const;
    await expectTold(visitor, decline, () =>
      proceed(page, "About to decline transaction?", "A Mail will be sent to the user about declination"),
    );
  });

  test("manual credit, whitelisting and the profile", async ({ visit, product }) => {
    const visitor = await visit();
    const { page, customer } = await enter(product, visitor);
    await page.goto("/admin-dashboard/credit-a-user");
    await chooseUser(page, customer.email);
    await page.getByLabel("SMS credit (units)").fill("100");
    await press(page, "Credit User");
    await expectTold(
      visitor,
      { ...lost, call: /\/credit-a-user$/, title: "Credentials Error", text: networkLost },
      () => press(page, "Proceed"),
    );

    await page.goto("/admin-dashboard/action-whitelist");
    await chooseUser(page, customer.email);
    await page.getByLabel("Sender ID").fill("AdaStores");
    await expectTold(
      visitor,
      { ...lost, call: /\/whitelist-user-senderID$/, title: "Credentials Error", text: networkLost },
      () => press(page, "Whitelist User"),
    );

    await page.goto("/admin-dashboard/admin-profile-summary");
    await page.getByLabel("Admin Name").fill("Renamed");
    await expectTold(
      visitor,
      { ...lost, call: /\/update-admin-profile$/, title: "Network Error", text: "Slow or No Network" },
      () => press(page, "Save"),
    );
  });

  test("announcements", async ({ visit, product }) => {
    const visitor = await visit();
    const { page } = await enter(product, visitor);
    const call = /\/make-general-announcement$/;
    await page.goto("/admin-dashboard/make-general-announcements");
    await page.getByLabel("Hint / Subject").fill("Closed on Friday");
    await page.getByLabel("Message").fill("We are back on Monday.");
    const failed = {
      ...lost,
      call,
      title: "Credentials Error",
      text: "Check your credentials or network connectivity",
    } as const;
    await expectTold(visitor, failed, () => press(page, "Make Announcement"));
    await expectTold(visitor, { status: 200, call }, () => press(page, "Make Announcement"));
    await press(page, "Clear Closed on Friday");
    const clear = {
      ...lost,
      call: /\/clear-general-announcement$/,
      title: "Unable to clear announcements",
      text: "This may be due to network",
    } as const;
    await expectTold(visitor, clear, () => proceed(page, "About to clear out announcement?"));
    await press(page, "Clear Closed on Friday");
    await expectTold(visitor, { status: 200, call: clear.call }, () =>
      proceed(page, "About to clear out announcement?"),
    );
  });
});
