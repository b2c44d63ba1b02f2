import { expect, test } from "vitest";
import { SubmissionKey } from "./submission-key.ts";

test("the same contents keep their key; others, and the same after a success, get a new one", () => {
  const key = new SubmissionKey();
  const first = key.keyFor(["Customers", "234"]);
  expect(key.keyFor(["Customers", "234"])).toBe(first);
  expect(key.keyFor(["Customers", "233"])).not.toBe(first);
  const second = key.keyFor(["Customers", "234"]);
  key.renew();
  expect(key.keyFor(["Customers", "234"])).not.toBe(second);
});
