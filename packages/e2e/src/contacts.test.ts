/** Contacts by hand: an account without any, a messy file, a large catalog, and two windows that agree. */
import { Buffer } from "node:buffer";
import { describe, expect } from "vitest";
import { registerCustomer } from "./testing/api-client.ts";
import { sharedBrowserTest as test } from "./testing/browser.ts";
import { expectSoundIn } from "./testing/looks.ts";
import { signInCustomer } from "./testing/sign-in-by-hand.ts";

const phoneNo = (index: number): string => `2348030${String(index).padStart(6, "0")}`;

describe("an account without contacts", () => {
  test("says what to do first, on every page of contacts", async ({ visit, product }) => {
    const { email } = await registerCustomer(product);
    const { page } = await visit();
    await signInCustomer(page, { email, password: "a-long-enough-secret" });
    await page.goto("/user-dashboard/all-contacts");
    await page.getByText("There are no catalogs here...").waitFor();
    await expectSoundIn(page, "contacts none");

    await page.getByRole("button", { name: "Create your first catalog" }).click();
    const name = page.getByRole("textbox", { name: "Catalog name" });
    await name.press("Enter");
    await page.getByText("Fill in this field!!!").waitFor();
    await expectSoundIn(page, "contacts create");
    await name.fill("Ikeja customers");
    await name.press("Enter");
    await page.getByRole("link", { name: "Ikeja customers" }).click();
    await page.getByText("There are no contacts").waitFor();
    await expectSoundIn(page, "contacts empty catalog");

    await page.getByRole("button", { name: "Add contacts" }).first().click();
    await page.getByRole("textbox", { name: "Phone numbers" }).fill("0803 000 0001, 0803 000 0001, 12345");
    await page.getByText("1 wrong number", { exact: true }).waitFor();
    await expectSoundIn(page, "contacts add");
    await page.getByRole("checkbox", { name: /Add only the valid ones/ }).check();
    await page.getByRole("button", { name: "Add Contacts", exact: true }).click();
    await page.getByText("+2348030000001").waitFor();
  });
});

describe("a messy file", () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => {
    if (index === 10) return "Bola,2.34803E+12";
    if (index === 4_000) return "Chi,8001234567";
    return `Ada ${index},${index % 2 === 0 ? `0${phoneNo(index).slice(3)}` : `+234 ${phoneNo(index).slice(3)}`}`;
  });
  const file = {
    name: "contacts.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`\u{feff}Name;Phone\r\n${rows.join("\r\n").replaceAll(",", ";")}`),
  };

  test("is looked at, put right and uploaded; the catalog is searched, and a contact goes in both windows", async ({
    visit,
    product,
  }) => {
    const customer = await registerCustomer(product);
    const { page, openTab } = await visit();
    await signInCustomer(page, { email: customer.email, password: "a-long-enough-secret" });
    await page.goto("/user-dashboard/upload-new-contacts");
    await page.getByRole("textbox", { name: "Catalog name" }).fill("From a spreadsheet");
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByText("4,998 contacts").first().waitFor();
    const wrong = page.getByRole("region", { name: "Wrong numbers" });
    expect(await wrong.getByRole("listitem").allTextContents()).toEqual([
      expect.stringMatching(/^Line 122.34803E\+12was shortened/),
      expect.stringMatching(/^Line 4,0028001234567does not begin/),
    ]);
    await expectSoundIn(page, "contacts file");

    const download = page.waitForEvent("download");
    await wrong.getByRole("button", { name: "Download as CSV" }).click();
    expect((await download).suggestedFilename()).toBe("wrong-rows.csv");
    await wrong.getByRole("checkbox", { name: /Add only the valid ones/ }).check();
    await page.getByRole("button", { name: "Add to a new catalog" }).click();
    await page.waitForURL("**/all-contacts");
    await page.getByText("4,998 contacts added, 2 wrong left out").waitFor();

    await page.getByRole("link", { name: "From a spreadsheet" }).click();
    await page.getByRole("searchbox", { name: "Search contacts by digits" }).fill("0002468");
    const cell = page.getByRole("button", { name: `Delete +${phoneNo(2_468)}` });
    await cell.waitFor();
    const other = await openTab();
    await other.goto(page.url());
    await other.getByText(`+${phoneNo(2_468)}`).waitFor();
    await cell.click();
    await expectSoundIn(page, "contacts delete");
    await page.getByRole("button", { name: "Proceed" }).click();
    await page.getByText("Deleted Successfully").waitFor();
    for (const window of [page, other]) {
      await window.getByText("Nothing matches").waitFor();
      await window.getByText("4,997 contacts").waitFor();
    }
  });
});

describe("a catalog of 100,000", () => {
  test("draws what is on screen, and the end is as near as the beginning", async ({ visit, product }) => {
    const customer = await registerCustomer(product);
    const numbers = Array.from({ length: 100_000 }, (_, index) => phoneNo(index)).join(",");
    const { status, body } = await customer.call<{ data: { _id: string } }>(
      "POST",
      `/api/${customer.actorId}/insert-to-new-tel`,
      { catalogName: "Everybody", code: "234", phoneNo: numbers },
    );
    expect(status).toBe(201);
    const { page } = await visit();
    await signInCustomer(page, { email: customer.email, password: "a-long-enough-secret" });
    await page.goto(`/user-dashboard/set-catalogs/${body.data._id}/any`);
    await page.getByText(`+${phoneNo(0)}`).waitFor();
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.getByText(`+${phoneNo(99_999)}`).waitFor();
    expect(await page.getByRole("list", { name: "Contacts" }).getByRole("listitem").count()).toBeLessThan(200);
    await expectSoundIn(page, "contacts many");
  });
});
