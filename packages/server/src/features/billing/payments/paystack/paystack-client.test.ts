import { describe, expect, test as base } from "vitest";
import { FAKE_SECRET_KEY, type FakePaystack, startFakePaystack } from "../testing/fake-paystack.ts";
import {
  beginTransaction,
  findTransaction,
  isCheckoutAddress,
  type PaystackSettings,
  ProviderUnclearError,
} from "./paystack-client.ts";

const test = base.extend<{ paystack: FakePaystack; settings: PaystackSettings }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  paystack: async ({}, use) => {
    const paystack = await startFakePaystack();
    await use(paystack);
    await paystack.close();
  },
  settings: async ({ paystack }, use) => {
    await use({ secretKey: FAKE_SECRET_KEY, baseUrl: paystack.url, transport: fetch });
  },
});

const beginning = {
  email: "ada@gmail.com",
  totalKobo: 65_750,
  reference: "EWB-1",
  callbackUrl: "http://shop.example/user-dashboard/buy-sms",
};

describe("when the answer makes no sense, nobody knows what happened", () => {
  test.for([
    ["no answer in time", () => undefined],
    ["a server error", (_, response) => response.writeHead(500).end("oops")],
    ["too many calls", (_, response) => response.writeHead(429).end("{}")],
    ["a page instead of JSON", (_, response) => response.writeHead(200).end("<html>")],
    ["a broken connection", (request) => request.socket.destroy()],
    ["half an answer", (_, response) => response.writeHead(200).end(`{"status":true,"data":{"reference":"EWB-1"}}`)],
    ["an outer status that is false", (_, response) => response.writeHead(200).end(`{"status":false,"message":"no"}`)],
    ["an answer without end", (_, response) => response.writeHead(200).end("x".repeat(600_000))],
    ["a way to another host", (_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
  ] as [string, Parameters<FakePaystack["misbehave"]>[0]][])("%s", async ([, handler], { paystack, settings }) => {
    // Whatever else it is, an answer that comes too late on a busy machine is as unclear.
    const impatient = { ...settings, timeoutMs: 1_000 };
    paystack.misbehave(handler);
    await expect(beginTransaction(impatient, beginning)).rejects.toBeInstanceOf(ProviderUnclearError);
    expect(paystack.calls).toHaveLength(1); // A beginning is never repeated.
    await expect(findTransaction(impatient, "EWB-1")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  test("a checkout page on another host", async ({ paystack, settings }) => {
    const data = { authorization_url: "https://evil.example/pay", access_code: "x", reference: "EWB-1" };
    paystack.misbehave((_, response) => response.writeHead(200).end(JSON.stringify({ status: true, data })));
    await expect(beginTransaction(settings, beginning)).rejects.toBeInstanceOf(ProviderUnclearError);
  });

  test("a wrong key, when asked", async ({ settings }) => {
    await expect(findTransaction({ ...settings, secretKey: "sk_test_other" }, "EWB-1")).rejects.toBeInstanceOf(
      ProviderUnclearError,
    );
  });
});

test("what the provider refuses has not begun: a wrong key, a reference that was used", async ({ settings }) => {
  expect(await beginTransaction({ ...settings, secretKey: "sk_test_other" }, beginning)).toEqual({
    kind: "refused",
    reason: "401  Invalid key",
  });
  expect(await beginTransaction(settings, beginning)).toMatchObject({ kind: "begun" });
  const again = await beginTransaction(settings, beginning);
  expect(again).toEqual({ kind: "refused", reason: "400 duplicate_reference Duplicate Transaction Reference" });
});

test("what is begun carries the kobo, the reference and the way back, and can be asked about", async ({
  paystack,
  settings,
}) => {
  expect(await findTransaction(settings, "EWB-1")).toEqual({ kind: "unknown" });
  expect(await beginTransaction(settings, beginning)).toEqual({
    kind: "begun",
    authorizationUrl: `${paystack.url}/checkout/EWB-1`,
  });
  expect(paystack.transactions.get("EWB-1")).toMatchObject({
    amount: 65_750,
    callback_url: beginning.callbackUrl,
    customer: { email: "ada@gmail.com" },
  });
  expect(await findTransaction(settings, "EWB-1")).toMatchObject({
    kind: "found",
    transaction: { status: "abandoned" },
  });
});

test("a question that failed once is asked once more", async ({ paystack, settings }) => {
  await beginTransaction(settings, beginning);
  let failures = 1;
  paystack.misbehave((_, response) => {
    failures -= 1;
    if (failures === 0) paystack.misbehave(undefined);
    response.writeHead(502).end();
  });
  expect(await findTransaction(settings, "EWB-1")).toMatchObject({ kind: "found" });
});

test.for([
  ["https://checkout.paystack.com/abc", "https://api.paystack.co", true],
  ["https://standard.paystack.co/abc", "https://api.paystack.co", true],
  ["http://checkout.paystack.com/abc", "https://api.paystack.co", false],
  ["https://checkout.paystack.com:8443/abc", "https://api.paystack.co", false],
  ["https://paystack.com.evil.example/abc", "https://api.paystack.co", false],
  ["https://evilpaystack.com/abc", "https://api.paystack.co", false],
  ["https://checkout.paystack.com@evil.example/", "https://api.paystack.co", false],
  ["https://user:secret@checkout.paystack.com/", "https://api.paystack.co", false],
  ["javascript:alert(1)", "https://api.paystack.co", false],
  ["/checkout", "https://api.paystack.co", false],
  ["http://127.0.0.1:4000/checkout/abc", "http://127.0.0.1:9999", true],
  ["http://127.0.0.2:9999/checkout/abc", "http://127.0.0.1:9999", false],
] as const)("%s with the provider at %s: %s", ([address, providerUrl, isAllowed]) => {
  expect(isCheckoutAddress(address, providerUrl)).toBe(isAllowed);
});
