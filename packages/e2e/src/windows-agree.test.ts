/**
 * Two windows of one customer agree: what is done in one is seen in the other, and a window whose network was cut says so, and makes good what it
 * missed. How soon is measured in two-windows.test.ts.
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { send } from "./testing/api-client.ts";
import { sharedBrowserTest as test, type Visitor } from "./testing/browser.ts";
import { settle, waitForText } from "./testing/page-checks.ts";
import { signInCustomer } from "./testing/sign-in-by-hand.ts";
import { changes, header, main, message, openBoth, openShop, password, type Change } from "./testing/two-windows.ts";

/** As two-windows.test.ts bounds a change that it measures. */
const boundMs = 1_500;

test("what is done by hand in one is seen in the other: a draft kept and deleted, a catalog made and renamed, a message sent and deleted", async ({
  visit,
  product,
}) => {
  const shop = await openShop(product);
  const [acting, watching] = await openBoth(visit, shop.customer);

  await watching.goto("/user-dashboard/drafted-sms");
  await watching.getByText("There are no current drafts...").waitFor();
  await acting.goto("/user-dashboard/ewebal/send-sms");
  await acting.getByRole("textbox", { name: "Message" }).fill("Kept for later");
  await acting.getByRole("textbox", { name: "Recipients" }).fill("0803 000 0001");
  await acting.getByRole("button", { name: "Draft SMS" }).click();
  await waitForText(watching, main, "Kept for later", boundMs);
  await acting.getByRole("button", { name: "Delete the draft from SHOP" }).click();
  await acting.getByRole("button", { name: "Proceed" }).click();
  await waitForText(watching, main, "There are no current drafts...", 5_000);

  await watching.goto("/user-dashboard/all-contacts");
  await watching.getByText("There are no catalogs here...").waitFor();
  await acting.goto("/user-dashboard/all-contacts");
  await acting.getByRole("button", { name: "Create New Catalog" }).click();
  await acting.getByRole("textbox", { name: "Catalog name" }).fill("Fabrics");
  await acting.getByRole("button", { name: "Create Catalog" }).click();
  await waitForText(watching, main, "Fabrics", 5_000);
  await acting.getByRole("button", { name: "Edit the name of Fabrics" }).click();
  await acting.getByRole("textbox", { name: "Catalog name" }).fill("Laces");
  await acting.getByRole("button", { name: "Save Name" }).click();
  await waitForText(watching, main, "Laces", 5_000);

  await watching.goto("/user-dashboard/sms-history");
  await watching.getByText("There are no current messages...").waitFor();
  expect((await send(shop.customer, { ...message, message: "Sent to one" })).status).toBe(200);
  await waitForText(watching, main, "1 delivered", 15_000);
  await acting.goto("/user-dashboard/sms-history");
  await acting.getByRole("button", { name: "Delete the message from SHOP" }).click();
  await acting.getByRole("button", { name: "Proceed" }).click();
  await waitForText(watching, main, "There are no current messages...", 5_000);
  for (const window of [acting, watching]) await waitForText(window, header, "997.00", 5_000);
});

test("a window whose network was cut says so, and shows all that happened meanwhile when it is back", async ({
  visit,
  product,
}) => {
  const shop = await openShop(product);
  const first = await visit();
  await signInCustomer(first.page, { email: shop.customer.email, password });
  const profile = await first.context.storageState();
  const cut: { window: Page; visitor: Visitor; change: Change }[] = [];
  for (const change of changes) {
    const visitor = await visit({ profile });
    await visitor.page.goto(change.path);
    await settle(visitor.page);
    cut.push({ window: visitor.page, visitor, change });
  }
  first.announce(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/);

  const notice = "No Internet Connection. Please check your network";
  for (const { visitor } of cut) await visitor.context.setOffline(true);
  for (const { window } of cut) await waitForText(window, "[role=status]", notice, 5_000);
  expect(await first.page.getByText(notice).count()).toBe(0);
  for (const change of changes) expect((await change.make(shop, change.text(1))).status).toBeLessThan(300);
  // One unit came in, and one message took three.
  await waitForText(first.page, header, "998.00", 5_000);
  for (const { window } of cut) expect(await window.locator(header).textContent()).toContain("1,000.00");

  const backAt = Date.now();
  for (const { visitor } of cut) await visitor.context.setOffline(false);
  for (const { window, change } of cut) {
    const text = change.what === "units" ? "998.00" : change.text(1);
    await waitForText(window, change.selector, text, 30_000);
    await waitForText(window, header, "998.00", 30_000);
    expect(await window.getByText(notice).count()).toBe(0);
  }
  process.stdout.write(
    `Four windows after their networks were cut: all shown ${Date.now() - backAt} ms after they were back\n`,
  );
  // And the stream is open again, not only the reads repeated.
  await shop.customer.call("POST", `/api/${shop.customer.actorId}/create-catalog`, {
    catalogName: "After the cut",
    code: "234",
  });
  const phonebook = cut.find(({ change }) => change.what === "catalogs");
  if (phonebook !== undefined) await waitForText(phonebook.window, main, "After the cut", 15_000);
});
