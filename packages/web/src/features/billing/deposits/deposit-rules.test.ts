import { lagosDate } from "@ewebal/contract";
import { describe, expect, test } from "vitest";
import { cleanAmount, emptyDeposit, findMissingForDeposit, findReceiptFault } from "./deposit-rules.ts";

const whole = {
  depositorName: "Ada",
  amountDeposited: "5",
  phoneNo: "8031234567",
  tellerId: "T1",
  transactionDate: lagosDate(new Date()),
  bankDeposited: "Bank",
  image: "a.png",
};

describe("what is still needed", () => {
  test("everything, in the order of the fields", () => {
    expect(findMissingForDeposit(emptyDeposit)).toEqual([
      "amount",
      "teller ID",
      "depositor name",
      "phone number",
      "transaction date",
      "bank",
      "receipt",
    ]);
  });

  test.each(Object.keys(whole))("%s, when it is blank", (name) => {
    expect(findMissingForDeposit({ ...whole, [name]: "  " })).toHaveLength(1);
  });

  test("a day that has begun in Lagos", () => {
    expect(
      findMissingForDeposit({ ...whole, transactionDate: lagosDate(new Date(Date.now() + 24 * 3_600_000)) }),
    ).toEqual(["a date that is not later than today"]);
    expect(findMissingForDeposit(whole)).toEqual([]);
  });
});

test.each([
  ["₦10,000.00", "1000000"],
  ["007", "7"],
  ["1e5", "15"],
  ["٥", ""],
  ["99999999999999", "999999999"],
])("an amount typed as %s is kept as %j", (typed, kept) => {
  expect(cleanAmount(typed)).toBe(kept);
});

test.each([
  ["receipt.PDF", 1, undefined],
  ["receipt.jpeg", 5 * 1024 * 1024, undefined],
  ["receipt.png", 5 * 1024 * 1024 + 1, "larger than 5 MB"],
  ["receipt.png", 0, "empty"],
  ["receipt.heic", 1, "must be"],
  ["png", 1, "must be"],
])("a file %s of %i bytes: %s", (name, size, fault) => {
  const found = findReceiptFault({ name, size });
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});
