import { expect, test } from "vitest";
import { CreditKeys } from "./credit-keys.ts";

const contents = { email: "ada@gmail.com", units: "100" };

test("a retry carries the key of the first try, also after something else was tried", () => {
  const keys = new CreditKeys();
  const first = keys.keyFor(contents);
  const other = keys.keyFor({ ...contents, units: "200" });
  expect(keys.keyFor({ ...contents })).toBe(first);
  expect(other).not.toBe(first);
});

test("another user is another credit", () => {
  const keys = new CreditKeys();
  expect(keys.keyFor({ ...contents, email: "bola@gmail.com" })).not.toBe(keys.keyFor(contents));
});

test("after a success the same contents are a credit of their own", () => {
  const keys = new CreditKeys();
  const first = keys.keyFor(contents);
  keys.renew();
  expect(keys.keyFor(contents)).not.toBe(first);
});

test("keys are visible ASCII, as the header takes them", () => {
  expect(new CreditKeys().keyFor(contents)).toMatch(/^[0-9a-f]{32}$/);
});
