/**
 * The customer's error catalogue (specification, section 8), made real: each row has a cause that the real server, or a cut
 * network, answers to, and is read off the page word for word.
 */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { equipCustomer, registerCustomer, send, signIn, type ApiClient } from "./testing/api-client.ts";
import { sharedBrowserTest as test, type Visitor } from "./testing/browser.ts";
import { settle, waitForText } from "./testing/page-checks.ts";
import type { Product } from "./testing/product.ts";
import { whitePng } from "./testing/report-deposit.ts";
import { signInCustomer } from "./testing/sign-in-by-hand.ts";
import { expectTold, waitForWords, type Told } from "./testing/told.ts";

const password = "a-long-enough-secret";
const main = "main";
const networkLost = { title: "No Internet Connection", text: "Please check your network" } as const;

type Shop = { customer: ApiClient & { email: string }; admin: ApiClient };

/** @returns a customer with units and the name SHOP, who is signed in on the page. */
async function openShop(product: Product, { page }: Visitor, units = 500): Promise<Shop> {
  const customer = await registerCustomer(product);
  if (units > 0) await equipCustomer(product, customer, units, "SHOP");
  const admin = await signIn(product, product.demo.admin, "admin");
  await signInCustomer(page, { email: customer.email, password });
  return { customer, admin };
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

describe("registering", () => {
  async function fillIn(page: Page, email: string): Promise<void> {
    await page.goto("/register");
    for (const [label, value] of [
      ["Full Name", "Ada Obi"],
      ["User Name", "Ada"],
      ["Email", email],
      ["Tel", "08012345678"],
    ] as const)
      await page.getByLabel(label).fill(value);
    for (const label of ["Password", "Confirm Password"]) await page.getByLabel(label, { exact: true }).fill(password);
  }

  test("201 leads to /message, 409 and a lost network stay", async ({ visit, product }) => {
    const visitor = await visit();
    const { page } = visitor;
    const call = /\/create-user$/;
    const create = (): Promise<void> => press(page, "Create Account");
    await fillIn(page, product.demo.customer.email);
    await expectTold(visitor, { call, status: 409, text: "Email already registered" }, create);
    await fillIn(page, "somebody.new@gmail.com");
    await expectTold(visitor, { call, status: "none", ...networkLost }, create);
    await expectTold(visitor, { call, status: 201, text: "A Mail has been sent to you", leadsTo: "/message" }, create);

    await page.goto("/login");
    await page.getByLabel("Email").fill("somebody.new@gmail.com");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await expectTold(
      visitor,
      { call: /\/sign-in-user$/, status: 401, text: "You have not verified your account" },
      () => press(page, "Login"),
    );
  });
});

describe("signing in", () => {
  const call = /\/sign-in-user$/;
  const cases: readonly { who: string; email: (product: Product) => string; told: Omit<Told, "call">; way?: string }[] =
    [
      {
        who: "an unknown email",
        email: () => "nobody.at.all@gmail.com",
        told: { status: 404, text: "Email is not registered" },
        way: "/register",
      },
      {
        who: "a wrong password",
        email: ({ demo }) => demo.customer.email,
        told: { status: 400, text: "Try again or reset your password" },
        way: "/reset-password",
      },
      { who: "a lost network", email: ({ demo }) => demo.customer.email, told: { status: "none", ...networkLost } },
    ];

  test.for(cases)("$who", async ({ email, told, way }, { visit, product }) => {
    const visitor = await visit();
    const { page } = visitor;
    await page.goto("/login");
    await page.getByLabel("Email").fill(email(product));
    await page.getByLabel("Password", { exact: true }).fill("not-the-password");
    await expectTold(visitor, { call, ...told }, () => press(page, "Login"));
    if (way === undefined) return;
    await page.getByRole("alert").getByRole("link").click();
    await page.waitForURL(`**${way}`);
  });
});

describe("a new password", () => {
  test("asking for it: 404 stays, 401 sends the mail and leads to /reset-message", async ({ visit, product }) => {
    const visitor = await visit();
    const { page } = visitor;
    const call = /\/reset-user-password$/;
    await page.goto("/reset-password");
    await page.getByLabel("Email").fill("nobody.at.all@gmail.com");
    await expectTold(visitor, { call, status: 404, text: "This email is not in our record" }, () =>
      press(page, "Send the link"),
    );
    await page.getByLabel("Email").fill(product.demo.customer.email);
    await expectTold(
      visitor,
      { call, status: 401, text: "Visit mail for Reset Password Verification", leadsTo: "/reset-message" },
      () => press(page, "Send the link"),
    );
  });

  test("choosing it: a lost network and a dead link say so", async ({ visit }) => {
    const visitor = await visit();
    const { page } = visitor;
    const call = /\/change-user-password$/;
    await page.goto("/no-such-token/reset-user-password");
    await page.getByLabel("New Password", { exact: true }).fill("another-secret");
    await expectTold(visitor, { call, status: "none", ...networkLost }, () => press(page, "Change Password"));
    await expectTold(visitor, { call, status: 400 }, () => press(page, "Change Password"));
  });
});

type SendCase = {
  what: string;
  /** What makes the server answer so. */
  prepare?: (shop: Shop, page: Page) => Promise<void>;
  undo?: (shop: Shop, page: Page) => Promise<void>;
  senderName?: string;
  message?: string;
  phoneNo?: string;
  told: Omit<Told, "call">;
};

const listedNumber = "2348030000077";
const sendCall = /\/send-bulk-sms$/;

const numbersBeyondBalance = Array.from({ length: 300 }, (_, index) => 2_348_030_000_100 + index).join(",");

/** Puts other numbers into a send between the page and the server. */
async function exchangeNumbers(page: Page, phoneNo: string): Promise<void> {
  await page.route(
    sendCall,
    async (route) => await route.continue({ postData: { ...(route.request().postDataJSON() as object), phoneNo } }),
  );
}

async function limitTo({ customer, admin }: Shop, recipientsMax: number | null): Promise<void> {
  const { status } = await admin.call("PATCH", `/api/${admin.actorId}/set-daily-limit`, {
    userId: customer.actorId,
    code: "234",
    recipientsMax,
  });
  expect(status).toBe(200);
}

/** The customer has an approved address that this browser does not have, and lets the dashboard send from there only. */
async function restrictToAddress({ customer, admin }: Shop, page: Page): Promise<void> {
  const { body } = await customer.call<{ data: { _id: string }[] }>(
    "POST",
    `/api/${customer.actorId}/source-whitelist`,
    { ip: "102.89.23.104" },
  );
  expect((await admin.call("PATCH", `/api/${body.data[0]?._id}/approve-whitelist-request`)).status).toBe(200);
  await page.goto("/user-dashboard/whitelists");
  const answered = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.getByRole("switch", { name: "Send from these addresses only" }).click();
  expect((await answered).status()).toBe(200);
}

/** One customer of 500 units meets them in this order. */
const sendCases: readonly SendCase[] = [
  {
    what: "nothing in its way",
    told: { status: 200, text: "1 recipient, 3.00 units charged, 497.00 left", leadsTo: "/user-dashboard/sms-history" },
  },
  { what: "a lost network", told: { status: "none", ...networkLost } },
  {
    what: "a sender name that is not approved",
    senderName: "OTHER",
    told: { status: 409, text: "Send the Id for whitelisting", leadsTo: "/user-dashboard/whitelists" },
  },
  {
    what: "a number of another country",
    // The form itself would not send it: the number is exchanged on its way.
    prepare: async (_, page) => await exchangeNumbers(page, "447911123456"),
    undo: async (_, page) => await page.unroute(sendCall),
    told: { status: 400, text: "You are passing the wrong country code" },
  },
  {
    what: "the account's limit",
    prepare: (shop) => limitTo(shop, 0),
    undo: (shop) => limitTo(shop, null),
    told: { status: 402 },
  },
  {
    what: "too few units",
    // The form itself would not send it: the units are gone once it is on its way.
    prepare: async (_, page) => await exchangeNumbers(page, numbersBeyondBalance),
    undo: async (_, page) => await page.unroute(sendCall),
    told: { status: 401, text: "You need to buy SMS Units", leadsTo: "/user-dashboard/buy-sms" },
  },
  { what: "a text that no carrier takes", message: "😀".repeat(1_100), told: { status: 550 } },
  {
    what: "a listed number",
    prepare: async ({ admin }) => {
      expect(
        (await admin.call("POST", `/api/${admin.actorId}/add-dnd-numbers`, { phoneNo: listedNumber })).status,
      ).toBe(201);
    },
    phoneNo: `${listedNumber},2348030000001`,
    told: {
      status: 503,
      title: "Message Sent",
      text: "DND Phone numbers Detected...",
      leadsTo: "/user-dashboard/sms-history",
    },
  },
  {
    what: "an address that is not approved",
    prepare: restrictToAddress,
    told: { status: 403, text: "Send your IP Address for whitelisting", leadsTo: "/user-dashboard/whitelists" },
  },
];

describe("sending", () => {
  async function expectCase(
    visitor: Visitor,
    shop: Shop,
    { prepare, undo, senderName = "SHOP", message = "Hello", phoneNo = "2348030000001", told }: SendCase,
  ): Promise<void> {
    const { page } = visitor;
    await prepare?.(shop, page);
    await page.goto("/user-dashboard/ewebal/send-sms");
    await page.getByText("Approved. For another name").waitFor();
    await page.getByRole("textbox", { name: "Sender name" }).fill(senderName);
    await page.getByRole("textbox", { name: "Message" }).fill(message);
    await page.getByRole("textbox", { name: "Recipients" }).fill(phoneNo);
    await expectTold(visitor, { call: sendCall, ...told }, () => press(page, "Send SMS"));
    // What was refused is still there.
    if (told.leadsTo === undefined)
      expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe(message);
    await undo?.(shop, page);
  }

  test("each answer has its words, and leads where the specification says", async ({ visit, product }) => {
    const visitor = await visit();
    const shop = await openShop(product, visitor);
    for (const sendCase of sendCases) {
      await expectCase(visitor, shop, sendCase).catch((error: unknown) => {
        throw new Error(`With ${sendCase.what}: ${String(error)}`, { cause: error });
      });
    }
  });

  test("to a catalog of another country than the chosen one has the dialog's words", async ({ visit, product }) => {
    const visitor = await visit();
    const { page } = visitor;
    const { customer } = await openShop(product, visitor);
    await customer.call("POST", `/api/${customer.actorId}/insert-to-new-tel`, {
      catalogName: "Customers",
      code: "234",
      phoneNo: "2348030000001",
    });
    await page.goto("/user-dashboard/all-contacts");
    await page.getByRole("link", { name: "Customers" }).click();
    await press(page, "Send SMS");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Country" }).fill("Ghana");
    await dialog.getByRole("option", { name: /^Ghana/ }).click();
    await dialog.getByRole("textbox", { name: "Message" }).fill("Hello");
    await dialog.getByRole("region", { name: "SMS charge" }).getByText("16.50").first().waitFor();
    await expectTold(visitor, { call: sendCall, status: 400, text: "Phone Number starts with 234" }, () =>
      dialog.getByRole("button", { name: "Send SMS" }).click(),
    );
  });

  test("a draft that cannot be kept leaves everything where it is", async ({ visit, product }) => {
    const visitor = await visit();
    const { page } = visitor;
    await openShop(product, visitor);
    await page.goto("/user-dashboard/ewebal/send-sms");
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    await page.getByRole("textbox", { name: "Recipients" }).fill("2348030000001");
    const told = {
      call: /\/draft-message$/,
      status: "none",
      title: "Can't add to drafts",
      text: "This might be due to network issues",
    } as const;
    await expectTold(visitor, told, () => press(page, "Draft SMS"));
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("Hello");
  });
});

describe("bank deposits", () => {
  async function fillIn(page: Page, receipt: Buffer): Promise<void> {
    await page.goto("/user-dashboard/buy-sms");
    const values = [
      ["Depositor's name", "Ada Obi"],
      ["Amount deposited", "5000"],
      ["Phone number", "08012345678"],
      ["Teller ID", "T-1"],
      ["Transaction date", "2026-01-05"],
    ] as const;
    await page.getByRole("button", { name: "Fill in details" }).waitFor();
    for (const [label, value] of values) await page.getByLabel(label).fill(value);
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: "receipt.png", mimeType: "image/png", buffer: receipt });
  }

  test("a receipt that is none is refused in the catalogue's words; what is reported is only deleted with a network", async ({
    visit,
    product,
  }) => {
    const visitor = await visit();
    const { page } = visitor;
    await openShop(product, visitor);
    const call = /\/submit-transfer-details$/;
    await fillIn(page, Buffer.from("This is no picture"));
    const refused = {
      call,
      status: 400,
      title: "Invalid Response",
      text: "This may be as a result of incomplete credentials",
    } as const;
    await expectTold(visitor, refused, () => press(page, "Submit Details"));
    await fillIn(page, whitePng);
    await expectTold(visitor, { call, status: 201, leadsTo: "/user-dashboard/transactions" }, () =>
      press(page, "Submit Details"),
    );

    await press(page, "Delete ₦5,000.00 by Ada Obi");
    await expectTold(
      visitor,
      {
        call: /\/delete-details$/,
        status: "none",
        title: "Unable to delete",
        text: "No Internet Connection. Please check your network",
      },
      () => press(page, "Proceed"),
    );
    await press(page, "Delete ₦5,000.00 by Ada Obi");
    await expectTold(visitor, { call: /\/delete-details$/, status: 202, title: "Deleted Successfully" }, () =>
      press(page, "Proceed"),
    );
    await page.getByText("There are no transactions made currently...").waitFor();
  });
});

