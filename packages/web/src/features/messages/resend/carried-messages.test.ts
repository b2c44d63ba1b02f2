// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from "vitest";
import { userId } from "../../../testing/fake-server.ts";
import { carryMessage, findCarried, forgetCarried, type CarriedMessage } from "./carried-messages.ts";
import { clearSession, onSessionChange, startUserSession } from "../../../lib/session/session.ts";

const message: CarriedMessage = {
  _id: "one",
  senderName: "AdaStores",
  message: "Hello",
  phoneNo: "2348030000001",
  code: "234",
};

beforeEach(() => sessionStorage.clear());

test("only the message that was carried is found, and with its five fields", () => {
  carryMessage("sms-history", { ...message, userName: "ada" } as CarriedMessage);
  expect(findCarried("sms-history", "two")).toBeUndefined();
  expect(findCarried("draft-history", "one")).toBeUndefined();
  expect(findCarried("sms-history", "one")).toEqual(message);
});

test("an entry that is no message is not taken for one", () => {
  for (const text of ["", "no JSON", "null", '{"_id":"one"}']) {
    sessionStorage.setItem("draft-history", text);
    expect(findCarried("draft-history", "one")).toBeUndefined();
  }
});

test("what is too large is not carried, nor is what was carried before it", () => {
  carryMessage("draft-history", message);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  carryMessage("draft-history", { ...message, _id: "two" });
  expect(sessionStorage).toHaveLength(0);
});

test("what was used is forgotten", () => {
  carryMessage("draft-history", message);
  forgetCarried("draft-history");
  expect(findCarried("draft-history", "one")).toBeUndefined();
});

test("signing out leaves nothing, here or in another tab", () => {
  startUserSession(userId);
  carryMessage("sms-history", message);
  carryMessage("draft-history", message);
  clearSession("asked");
  expect(sessionStorage).toHaveLength(0);

  startUserSession(userId);
  const stop = onSessionChange(() => undefined);
  carryMessage("sms-history", message);
  localStorage.clear();
  window.dispatchEvent(new StorageEvent("storage", { key: null }));
  expect(sessionStorage).toHaveLength(0);
  stop();
});
