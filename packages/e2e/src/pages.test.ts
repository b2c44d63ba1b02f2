/** Every page, as it is found by its address: light and dark, on a laptop and on the smallest phone. */
import { pagePaths, type PagePath } from "@ewebal/contract";
import type { Browser, Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { registerCustomer } from "./testing/api-client.ts";
import { createBrowserTest, type Profile } from "./testing/browser.ts";
import { buildSite, type Site } from "./testing/build-site.ts";
import { expectNoJumps, watchJumps } from "./testing/jumps.ts";
import { expectFocus } from "./testing/keyboard.ts";
import { bothLooks, expectSoundIn, expectSoundInTurn, type Look } from "./testing/looks.ts";
import { settle } from "./testing/page-checks.ts";
import type { Product } from "./testing/product.ts";
import { expectOnScreen } from "./testing/screen-rows.ts";
import { signInAdmin, signInCustomer } from "./testing/sign-in-by-hand.ts";

const test = createBrowserTest().extend<{ site: Site; customerProfile: Profile; adminProfile: Profile }>({
  site: [async ({ product }, use) => await use(await buildSite(product)), { scope: "file", auto: true }],
  customerProfile: [
    async ({ product, browser }, use) =>
      await use(await keepProfile(browser, product, (page) => signInCustomer(page, product.demo.customer))),
    { scope: "file" },
  ],
  adminProfile: [
    async ({ product, browser }, use) =>
      await use(await keepProfile(browser, product, (page) => signInAdmin(page, product.demo.admin))),
    { scope: "file" },
  ],
});

/** Signs in once for all tests of the file. */
async function keepProfile(
  browser: Browser,
  { url }: Product,
  signIn: (page: Page) => Promise<void>,
): Promise<Profile> {
  const context = await browser.newContext({ baseURL: url });
  await signIn(await context.newPage());
  const profile = await context.storageState();
  await context.close();
  return profile;
}

/** Each figure in tenths of the largest of all series, without those that are nothing. */
function proportionsOf(series: number[][]): number[][] {
  const most = Math.max(...series.flat());
  return series.map((figures) =>
    figures.filter((figure) => figure > 0).map((figure) => Math.round((figure / most) * 10)),
  );
}

const customerPaths = pagePaths.filter((path) => path.startsWith("/user-dashboard"));
const adminPaths = pagePaths.filter((path) => path.startsWith("/admin-dashboard"));
const openPaths = pagePaths.filter((path) => !customerPaths.includes(path) && !adminPaths.includes(path));

/** Pages under a link that no mail holds: they ask, and show that the link is of no use. */
const refusedCalls: Partial<Record<PagePath, RegExp>> = {
  "/:token/verify-user": /^answer 4\d\d: GET \/api\/no-such-token\/verify-user$/,
  "/:token/verify-admin": /^answer 4\d\d: GET \/api\/no-such-token\/verify-admin$/,
};

function addressOf(
  path: PagePath,
  { messageId, phoneNo, catalogId, userId, draftId, scheduledId, transferId }: Site,
): string {
  const ids: Partial<Record<PagePath, string>> = {
    "/user-dashboard/:id/resend-sms": messageId,
    "/user-dashboard/:id/send-draft-sms": draftId,
    "/user-dashboard/:id/edit-scheduled-sms": scheduledId,
  };
  const values: Record<string, string> = {
    ":token": "no-such-token",
    ":id": ids[path] ?? "ewebal",
    ":messageId": messageId,
    ":person": phoneNo,
    ":phoneNo": phoneNo,
    ":catalogId": catalogId,
    ":randomId": "any",
    ":userId": userId,
    ":draftId": draftId,
    ":transferId": transferId,
  };
  return path.replaceAll(/:\w+/g, (name) => values[name] ?? name);
}

/** @param jumpMax share of the screen times share of its way. */
async function openAt(page: Page, address: string, jumpMax?: number): Promise<void> {
  await watchJumps(page);
  const answer = await page.goto(address);
  expect(answer?.status()).toBe(200);
  await settle(page);
  await expectNoJumps(page, jumpMax);
  expect(new URL(page.url()).pathname).toBe(address);
}

function nameOf(path: string): string {
  return path === "/" ? "home" : path.slice(1).replaceAll(/[:/]/g, " ");
}

describe("pages for everybody", () => {
  test.for(openPaths)("%s", async (path, { visit, site }) => {
    const { page, announce } = await visit({ viewport: "narrow" });
    const refused = refusedCalls[path];
    if (refused !== undefined) announce(refused);
    // A refusal says more than the success that its place is held for.
    await openAt(page, addressOf(path, site), refused === undefined ? undefined : 0.1);
    await expectSoundInTurn(page, nameOf(path));
    await expectOnScreen(page, path);
  });

  test.for(["/mailbox", "/status"])("%s", async (address, { visit }) => {
    const { page } = await visit();
    await openAt(page, address);
    await expectSoundInTurn(page, nameOf(address));
  });
});

describe("pages of a customer", () => {
  test.for(customerPaths)("%s", async (path, { visit, site, customerProfile }) => {
    const { page } = await visit({ profile: customerProfile, viewport: "narrow" });
    await openAt(page, addressOf(path, site));
    await expectSoundInTurn(page, nameOf(path));
    await expectOnScreen(page, path);
  });

  test("with nothing to show yet say what to do first", async ({ visit, product }) => {
    const { email } = await registerCustomer(product);
    const { page } = await visit();
    await signInCustomer(page, { email, password: "a-long-enough-secret" });
    for (const path of [
      "/user-dashboard",
      "/user-dashboard/whitelists",
      "/user-dashboard/drafted-sms",
      "/user-dashboard/scheduled-sms",
      "/user-dashboard/sms-history",
    ]) {
      await page.goto(path);
      await expectSoundIn(page, `new ${nameOf(path)}`);
    }
    await page.getByText("There are no current messages...").waitFor();
  });
});

describe("pages of an administrator", () => {
  test.for(adminPaths)("%s", async (path, { visit, site, adminProfile }) => {
    const { page } = await visit({ profile: adminProfile });
    await openAt(page, addressOf(path, site));
    // The columns of a table have their headings on a wide screen only.
    await expectOnScreen(page, path);
    await expectSoundInTurn(page, nameOf(path));
  });
});

describe("an address that is no page", () => {
  test.for(["/nothing/here", "/user-dashboard/nothing", "/admin-dashboard/nothing"])(
    "%s is answered with 404 and Page Not Found",
    async (address, { visit, customerProfile, adminProfile }) => {
      const { page, announce } = await visit({
        profile: address.startsWith("/admin") ? adminProfile : customerProfile,
      });
      announce(/^answer 404: GET \/\S*nothing/);
      const answer = await page.goto(address);
      expect(answer?.status()).toBe(404);
      await page.getByRole("heading", { level: 1, name: "Page Not Found" }).waitFor();
      await expectSoundInTurn(page, nameOf(address));
      await page.getByRole("link", { name: "Go to Home" }).click();
      await page.waitForURL((url) => url.pathname === "/");
    },
  );
});

test("a chosen theme stays, whatever the device prefers", async ({ visit }) => {
  const { page } = await visit({ colorScheme: "light" });
  const isDark = (): Promise<boolean> =>
    page.evaluate(() => document.documentElement.dataset["mantineColorScheme"] === "dark");
  await page.goto("/login");
  expect(await isDark()).toBe(false);
  // As the device, light, dark: each press goes on to the next.
  const toggle = page.getByRole("button", { name: /^Colours:/ });
  await toggle.click();
  await toggle.click();
  expect(await isDark()).toBe(true);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Login" }).waitFor();
  expect(await isDark()).toBe(true);
});

test("where motion is reduced, new colours are there at once", async ({ visit }) => {
  const { page } = await visit({ colorScheme: "light" });
  await page.goto("/login");
  await settle(page);
  const movingCount = await page.evaluate(() => {
    document.documentElement.dataset["mantineColorScheme"] = "dark";
    return document.getAnimations().length;
  });
  expect(movingCount).toBe(0);
});

/** What asks before something that cannot be taken back, and what lies over the page. */
describe("dialogs", () => {
  /** The focus starts on "Nope", Escape is a "Nope", and the focus returns to where it was. */
  async function expectSoundDialog(page: Page, name: string, opener: Locator): Promise<void> {
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await expectSoundIn(page, name);
    await expectFocus(dialog.getByRole("button", { name: "Nope" }));
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expectFocus(opener);
  }

  test("of an administrator: updating and blocking a user, clearing an announcement", async ({
    visit,
    adminProfile,
    site,
  }) => {
    const { page } = await visit({ profile: adminProfile });
    await page.goto(`/admin-dashboard/manage-all-users/more-details-about-user/${site.userId}`);
    const block = page.getByRole("button", { name: "Block user" });
    await block.click();
    await expectSoundDialog(page, "dialog block", block);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Full Name" }).fill("Demo Owner");
    await expectSoundIn(page, "editing a user");
    const update = page.getByRole("button", { name: "Update" });
    await update.click();
    await expectSoundDialog(page, "dialog update", update);

    await page.goto("/admin-dashboard/make-general-announcements");
    const clear = page.getByRole("button", { name: "Clear New prices from Monday" });
    await clear.click();
    await expectSoundDialog(page, "dialog clear", clear);
  });

  test("of an administrator: a chart as a table", async ({ visit, adminProfile }) => {
    const { page } = await visit({ profile: adminProfile });
    await page.goto("/admin-dashboard?days=7");
    const show = page.getByRole("button", { name: "Show data: Units sold and used" });
    // The job adds the figures up once a minute.
    await show.waitFor({ timeout: 90_000 });
    await show.click();
    await page.getByRole("table", { name: "Units sold and used" }).waitFor();
    await expectSoundIn(page, "chart as a table");
  });

  // The components of the library that draws them are left out of the tests of the pages.
  test("of an administrator: every series of the chart draws its bars, in proportion", async ({
    visit,
    adminProfile,
  }) => {
    const none = { delivered: 0, sent: 0, failed: 0, dnd: 0, unknown: 0 };
    const outcomes = [
      { ...none, delivered: 500, sent: 200, failed: 100, dnd: 100, unknown: 100 },
      none,
      { ...none, delivered: 200, failed: 300 },
      { ...none, delivered: 1_000, sent: 100 },
    ];
    const days = outcomes.map((counts, index) => ({
      day: `2026-11-0${index + 1}`,
      outcomes: counts,
      unitsSold: 0,
      unitsUsed: 0,
    }));
    const { page } = await visit({ profile: adminProfile });
    await page.route("**/api/view-overview-charts*", (route) =>
      route.fulfill({ json: { message: "Overview", data: { days, networks: [], topCustomers: [], asOf: null } } }),
    );
    await page.goto("/admin-dashboard");
    const series = page.getByRole("img", { name: /^Messages per day/ }).locator(".recharts-bar");
    // In the order in which they are stacked.
    const names = ["delivered", "sent", "failed", "dnd", "unknown"] as const;
    const drawn = () =>
      series.evaluateAll((layers) =>
        layers.map((layer) =>
          [...layer.querySelectorAll(".recharts-bar-rectangle path")].map((bar) => bar.getBoundingClientRect().height),
        ),
      );
    const expected = names.map((name) => outcomes.map((counts) => counts[name]).filter((count) => count > 0));
    await expect.poll(async () => proportionsOf(await drawn()), { timeout: 10_000 }).toEqual(proportionsOf(expected));
  });

  test("of an administrator: crediting, approving and declining", async ({ visit, adminProfile, product }) => {
    const { page } = await visit({ profile: adminProfile });
    await page.goto("/admin-dashboard/credit-a-user");
    await page.getByRole("combobox", { name: "User" }).fill(product.demo.customer.email);
    await page.getByRole("option", { name: product.demo.customer.email }).click();
    await page.getByLabel("SMS credit (units)").fill("1000");
    const credit = page.getByRole("button", { name: "Credit User" });
    await credit.click();
    await expectSoundDialog(page, "dialog credit", credit);

    await page.goto("/admin-dashboard/action-whitelist");
    for (const answer of ["Approve", "Decline"]) {
      const button = page.getByRole("button", { name: `${answer} First Bank` });
      await button.click();
      await expectSoundDialog(page, `dialog ${answer}`, button);
    }
  });

  test("of a customer: deleting a message, and sending with Ctrl+Enter", async ({ visit, customerProfile }) => {
    const { page } = await visit({ profile: customerProfile });
    await page.goto("/user-dashboard/sms-history");
    const deletion = page.getByRole("button", { name: "Delete the message from DemoShop" });
    await deletion.click();
    await page.getByRole("dialog").waitFor();
    await expectSoundIn(page, "dialog delete", [bothLooks[0] as Look]);
    await page.keyboard.press("Escape");
    await expectFocus(deletion);

    await page.goto("/user-dashboard/ewebal/send-sms");
    await page.getByRole("button", { name: "DemoShop" }).click();
    const text = page.getByRole("textbox", { name: "Message" });
    await text.fill("Ẹ káàárọ̀!");
    await page.getByRole("textbox", { name: "Recipients" }).fill("0803 000 0001, 0803 000 0001, 12345");
    await page.getByRole("button", { name: "Leave it out" }).click();
    await text.press("Control+Enter");
    await expectSoundDialog(page, "dialog send", text);
  });

  test("of a customer: sending later, resending to the failed, and sending to a catalog", async ({
    visit,
    customerProfile,
    site,
  }) => {
    const { page } = await visit({ profile: customerProfile });
    await page.goto("/user-dashboard/ewebal/send-sms");
    await settle(page);
    await page.getByRole("switch", { name: "Send later" }).check({ force: true });
    const zone = page.getByRole("combobox", { name: "Time zone" });
    await zone.click();
    await page.getByRole("option", { name: "Africa/Accra" }).waitFor();
    await expectSoundIn(page, "list of time zones");
    await page.keyboard.press("Escape");
    await expectFocus(zone);

    await page.goto(`/user-dashboard/sms-history/${site.messageId}`);
    const again = page.getByRole("button", { name: "Resend to the failed only" });
    await again.click();
    await expectSoundDialog(page, "dialog resend failed", again);

    await page.goto("/user-dashboard/all-contacts");
    await page.getByRole("main").getByRole("link", { name: "Demo customers" }).click();
    await page.getByRole("main").getByRole("button", { name: "Send SMS" }).click();
    const form = page.getByRole("dialog", { name: "Send SMS to Demo customers" });
    await form.getByRole("button", { name: "DemoShop" }).click();
    const text = form.getByRole("textbox", { name: "Message" });
    await text.fill("Our shop opens at 8 am tomorrow.");
    await expectSoundIn(page, "dialog catalog");
    await text.press("Control+Enter");
    const question = page.getByRole("dialog", { name: /^Send to \d+ recipients\?$/ });
    await question.getByRole("button", { name: "Nope" }).click();
    await question.waitFor({ state: "hidden" });
    await text.press("Control+Enter");
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "hidden" });
    await expectFocus(text);
  });

  test("on a phone: the menu, and a list to choose from", async ({ visit, customerProfile }) => {
    const { page } = await visit({ viewport: "narrow", profile: customerProfile });
    await page.goto("/user-dashboard/ewebal/send-sms");
    const burger = page.getByRole("button", { name: "Open the menu" });
    await burger.click();
    await page.getByRole("dialog").getByRole("link", { name: "SMS history" }).waitFor();
    await expectSoundIn(page, "menu", [bothLooks[1] as Look]);
    await page.keyboard.press("Escape");
    await expectFocus(burger);

    const country = page.getByRole("combobox", { name: "Country" });
    await country.click();
    await page.getByRole("option", { name: "Ghana" }).waitFor();
    await expectSoundIn(page, "list of countries");
    await page.keyboard.press("Escape");
    await expectFocus(country);
  });
});
