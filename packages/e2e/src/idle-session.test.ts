/** The server counts the idle time for itself: a page whose person is away is signed out although nothing in it stirs. */
import { expect } from "vitest";
import { createBrowserTest } from "./testing/browser.ts";
import { waitForText } from "./testing/page-checks.ts";
import { signInCustomer } from "./testing/sign-in-by-hand.ts";

/** Long enough to open two tabs on a busy machine. */
const idleSeconds = 10;
/** The server compares open pages with their sessions every 25 s. */
const toldWithinMs = (idleSeconds + 25 + 10) * 1_000;

const test = createBrowserTest({ environment: { SESSION_IDLE_SECONDS: String(idleSeconds) } });

test("after the idle time every tab is signed out with the notice, and a reload asks for the login", async ({
  visit,
  product,
}) => {
  const { page, openTab } = await visit();
  await signInCustomer(page, product.demo.customer);
  const other = await openTab();
  await other.goto("/user-dashboard/whitelists");
  await other.getByRole("heading", { level: 1, name: "Whitelists" }).waitFor();

  await Promise.all(
    [page, other].map(async (tab) => {
      await waitForText(tab, '[aria-label="Notices"]', "Logged Out...!", toldWithinMs);
      await tab.waitForURL("**/login");
    }),
  );
  await page.goto("/user-dashboard");
  await page.waitForURL("**/login");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Login");
});
