import { expect, test } from "vitest";
import { IdempotencyKey } from "./idempotency-key.ts";

const body = { senderName: "AdaStores", message: "Hello", phoneNo: "2348030000001", code: "234" };

test("a retry of the same message carries the same key", () => {
  const key = new IdempotencyKey();
  expect(key.keyFor({ ...body })).toBe(key.keyFor({ ...body }));
});

test.each([
  { field: "sender name", changed: { ...body, senderName: "AdaDeals" } },
  { field: "message", changed: { ...body, message: "Hello!" } },
  { field: "recipients", changed: { ...body, phoneNo: "2348030000002" } },
  { field: "country", changed: { ...body, code: "1" } },
])("another $field makes it another message with another key", ({ changed }) => {
  const key = new IdempotencyKey();
  expect(key.keyFor(changed)).not.toBe(key.keyFor(body));
});

test("after a success the same message is a new wish", () => {
  const key = new IdempotencyKey();
  const first = key.keyFor(body);
  key.renew();
  expect(key.keyFor(body)).not.toBe(first);
});

test("a key is visible ASCII and does not repeat", () => {
  const keys = Array.from({ length: 100 }, () => new IdempotencyKey().keyFor(body));
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

test("other contents, and the contents of before them, get a new key", () => {
  const key = new IdempotencyKey();
  const first = key.keyFor(["Customers", "234"]);
  expect(key.keyFor(["Customers", "233"])).not.toBe(first);
  expect(key.keyFor(["Customers", "234"])).not.toBe(first);
});
