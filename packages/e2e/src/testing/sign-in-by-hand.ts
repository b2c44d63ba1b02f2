import type { Page } from "playwright-core";
import type { Account } from "./product.ts";

/** Signs a customer in as a person does, and waits for the dashboard. */
export async function signInCustomer(page: Page, account: Account): Promise<void> {
  await page.goto("/login");
  await fillIn(page, account);
  await page.waitForURL("**/user-dashboard");
  await page.getByRole("heading", { level: 1, name: "Basement" }).waitFor();
}

/** Signs an administrator in as a person does, and waits for the dashboard. */
export async function signInAdmin(page: Page, account: Account): Promise<void> {
  await page.goto("/admin-login-page");
  await fillIn(page, account);
  await page.waitForURL("**/admin-dashboard");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

async function fillIn(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
}