describe("profile", () => {
  test("a failed update says so with the specified hint, a saved one leads to the summary", async ({
    visit,
    product,
  }) => {
    const visitor = await visit();
    const { page } = visitor;
    await openShop(product, visitor);
    const call = /\/update-personal-info$/;
    await page.goto("/user-dashboard/update-tel");
    await page.getByLabel("User Name").fill("Shopkeeper");
    await expectTold(visitor, { call, status: "none", ...networkLost }, () => press(page, "Update Info"));
    // A server that broke is played here: the real one does not break on demand.
    await page.route(
      call,
      async (route) =>
        await route.fulfill({ status: 500, json: { message: "Something went wrong on our side", code: "INTERNAL" } }),
      { times: 1 },
    );
    await expectTold(visitor, { call, status: 500, text: "Check your internet connection" }, () =>
      press(page, "Update Info"),
    );
    await expectTold(visitor, { call, status: 200, leadsTo: "/user-dashboard/profile-info" }, () =>
      press(page, "Update Info"),
    );
  });
});

describe("contacts", () => {
  test("what fails in the phonebook says so in its own words", async ({ visit, product }) => {
    const visitor = await visit();
    const { page } = visitor;
    const { customer } = await openShop(product, visitor, 0);
    await page.goto("/user-dashboard/all-contacts");
    await page.getByText("There are no catalogs here...").waitFor();
    await press(page, "Create New Catalog");
    await page.getByRole("textbox", { name: "Catalog name" }).fill("Customers");
    const create = {
      call: /\/create-catalog$/,
      title: "Error creating catalog",
      text: "Check your network connectivity",
    } as const;
    await expectTold(visitor, { ...create, status: "none" }, () => press(page, "Create Catalog"));
    await page.keyboard.press("Escape");

    await customer.call("POST", `/api/${customer.actorId}/insert-to-new-tel`, {
      catalogName: "Customers",
      code: "234",
      phoneNo: "2348030000001",
    });
    await page.getByRole("button", { name: "Edit the name of Customers" }).click();
    await page.getByRole("textbox", { name: "Catalog name" }).fill("Regulars");
    await expectTold(
      visitor,
      {
        call: /\/edit-catalog$/,
        status: "none",
        title: "Can't Edit",
        text: "No Internet Connection. Please check your network",
      },
      () => press(page, "Save Name"),
    );
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: "Customers" }).click();
    const told = { status: "none", text: "Check your credentials or network" } as const;
    await press(page, "Add contacts");
    await page.getByRole("textbox", { name: "Phone numbers" }).fill("08030000002");
    await expectTold(visitor, { ...told, call: /\/add-contacts$/, title: "Unable to Add Contacts" }, () =>
      press(page, "Add Contacts"),
    );
    await page.keyboard.press("Escape");
    await press(page, "Delete +2348030000001");
    await expectTold(visitor, { ...told, call: /\/delete-contact$/, title: "Unable to delete contact" }, () =>
      press(page, "Proceed"),
    );
    await press(page, "Delete +2348030000001");
    await expectTold(visitor, { call: /\/delete-contact$/, status: 200, title: "Deleted Successfully" }, () =>
      press(page, "Proceed"),
    );
    await page.getByText("There are no contacts").waitFor();
  });

  test("an import that the server refuses has the server's text, one that is lost the catalogue's", async ({
    visit,
    product,
  }) => {
    const visitor = await visit();
    const { page } = visitor;
    await openShop(product, visitor, 0);
    const call = /\/insert-to-new-tel$/;
    await page.goto("/user-dashboard/upload-new-contacts");
    await page.getByRole("textbox", { name: "Catalog name" }).fill("Customers");
    await page.getByText("Insert numbers", { exact: true }).click();
    await page.getByRole("textbox", { name: "Phone numbers" }).fill("08030000001");
    await expectTold(visitor, { call, status: "none", title: "Upload Error", text: "Check your Network" }, () =>
      press(page, "Add to a new catalog"),
    );
    // The form itself would not send it: the number is exchanged on its way.
    await page.route(
      call,
      async (route) =>
        await route.continue({ postData: { ...(route.request().postDataJSON() as object), phoneNo: "12345" } }),
      { times: 1 },
    );
    await expectTold(visitor, { call, status: 400 }, () => press(page, "Add to a new catalog"));
    await expectTold(visitor, { call, status: 201, leadsTo: "/user-dashboard/all-contacts" }, () =>
      press(page, "Add to a new catalog"),
    );
  });
});

