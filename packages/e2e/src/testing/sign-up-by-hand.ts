import type { Visitor } from "./browser.ts";
import { expectNoAxeFindings } from "./page-checks.ts";
import { waitUntil } from "./product.ts";

export type Newcomer = { fullName: string; userName: string; email: string; password: string; phoneNo: string };

/**
 * Registers as a person does: from the home page, through the mail in the mailbox, to the first sight of the dashboard.
 */
export async function signUpByHand({ page, context }: Visitor, newcomer: Newcomer): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "Register", exact: true }).first().click();
  await page.getByLabel("Full Name").fill(newcomer.fullName);
  await page.getByLabel("User Name").fill(newcomer.userName);
  await page.getByLabel("Email").fill(newcomer.email);
  await page.getByLabel("Password", { exact: true }).fill(newcomer.password);
  await page.getByLabel("Confirm Password", { exact: true }).fill(newcomer.password);
  await page.getByLabel("Tel").fill(newcomer.phoneNo);
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.waitForURL("**/message");

  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "Open the mailbox" }).click();
  const mailbox = await opened;
  const link = mailbox.locator("article", { hasText: `To ${newcomer.email}` }).getByRole("link");
  await waitUntil(
    async () => {
      await mailbox.getByRole("link", { name: "Refresh" }).click();
      return (await link.count()) === 1;
    },
    "the mail in the mailbox",
    { everyMs: 200 },
  );
  await expectNoAxeFindings(mailbox);
  await link.click();
  await mailbox.getByText("You can login to your dashboard").waitFor();
  await mailbox.close();

  await page.getByRole("link", { name: "Login" }).first().click();
  await page.getByLabel("Email").fill(newcomer.email);
  await page.getByLabel("Password", { exact: true }).fill(newcomer.password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Basement" }).waitFor();
}
