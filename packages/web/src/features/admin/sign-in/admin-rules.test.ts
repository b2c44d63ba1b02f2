import { describe, expect, test } from "vitest";
import { emptyRegistration, findMissingForAdmin, findMissingForAdminLogin } from "./admin-rules.ts";

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
    ["", "", ["email", "password"]],
    ["ops@ewebal.com", "", ["password"]],
  ])("%j and %j need %j", (email, password, missing) => {
    expect(findMissingForAdminLogin({ email, password }, "ewebal.com")).toEqual(missing);
  });

  test("no address fits before the host is known", () => {
    expect(findMissingForAdminLogin({ email: "ops@ewebal.com", password: "x" }, undefined)).toEqual(["email"]);
  });
});