test("whitelist requests that fail are called Credentials Error", async ({ visit, product }) => {
  const visitor = await visit();
  const { page } = visitor;
  await openShop(product, visitor);
  const call = /\/source-whitelist$/;
  await page.goto("/user-dashboard/whitelists");
  await page.getByLabel("IP Address").fill("999.999.999.999");
  await expectTold(visitor, { call, status: 400, title: "Credentials Error" }, () => press(page, "Request IP address"));
  await page.getByLabel("Sender ID").fill("AdaStores");
  await expectTold(
    visitor,
    { call, status: "none", title: "Credentials Error", text: "No Internet Connection. Please check your network" },
    () => press(page, "Request sender ID"),
  );
});

test("empty lists say so word for word, and deleting the last entry leads there", async ({ visit, product }) => {
  const { page } = await visit();
  const visitor = { page } as Visitor;
  const { customer } = await openShop(product, visitor);
  await send(customer, { senderName: "SHOP", message: "Hello", phoneNo: "2348030000001", code: "234" });
  await page.goto("/user-dashboard/sms-history");
  await waitForText(page, main, "1 delivered", 15_000);
  await press(page, "Delete the message from SHOP");
  await press(page, "Proceed");
  await waitForWords(page, "Deleted Successfully");
  const sentences = [
    ["sms-history", "There are no current messages..."],
    ["scheduled-sms", "There are no current messages..."],
    ["drafted-sms", "There are no current drafts..."],
    ["transactions", "There are no transactions made currently..."],
    ["all-contacts", "There are no catalogs here..."],
  ] as const;
  for (const [path, sentence] of sentences) {
    await page.goto(`/user-dashboard/${path}`);
    await page.getByText(sentence, { exact: true }).waitFor();
  }
});

