/** An ugly spreadsheet becomes a send in which each person gets a text of their own. */
import { Buffer } from "node:buffer";
import { expect } from "vitest";
import { equipCustomer, registerCustomer } from "./testing/api-client.ts";
import { sharedBrowserTest as test } from "./testing/browser.ts";
import { expectSoundIn } from "./testing/looks.ts";
import { signInCustomer } from "./testing/sign-in-by-hand.ts";

/** A title above the headings, semicolons, a dropped 0, a 0 behind the code, a sum that is missing, and lost digits. */
const UGLY = [
  "CUSTOMERS OF MARCH;;;",
  "S/N;Customer Name;GSM;Balance",
  "1;Ada Obi;8030000001;1.500,00",
  "2;Bola;+234 (0) 805 000 0002;",
  "3;Chi;2,34803E+12;300",
].join("\r\n");

test("an ugly spreadsheet, a text with fields, and what each person got", async ({ visit, product }) => {
  const customer = await registerCustomer(product);
  await equipCustomer(product, customer, 100, "ADASTORES");
  const { page } = await visit();
  await signInCustomer(page, { email: customer.email, password: "a-long-enough-secret" });
  await page.goto("/user-dashboard/ewebal/send-sms");
  await page.getByLabel("File with recipients").setInputFiles({
    name: "customers.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(UGLY),
  });
  const step = page.getByRole("dialog", { name: "Add recipients with their fields" });
  await step.getByText("1 row left out").waitFor();
  expect(await step.getByRole("combobox", { name: "Headings stand in" }).inputValue()).toBe("2");
  await step.getByRole("combobox", { name: "S/N holds" }).selectOption("Leave out");
  await step.getByText("{{s_n}}").waitFor({ state: "hidden" });
  await expectSoundIn(page, "personal columns");
  await step.getByRole("button", { name: "Add 2 recipients" }).click();
  await step.waitFor({ state: "hidden" });

  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill("Dear [customer_name], you owe {{balance}}");
  await page.getByRole("button", { name: "Use {{customer_name}}" }).click();
  await page.getByText("1 recipient lacks a value").waitFor();
  await page.getByText("Dear Ada Obi, you owe 1.500,00").waitFor();
  await expectSoundIn(page, "personal missing");
  await page.getByRole("textbox", { name: "1 recipient without Balance: write instead" }).fill("nothing");
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("button", { name: "Next recipient" }).click();
  await page.getByText("Dear Bola, you owe nothing").waitFor();
  await expectSoundIn(page, "personal preview");

  await page.getByRole("button", { name: "Send SMS" }).click();
  await page.waitForURL("**/sms-history");
  await page.getByRole("link", { name: /^Dear \{\{customer_name\}\}/ }).click();
  await page.getByText("Dear Ada Obi, you owe 1.500,00 1 page").waitFor();
  await page.getByText("Dear Bola, you owe nothing 1 page").waitFor();
  await expectSoundIn(page, "personal texts");
});
