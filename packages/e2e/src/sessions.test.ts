/** How a session ends, in every tab of it, and what a page does while the network or the server is away. */
import { randomUUID } from "node:crypto";
import { pagePaths } from "@ewebal/contract";
import { Secret, TOTP } from "otpauth";
import type { CDPSession, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { equipCustomer, registerCustomer, signIn } from "./testing/api-client.ts";
import { sharedBrowserTest as test } from "./testing/browser.ts";
import { expectNoAxeFindings, settle, waitForText } from "./testing/page-checks.ts";
import { waitUntil, type Account, type Product } from "./testing/product.ts";
import { signInAdmin, signInCustomer } from "./testing/sign-in-by-hand.ts";

const notices = '[aria-label="Notices"]';
const topBar = "header";
/** A push that arrives is on screen at once; what is tested here is that it comes without a reload. */
const pushedWithinMs = 5_000;
/** A web process that was killed is started again in a moment, and pages connect again after a second or two. */
const recoveredWithinMs = 30_000;
const minuteMs = 60_000;

async function buildCustomer(product: Product, units: number): Promise<Account> {
  const customer = await registerCustomer(product);
  await equipCustomer(product, customer, units, "SHOP");
  return { email: customer.email, password: "a-long-enough-secret" };
}

async function credit(product: Product, { email }: Account, units: number): Promise<void> {
  const admin = await signIn(product, product.demo.admin, "admin");
  const { status } = await admin.call(
    "PATCH",
    `/api/${admin.actorId}/credit-a-user`,
    { email, units },
    { "idempotency-key": randomUUID() },
  );
  expect(status).toBe(200);
}

/** Nothing of a person who has left may be read off the screen. */
async function expectNothingPersonal(page: Page, { email }: Account): Promise<void> {
  const text = await page.locator("body").innerText();
  expect(text).not.toContain(email);
  expect(text).not.toContain("Shop Owner");
  expect(text).not.toMatch(/Units\s*[0-9]/);
}

/**
 * Every tab shows the notice and goes to the login. The notice stays for 3 s, which a clock that is set forward may end at
 * once, so the pages themselves write down what was shown.
 */
async function expectFarewell(tabs: readonly Page[], notice: string, leave: () => Promise<void>): Promise<void> {
  for (const tab of tabs) await tab.evaluate(noteNotices, notices);
  await leave();
  for (const tab of tabs) {
    await waitUntil(
      () => tab.evaluate((text) => (document.body.dataset["noticesShown"] ?? "").includes(text), notice),
      `"${notice}"`,
      { withinMs: pushedWithinMs },
    );
    await tab.waitForURL("**/login");
  }
}

/** Runs in the page. */
function noteNotices(selector: string): void {
  const note = (): void => {
    const text = document.querySelector(selector)?.textContent ?? "";
    const { dataset } = document.body;
    if (text !== "" && !(dataset["noticesShown"] ?? "").endsWith(text))
      dataset["noticesShown"] = `${dataset["noticesShown"] ?? ""} ${text}`;
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
}

describe("without a session", () => {
  test("every page of the dashboards leads to its login", async ({ visit }) => {
    const { page } = await visit();
    for (const path of pagePaths.filter((candidate) => candidate.includes("dashboard"))) {
      await page.goto(path.replaceAll(/:\w+/g, randomUUID()));
      await page.waitForURL(path.startsWith("/admin") ? "**/admin-login-page" : "**/login");
    }
  });

  test("a customer is no administrator, and an administrator no customer", async ({ visit, product }) => {
    const { page } = await visit();
    await signInCustomer(page, product.demo.customer);
    await page.goto("/admin-dashboard");
    await page.waitForURL("**/admin-login-page");

    await signInAdmin(page, product.demo.admin);
    await page.goto("/user-dashboard");
    await page.waitForURL("**/login");
  });
});

describe("signing out", () => {
  test("in one tab ends the session on the server and in the other tab", async ({ visit, product }) => {
    const { page, context, openTab } = await visit();
    const account = await buildCustomer(product, 250);
    await signInCustomer(page, account);
    const other = await openTab();
    await other.goto("/user-dashboard/whitelists");
    await waitForText(other, topBar, "250.00", pushedWithinMs);
    const cookie = (await context.cookies()).find(({ name }) => name === "ewebal_session");

    await expectFarewell([page, other], "Logged Out Successfully", () =>
      page.getByRole("button", { name: "Logout" }).click(),
    );

    await expectNothingPersonal(page, account);
    await expectNothingPersonal(other, account);
    // The token itself is dead, not only forgotten by the browser, which says farewell before the server has answered.
    const readWithToken = async (): Promise<number> =>
      (await fetch(`${product.url}/api/view-all-users`, { headers: { cookie: `${cookie?.name}=${cookie?.value}` } }))
        .status;
    await expect.poll(readWithToken, { timeout: 1_000 }).toBe(401);
  });

  test("leaves nothing personal behind the back button", async ({ visit, product }) => {
    const { page } = await visit();
    const account = await buildCustomer(product, 250);
    await signInCustomer(page, account);
    await page.getByRole("link", { name: "Whitelists", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Whitelists" }).waitFor();
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL("**/login");

    for (let step = 0; step < 2; step += 1) {
      await page.goBack();
      await page.waitForURL("**/login");
      await page.getByRole("heading", { level: 1, name: "Login" }).waitFor();
      await expectNothingPersonal(page, account);
    }
  });
});

describe("two-factor sign-in", () => {
  test("is set up with a QR code, and from then on asks for a code after the password; each opens once", async ({
    visit,
    product,
  }) => {
    const { page, announce } = await visit();
    announce(/^answer 40[01]: POST \/api\/sign-in-user$/);
    const account = await buildCustomer(product, 1);
    await signInCustomer(page, account);
    await page.goto("/user-dashboard/profile-info");
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByRole("img", { name: /^QR code/ }).waitFor();
    await settle(page);
    await expectNoAxeFindings(page);
    const secret = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(" ", "");
    const code = page.getByRole("textbox", { name: "Code" });
    await code.fill(TOTP.generate({ secret: Secret.fromBase32(secret) }));
    await page.getByRole("button", { name: "Turn on" }).click();
    const list = page.getByRole("list", { name: "Recovery codes" });
    await list.waitFor();
    const recoveryCodes = await list.getByRole("listitem").allInnerTexts();
    expect(recoveryCodes).toHaveLength(10);
    await settle(page);
    await expectNoAxeFindings(page);
    await page.getByRole("button", { name: "I've saved them" }).click();
    await page.getByText("10 recovery codes left.").waitFor();

    for (const [typed, isOpen] of [
      [recoveryCodes[0] ?? "", true],
      [recoveryCodes[0] ?? "", false],
    ] as const) {
      await page.getByRole("button", { name: "Logout" }).click();
      await page.waitForURL("**/login");
      await page.getByLabel("Email").fill(account.email);
      await page.getByLabel("Password", { exact: true }).fill(account.password);
      await page.getByRole("button", { name: "Login", exact: true }).click();
      await code.fill(typed);
      await page.getByRole("button", { name: "Login", exact: true }).click();
      if (isOpen) await page.waitForURL("**/user-dashboard");
      else await page.getByText("This code is incorrect or already used").waitFor();
    }
  });
});

test("a passkey is added with the password, signs in without it, and opens nothing once it is removed", async ({
  visit,
  product,
}) => {
  const { context, page, announce } = await visit({ hasOwnTab: true });
  announce(/^answer 400: POST \/api\/finish-passkey-sign-in$/);
  const device = await context.newCDPSession(page);
  await device.send("WebAuthn.enable");
  await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  const account = await buildCustomer(product, 1);
  await signInCustomer(page, account);
  await page.goto("/user-dashboard/profile-info");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password", { exact: true }).fill(account.password);
  await dialog.getByLabel("Name").fill("My laptop");
  await settle(page);
  await expectNoAxeFindings(page);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const remove = page.getByRole("button", { name: "Remove: My laptop" });
  await remove.waitFor();
  const withPasskey = page.getByRole("button", { name: "Sign in with a passkey" });

  await page.getByRole("button", { name: "Logout" }).click();
  await page.waitForURL("**/login");
  await withPasskey.click();
  await page.waitForURL("**/user-dashboard");

  await page.goto("/user-dashboard/profile-info");
  await remove.click();
  await dialog.getByLabel("Password", { exact: true }).fill(account.password);
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByText("You have no passkeys").waitFor();
  await page.getByRole("button", { name: "Logout" }).click();
  await page.waitForURL("**/login");
  await withPasskey.click();
  await page.getByText("This passkey is not known here. It may have been removed").waitFor();
});

describe("20 minutes without a touch", () => {
  test("sign out every tab, with the notice", async ({ visit, product }) => {
    const { page, context, openTab, announce } = await visit({ hasOwnTab: true });
    // Both tabs may tell the server at the same moment; for the second there is no session any more.
    announce(/^answer 401: POST \/api\/[^/]+\/sign-out$/);
    await context.clock.install();
    const account = await buildCustomer(product, 250);
    await signInCustomer(page, account);
    const other = await openTab();
    await other.goto("/user-dashboard/whitelists");
    await waitForText(other, topBar, "250.00", pushedWithinMs);

    await expectFarewell([page, other], "Logged Out...!", () => context.clock.fastForward(20 * minuteMs));

    await expectNothingPersonal(page, account);
    await expectNothingPersonal(other, account);
  });

  test("are not over while the person works in another tab", async ({ visit, product }) => {
    const { page, context, openTab } = await visit({ hasOwnTab: true });
    await context.clock.install();
    await signInCustomer(page, await buildCustomer(product, 250));
    const other = await openTab();
    await other.goto("/user-dashboard/whitelists");
    await waitForText(other, topBar, "250.00", pushedWithinMs);

    for (let turn = 0; turn < 3; turn += 1) {
      await context.clock.fastForward(15 * minuteMs);
      await other.mouse.move(100 + turn, 100);
    }

    await waitForText(page, topBar, "250.00", pushedWithinMs);
    expect(new URL(page.url()).pathname).toBe("/user-dashboard");
  });
});

describe("a page", () => {
  test("says that the network is gone, and shows what happened meanwhile when it is back", async ({
    visit,
    product,
  }) => {
    const { page, context, announce } = await visit();
    announce(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/);
    const account = await buildCustomer(product, 250);
    await signInCustomer(page, account);
    await waitForText(page, topBar, "250.00", pushedWithinMs);

    await context.setOffline(true);
    await waitForText(page, "[role=status]", "No Internet Connection. Please check your network", pushedWithinMs);
    await credit(product, account, 50);
    await context.setOffline(false);

    await waitForText(page, topBar, "300.00", recoveredWithinMs);
    expect(await page.getByText("No Internet Connection").count()).toBe(0);
  });

  test("can be installed, and keeps on the device what is written offline until it is a draft", async ({
    visit,
    product,
  }) => {
    const { page, context, announce } = await visit({ viewport: "narrow", hasOwnTab: true });
    announce(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/);
    await signInCustomer(page, await buildCustomer(product, 250));
    const network = await context.newCDPSession(page);
    await expectInstallable(page, network);
    await page.goto("/user-dashboard/ewebal/send-sms");
    await page.getByRole("textbox", { name: "Message" }).fill("Written before");
    await page.getByRole("textbox", { name: "Recipients" }).fill("08030000001");
    await settle(page);

    const conditions = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    await network.send("Network.emulateNetworkConditions", { ...conditions, offline: true });
    await page.getByRole("textbox", { name: "Message" }).fill("Written on the road");
    await page.getByText("You are offline: kept on this device").waitFor();
    await expectNoAxeFindings(page);
    const kept = await page.evaluate(() => localStorage.getItem("ewebal.keptDrafts"));
    expect(kept).toContain("Written on the road");

    await network.send("Network.emulateNetworkConditions", { ...conditions, offline: false });
    await waitForText(page, notices, "Saved to your drafts", recoveredWithinMs);
    expect(await page.evaluate(() => localStorage.getItem("ewebal.keptDrafts"))).toBeNull();
    await page.goto("/user-dashboard/drafted-sms");
    await waitForText(page, "main", "Written on the road", recoveredWithinMs);
  });

  test("goes on by itself when the web process was killed", async ({ visit, product }) => {
    const { page, announce } = await visit();
    announce(/^failed: GET \/api\/.* net::ERR_/);
    const account = await buildCustomer(product, 250);
    await signInCustomer(page, account);
    await waitForText(page, topBar, "250.00", pushedWithinMs);

    await product.killChild("web");
    await credit(product, account, 50);

    await waitForText(page, topBar, "300.00", recoveredWithinMs);
    await credit(product, account, 50);
    await waitForText(page, topBar, "350.00", recoveredWithinMs);
  });
});

/** What Chromium asks of a page that is to be installed; asked itself, it refuses every private window, which a visit is. */
async function expectInstallable(page: Page, network: CDPSession): Promise<void> {
  const { url, errors, data = "" } = await network.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data) as Record<string, string> & { icons: { src: string; sizes: string }[] };
  expect(manifest).toMatchObject({ short_name: "Ewebal", display: "standalone" });
  expect(new URL(manifest["start_url"] ?? "", url).origin).toBe(new URL(page.url()).origin);
  const drawn = await page.evaluate(
    async (sources) =>
      await Promise.all(
        sources.map(async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          return `${image.naturalWidth}x${image.naturalHeight}`;
        }),
      ),
    manifest.icons.map(({ src }) => new URL(src, url).href),
  );
  expect(drawn).toEqual(manifest.icons.map(({ sizes }) => sizes));
  expect(drawn).toEqual(expect.arrayContaining(["192x192", "512x512"]));
}
