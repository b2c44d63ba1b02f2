import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { isStandingIn, refuseMissingParts } from "./trial-parts.ts";

const CARRIERS = JSON.stringify([
  { name: "A", kind: "smpp", host: "127.0.0.1", port: 2775, systemId: "s", password: "p" },
]);
const SMTP_URL = "smtp://mail.example";
const PUBLIC_URL = "https://sms.example";
const start =
  (environment: Record<string, string>, hasKeptCarriers = false) =>
  () =>
    refuseMissingParts(readConfig(environment), hasKeptCarriers);

test.each([
  ["the mail server and the carriers behind an https address", { PUBLIC_URL }, /SMTP_URL.*\n.*CARRIERS/],
  ["the mail server beside carriers", { CARRIERS }, /SMTP_URL/],
  ["the carriers beside a mail server", { SMTP_URL }, /CARRIERS/],
  ["both when no stand-in is named", { TRIAL_PARTS: "none" }, /SMTP_URL.*\n.*CARRIERS/],
  ["the mail server when only the phones are named", { TRIAL_PARTS: "phones" }, /SMTP_URL/],
])("one message lists %s", (_what, environment: Record<string, string>, message) => {
  expect(start(environment)).toThrow(message);
});

test.each([
  ["nothing is configured", {}],
  ["everything is", { SMTP_URL, CARRIERS, PUBLIC_URL }],
  ["the stand-ins are named", { PUBLIC_URL, TRIAL_PARTS: "mailbox,phones" }],
  ["this process delivers nothing", { PUBLIC_URL, ROLES: "web" }],
])("the start goes on when %s", (_when, environment: Record<string, string>) => {
  expect(start(environment)).not.toThrow();
});

test("carriers that administrators keep are carriers", () => {
  expect(start({ SMTP_URL }, true)).not.toThrow();
});

test("a stand-in that is named gives way to the real thing", () => {
  const config = readConfig({
    SMTP_URL,
    CARRIERS,
    PAYSTACK_SECRET_KEY: "sk_test_1",
    TRIAL_PARTS: "card,mailbox,phones,demo",
  });
  expect(["card", "mailbox", "phones", "demo"].filter((part) => isStandingIn(config, part as "card"))).toEqual([
    "demo",
  ]);
});