test("a page whose code cannot be fetched is the fallback page, with the way to the login and to support", async ({
  visit,
  product,
}) => {
  const open = async (page: Page): Promise<void> =>
    await page.getByRole("navigation").getByRole("link", { name: "Whitelists" }).click();
  const before = await visit();
  await signInCustomer(before.page, product.demo.customer);
  await settle(before.page);
  const parts = new Set<string>();
  before.page.on("request", (request) => request.resourceType() === "script" && parts.add(request.url()));
  await open(before.page);
  await before.page.getByRole("heading", { level: 1, name: "Whitelists" }).waitFor();
  expect(parts.size).toBeGreaterThan(0);

  const { page, announce } = await visit();
  announce(/^failed: GET \/assets\/\S+\.js net::ERR_INTERNET_DISCONNECTED$/);
  // What the browser and React say of it.
  announce(/^(?:console|error): .*dynamically imported module/s);
  await signInCustomer(page, product.demo.customer);
  await settle(page);
  await page.route(
    (url) => parts.has(url.href),
    async (route) => await route.abort("internetdisconnected"),
  );
  await open(page);
  await page.getByRole("heading", { level: 1, name: "500 Network Error" }).waitFor();
  expect(await page.getByRole("link", { name: "Login again" }).getAttribute("href")).toBe("/login");
  await page.getByRole("link", { name: "support@ewebal.com" }).waitFor();
});
