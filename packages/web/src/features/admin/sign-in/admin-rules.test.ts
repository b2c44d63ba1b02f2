import { describe, expect, test } from "vitest";
import { emptyRegistration, findMissingForAdmin, findMissingForAdminLogin } from "./admin-rules.ts";
import { balanceAfter, cleanUnits, findMissingForCredit } from "../credit/credit-rules.ts";
import { bola } from "../testing/admin-answers.ts";
import { findMissingForUserWhitelist } from "../whitelists/use-whitelist-user-form.ts";

describe("registering", () => {
  const filled = {
    adminName: "ops",
    adminFullName: "Ops Example",
    email: "ops@ewebal.com",
    contact: "800",
    password: "secret1",
    confirmPassword: "secret1",
  };

  test("an empty form needs every field", () => {
    expect(findMissingForAdmin(emptyRegistration)).toEqual(["admin name", "full name", "email", "contact", "password"]);
  });

  test.each(["adminName", "adminFullName", "email", "contact"])("blanks in %s are no content", (name) => {
    expect(findMissingForAdmin({ ...filled, [name]: "  " })).toHaveLength(1);
  });

  test("both passwords must match, to the last blank", () => {
    expect(findMissingForAdmin({ ...filled, confirmPassword: "secret1 " })).toEqual(["the same password twice"]);
    expect(findMissingForAdmin(filled)).toEqual([]);
  });
});

describe("signing in", () => {
  test.each([
    ["ops@ewebal.com", "x", []],
    ["OPS@EWEBAL.COM", "x", []],
    ["ops@ng.ewebal.com", "x", []],
    ["ops@example.com", "x", ["an email with ewebal.com"]],
    ["", "", ["an email with ewebal.com", "password"]],
    ["ops@ewebal.com", "", ["password"]],
  ])("%j and %j need %j", (email, password, missing) => {
    expect(findMissingForAdminLogin({ email, password }, "ewebal.com")).toEqual(missing);
  });

  test("no address fits before the host is known", () => {
    expect(findMissingForAdminLogin({ email: "ops@ewebal.com", password: "x" }, undefined)).toEqual(["email"]);
  });
});

describe("crediting", () => {
  test.each([
    ["1500", "1500"],
    ["1,500", "1500"],
    ["007", "7"],
    ["1o0", "10"],
    ["٣", ""],
    ["0", ""],
    ["12345678901", "123456789"],
  ])("%j becomes %j", (text, units) => {
    expect(cleanUnits(text)).toBe(units);
  });

  test("needs a user and units", () => {
    expect(findMissingForCredit({ email: "", units: "" })).toEqual(["a user", "units"]);
    expect(findMissingForCredit({ email: "ada@gmail.com", units: "1" })).toEqual([]);
  });

  test("takes no more than the server does", () => {
    expect(findMissingForCredit({ email: "ada@gmail.com", units: "100000000" })).toEqual([]);
    expect(findMissingForCredit({ email: "ada@gmail.com", units: "100000001" })).toEqual(["at most 100,000,000 units"]);
  });

  test("adds without losing a hundredth", () => {
    expect(balanceAfter({ ...bola, units: 0.07 }, "100000000")).toBe(100_000_000.07);
  });
});

describe("whitelisting a user", () => {
  test.each([
    ["", ["a sender ID"]],
    [" , ", ["a sender ID"]],
    ["AB", ['at least 3 characters in "AB"']],
    ["ABC", []],
    ["Ada Stores1", []],
    ["Ada Stores12", ['at most 11 characters in "Ada Stores12"']],
    ["AdaStores, Bola", []],
  ])("%j needs %j", (senderName, missing) => {
    expect(findMissingForUserWhitelist({ email: "ada@gmail.com", senderName })).toEqual(missing);
  });

  test("needs a user", () => {
    expect(findMissingForUserWhitelist({ email: "", senderName: "AdaStores" })).toEqual(["a user"]);
  });
});
