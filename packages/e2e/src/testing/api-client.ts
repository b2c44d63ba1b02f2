/** Speaks the product's HTTP interface as a program of a customer would: with a token in the header. */
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { MessageAnswer, SendAnswer, UserAnswer } from "@ewebal/contract";
import { waitUntil, type Account, type Product } from "./product.ts";

export type Answer<T> = { status: number; body: T };

export type ApiClient = {
  actorId: string;
  /** The header that proves who asks. */
  authorization: string;
  call: <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer<T>>;
  /** The same client at another host of the installation. */
  at: (url: string) => ApiClient;
};

/** Signs in and keeps the token. */
export async function signIn(
  product: Pick<Product, "url">,
  account: Account,
  kind: "user" | "admin" = "user",
): Promise<ApiClient> {
  const { body } = await request<{ data: string }>(product.url, "POST", `/api/sign-in-${kind}`, account, {});
  const payload = JSON.parse(Buffer.from(body.data.split(".")[1] ?? "", "base64url").toString()) as { id: string };
  const authorization = `Bearer ${body.data}`;
  const at = (url: string): ApiClient => ({
    actorId: payload.id,
    authorization,
    call: (method, path, requestBody, headers = {}) =>
      request(url, method, path, requestBody, { authorization, ...headers }),
    at,
  });
  return at(product.url);
}

/** Registers, reads the mail, verifies and signs in: a customer without units. */
export async function registerCustomer(
  product: Product,
  {
    email = `shop.${randomUUID().slice(0, 8)}@gmail.com`,
    userName = "Shop",
    fullName = "Shop Owner",
  }: Partial<Record<"email" | "userName" | "fullName", string>> = {},
): Promise<ApiClient & { email: string }> {
  const password = "a-long-enough-secret";
  await request(
    product.url,
    "POST",
    "/api/create-user",
    { userName, fullName, email, password, phoneNo: "8012345678" },
    {},
  );
  const link = await findLink(product, email, /http\S+\/([^/\s]+)\/verify-user/);
  await request(product.url, "GET", `/api/${link}/verify-user`, undefined, {});
  return { email, ...(await signIn(product, { email, password })) };
}

/** @returns the first group of the pattern in the newest mail to an address. */
export async function findLink(product: Product, email: string, pattern: RegExp): Promise<string> {
  let found: string | undefined;
  await waitUntil(async () => {
    found = (await readMails(product))
      .filter((mail) => mail.includes(email))
      .map((mail) => pattern.exec(mail)?.[1])
      .findLast((link) => link !== undefined);
    return found !== undefined;
  }, `a mail to ${email}`);
  return found ?? "";
}

/** Every kept mail, oldest first, with soft line breaks and escapes of quoted-printable undone. */
async function readMails(product: Product): Promise<string[]> {
  const folder = join(product.dataDir, "mailbox");
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  // A mail that is still being written has another ending.
  const kept = names.filter((name) => name.endsWith(".eml"));
  const mails = await Promise.all(
    kept.toSorted((one, other) => one.localeCompare(other)).map((name) => readFile(join(folder, name), "utf8")),
  );
  return mails.map((mail) =>
    mail
      .replace(/=\r?\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

/** Gives a customer units and a sender name, through the administrator's calls. */
export async function equipCustomer(
  product: Product,
  customer: { email: string },
  units: number,
  senderName: string,
): Promise<void> {
  const admin = await signIn(product, product.demo.admin, "admin");
  await admin.call(
    "PATCH",
    `/api/${admin.actorId}/credit-a-user`,
    { email: customer.email, units },
    { "idempotency-key": randomUUID() },
  );
  await admin.call("PATCH", `/api/${admin.actorId}/whitelist-user-senderID`, { email: customer.email, senderName });
}

export async function readUser(customer: ApiClient): Promise<UserAnswer> {
  const { body } = await customer.call<{ data: UserAnswer }>("GET", `/api/${customer.actorId}/view-one-user`);
  return body.data;
}

/** Every rule of the ledger holds, as an administrator is told. */
export async function expectExactLedger(product: Pick<Product, "url" | "demo">): Promise<void> {
  const admin = await signIn(product, product.demo.admin, "admin");
  const { body } = await admin.call<{ details: { ledger: { name: string; violations: number }[] } }>("GET", "/readyz");
  expect(body.details.ledger.length).toBeGreaterThan(5);
  expect(body.details.ledger.filter(({ violations }) => violations !== 0)).toEqual([]);
}

/** @returns undefined for any answer but 200. */
export async function findMessage(customer: ApiClient, messageId: string): Promise<MessageAnswer | undefined> {
  const { status, body } = await customer.call<{ data: MessageAnswer }>(
    "GET",
    `/api/${customer.actorId}/${messageId}/view-one-sms`,
  );
  return status === 200 ? body.data : undefined;
}

export async function send(
  customer: ApiClient,
  body: { senderName: string; message: string; phoneNo: string; code: string },
  key: string = randomUUID(),
): Promise<Answer<SendAnswer>> {
  return customer.call("POST", `/api/${customer.actorId}/send-bulk-sms`, body, { "idempotency-key": key });
}

/** @returns undefined when the connection ended, or the time was over, before an answer came; any other error is thrown. */
export async function orNoAnswer<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    // What fetch throws for every fault of a connection.
    if (error instanceof TypeError || (error instanceof Error && error.name === "TimeoutError")) return undefined;
    throw error;
  }
}

/**
 * Distinct Nigerian numbers, none of whose endings means anything to the simulator.
 * @param count up to 1,000,000.
 */
export function makeNumbers(count: number): string[] {
  // The simulator reads failures from the last four digits, 9901 to 9910.
  const endings = 9_900;
  return Array.from(
    { length: count },
    (_, index) => `23480${30_000_000 + Math.floor(index / endings) * 10_000 + (index % endings)}`,
  );
}

async function request<T>(
  url: string,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer<T>> {
  const response = await fetch(`${url}${path}`, {
    method,
    // A form brings its own type, with the boundary between its parts.
    headers: {
      ...(body !== undefined && !(body instanceof FormData) && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as T };
}
