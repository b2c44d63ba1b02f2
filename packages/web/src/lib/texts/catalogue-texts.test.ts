import { describe, expect, test } from "vitest";
import type { ErrorCode } from "@ewebal/contract";
import { ApiError, NetworkError } from "../api/api.ts";
import { explainAnswer, explainError, type CatalogueScreen } from "./catalogue-texts.ts";

const refusal = (status: number, code: ErrorCode) => new ApiError(status, { message: "What the server says", code });

// The table of section 8, typed out a second time, so that a slip in the first is seen.
const rows: [CatalogueScreen, number, ErrorCode, string | undefined, string | undefined, string | undefined][] = [
  ["register", 409, "EMAIL_TAKEN", undefined, "Email already registered", undefined],
  ["login", 404, "EMAIL_UNKNOWN", undefined, "Email is not registered", undefined],
  ["login", 401, "NOT_VERIFIED", undefined, "You have not verified your account", undefined],
  ["login", 400, "PASSWORD_WRONG", undefined, "Try again or reset your password", undefined],
  ["resetRequest", 401, "VISIT_MAIL", undefined, "Visit mail for Reset Password Verification", "/reset-message"],
  ["resetRequest", 404, "EMAIL_UNKNOWN", undefined, "This email is not in our record", undefined],
  [
    "sendSms",
    403,
    "ADDRESS_NOT_APPROVED",
    undefined,
    "Send your IP Address for whitelisting",
    "/user-dashboard/whitelists",
  ],
  ["sendSms", 400, "WRONG_COUNTRY_CODE", undefined, "You are passing the wrong country code", undefined],
  ["sendSmsDialog", 400, "WRONG_COUNTRY_CODE", undefined, "Phone Number starts with 234", undefined],
  ["sendSms", 402, "LIMIT_REACHED", undefined, undefined, undefined],
  ["sendSms", 409, "SENDER_NOT_APPROVED", undefined, "Send the Id for whitelisting", "/user-dashboard/whitelists"],
  ["sendSms", 550, "NO_ROUTE", undefined, undefined, undefined],
  ["sendSms", 401, "UNITS_REQUIRED", undefined, "You need to buy SMS Units", "/user-dashboard/buy-sms"],
  ["draft", 500, "INTERNAL", "Can't add to drafts", "This might be due to network issues", undefined],
  ["deposit", 400, "VALIDATION", "Invalid Response", "This may be as a result of incomplete credentials", undefined],
  ["profileUpdate", 500, "INTERNAL", undefined, "Check your internet connection", undefined],
  ["profileUpdate", 400, "VALIDATION", undefined, "Check your internet connection", undefined],
  ["catalogCreate", 400, "VALIDATION", "Error creating catalog", "Check your network connectivity", undefined],
  ["contactsUpload", 400, "VALIDATION", undefined, undefined, undefined],
  ["contactsUpload", 500, "INTERNAL", "Upload Error", "Check your Network", undefined],
  ["contactsAdd", 400, "VALIDATION", "Unable to Add Contacts", "Check your credentials or network", undefined],
  ["contactDelete", 409, "LIST_CHANGED", "Unable to delete contact", "Check your credentials or network", undefined],
  ["adminRegister", 409, "EMAIL_TAKEN", undefined, "Email already registered", undefined],
  ["adminLogin", 404, "EMAIL_UNKNOWN", undefined, "Email is not registered", undefined],
  ["adminProfile", 500, "INTERNAL", "Network Error", "Slow or No Network", undefined],
  ["announcement", 500, "INTERNAL", "Credentials Error", "Check your credentials or network connectivity", undefined],
  ["creditUser", 409, "ALREADY_DECIDED", "Unable to Credit User", "Check your credentials or network", undefined],
];

describe("the catalogue's words", () => {
  test.each(rows)("%s %i %s", (screen, status, code, title = "What the server says", text, goTo) => {
    const explanation = explainError(screen, refusal(status, code));
    expect({ title: explanation.title, text: explanation.text, goTo: explanation.goTo }).toEqual({ title, text, goTo });
  });

  test("a title of our own alone brings the server's reason along", () => {
    expect(explainError("whitelist", refusal(400, "VALIDATION"))).toMatchObject({
      title: "Credentials Error",
      text: "What the server says",
    });
  });

  test("registering succeeds with the server's message and goes to /message", () => {
    expect(explainAnswer("register", 201, "Done")).toEqual({
      tone: "ok",
      title: "Done",
      text: "A Mail has been sent to you",
      goTo: "/message",
    });
  });

  test("a success that the catalogue does not list is not told in the words for failures", () => {
    expect(explainAnswer("draft", 201, "Saved")).toEqual({ tone: "ok", title: "Saved" });
    expect(explainAnswer("profileUpdate", 200, "Saved")).toEqual({ tone: "ok", title: "Saved" });
  });

  test("a send that found DND numbers is told as the catalogue does", () => {
    expect(explainAnswer("sendSms", 503, "x")).toMatchObject({
      title: "Message Sent",
      text: "DND Phone numbers Detected...",
      goTo: "/user-dashboard/sms-history",
    });
  });
});

describe("words that belong to another meaning are not used", () => {
  test.each<[CatalogueScreen, number, ErrorCode]>([
    ["sendSms", 401, "AUTH_REQUIRED"],
    ["sendSms", 403, "FORBIDDEN"],
    ["sendSms", 400, "VALIDATION"],
    ["sendSms", 503, "UNAVAILABLE"],
    ["login", 400, "VALIDATION"],
    ["login", 403, "BLOCKED"],
  ])("%s %i %s shows the server's message alone", (screen, status, code) => {
    expect(explainError(screen, refusal(status, code))).toEqual({ tone: "error", title: "What the server says" });
  });
});

describe("no answer at all", () => {
  const lost = new NetworkError("gone");

  test.each<CatalogueScreen>([
    "register",
    "login",
    "resetRequest",
    "changePassword",
    "sendSms",
    "deposit",
    "profileUpdate",
    "adminLogin",
  ])("%s has the general words", (screen) => {
    expect(explainError(screen, lost)).toEqual({
      tone: "error",
      title: "No Internet Connection",
      text: "Please check your network",
    });
  });

  test.each<[CatalogueScreen, string, string]>([
    ["draft", "Can't add to drafts", "This might be due to network issues"],
    ["catalogCreate", "Error creating catalog", "Check your network connectivity"],
    ["contactsUpload", "Upload Error", "Check your Network"],
    ["adminProfile", "Network Error", "Slow or No Network"],
    ["adminUpdateUser", "Update Failed", "This may be due to network"],
  ])("%s has words of its own", (screen, title, text) => {
    expect(explainError(screen, lost)).toEqual({ tone: "error", title, text });
  });

  test("a title of its own alone brings the general words along", () => {
    expect(explainError("catalogEdit", lost)).toEqual({
      tone: "error",
      title: "Can't Edit",
      text: "No Internet Connection. Please check your network",
    });
  });
});
