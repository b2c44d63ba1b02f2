// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { tokenFor, userId } from "../../testing/fake-server.ts";
import {
  clearSession,
  getSession,
  onSessionChange,
  readTokenId,
  startAdminSession,
  startUserSession,
  takeReasonElsewhere,
} from "./session.ts";

test("the only thing kept is the id, and sign-out removes it", () => {
  localStorage.clear();
  startUserSession(userId);
  expect(localStorage).toHaveLength(1);
  expect(localStorage.getItem(localStorage.key(0) ?? "")).toBe(userId);
  clearSession("asked");
  expect(localStorage).toHaveLength(0);
});

test("becoming an administrator ends being the customer", () => {
  startUserSession(userId);
  startAdminSession("admin-1");
  expect(getSession()).toEqual({ userId: null, adminId: "admin-1" });
});

test("a sign-out in another tab is a sign-out here", () => {
  startUserSession(userId);
  const listener = vi.fn();
  const stop = onSessionChange(listener);
  localStorage.clear();
  window.dispatchEvent(new StorageEvent("storage", { key: null }));
  expect(listener).toHaveBeenCalledOnce();
  expect(getSession().userId).toBeNull();
  stop();
});

test("the reason of a sign-out in another tab is heard, once, and ends with a session of our own", () => {
  const stop = onSessionChange(vi.fn());
  startUserSession(userId);
  window.dispatchEvent(new StorageEvent("storage", { key: "ewebal.signOutReason", newValue: "inactive" }));
  localStorage.clear();
  window.dispatchEvent(new StorageEvent("storage", { key: "ewebal.signOutReason", newValue: null }));
  expect(getSession().userId).toBeNull();
  expect(takeReasonElsewhere()).toBe("inactive");
  expect(takeReasonElsewhere()).toBeUndefined();

  window.dispatchEvent(new StorageEvent("storage", { key: "ewebal.signOutReason", newValue: "asked" }));
  startUserSession(userId);
  expect(takeReasonElsewhere()).toBeUndefined();
  stop();
});

test("the id of a token is read, also from base64url", () => {
  expect(readTokenId(tokenFor(userId))).toBe(userId);
  const payload = Buffer.from(JSON.stringify({ id: "??>>" })).toString("base64url");
  expect(readTokenId(`h.${payload}.s`)).toBe("??>>");
});

test.each(["", "no-token", "a.b.c", `h.${btoa("{}")}.s`])("%j is refused as a token", (token) => {
  expect(() => readTokenId(token)).toThrow(Error);
});

test("who switches is in both places for a moment rather than in none: other tabs hear of each step", () => {
  startUserSession(userId);
  const removed = vi
    .spyOn(Storage.prototype, "removeItem")
    .mockImplementation(() => expect(localStorage.getItem("ewebal.adminId")).toBe("admin-1"));
  startAdminSession("admin-1");
  expect(removed).toHaveBeenCalledWith("ewebal.userId");
  removed.mockRestore();
});
