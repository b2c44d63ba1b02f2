/** Two windows of one customer, side by side, and what changes in the account that both show. */
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { equipCustomer, registerCustomer, send, signIn, type Answer, type ApiClient } from "./api-client.ts";
import type { BrowserFixtures } from "./browser.ts";
import type { Product } from "./product.ts";
import { signInCustomer } from "./sign-in-by-hand.ts";

const startUnits = 1_000;
export const password = "a-long-enough-secret";

export type Shop = { customer: ApiClient & { email: string }; admin: ApiClient; product: Product };

export async function openShop(product: Product): Promise<Shop> {
  const customer = await registerCustomer(product);
  await equipCustomer(product, customer, startUnits, "SHOP");
  return { customer, admin: await signIn(product, product.demo.admin, "admin"), product };
}

export const message = { senderName: "SHOP", phoneNo: "2348030000001", code: "234" };

/** Something that changes in the account, and where both windows show it. */
export type Change = {
  what: string;
  path: string;
  selector: string;
  /** Makes the change. */
  make: (shop: Shop, text: string) => Promise<Answer<unknown>>;
  /** What is to be seen, different each time. */
  text: (round: number) => string;
};

export const header = "header";
export const main = "main";

export const changes: readonly Change[] = [
  {
    what: "units",
    path: "/user-dashboard",
    selector: header,
    make: ({ admin, customer: { email } }) =>
      admin.call(
        "PATCH",
        `/api/${admin.actorId}/credit-a-user`,
        { email, units: 1 },
        { "idempotency-key": randomUUID() },
      ),
    text: (round) => `1,00${round}.00`,
  },
  {
    what: "drafts",
    path: "/user-dashboard/drafted-sms",
    selector: main,
    make: ({ customer }, text) =>
      customer.call("POST", `/api/${customer.actorId}/draft-message`, { ...message, message: text }),
    text: (round) => `Draft number ${round}`,
  },
  {
    what: "catalogs",
    path: "/user-dashboard/all-contacts",
    selector: main,
    make: ({ customer }, text) =>
      customer.call("POST", `/api/${customer.actorId}/create-catalog`, { catalogName: text, code: "234" }),
    text: (round) => `Catalog number ${round}`,
  },
  {
    what: "history",
    path: "/user-dashboard/sms-history",
    selector: main,
    make: ({ customer }, text) => send(customer, { ...message, message: text }),
    text: (round) => `Message number ${round}`,
  },
];

type Visit = BrowserFixtures["visit"];

/** Two windows side by side, of one session: a tab behind another draws once a second only. */
export async function openBoth(visit: Visit, account: { email: string }): Promise<[Page, Page]> {
  const { page, context } = await visit();
  await signInCustomer(page, { email: account.email, password });
  const other = await visit({ profile: await context.storageState() });
  return [page, other.page];
}
