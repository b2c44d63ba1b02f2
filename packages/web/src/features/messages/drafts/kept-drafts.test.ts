// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from "vitest";
import { clearSession, startUserSession } from "../../../lib/session/session.ts";
import { KEPT_DRAFTS_KEY } from "../../../lib/session/tab-storage.ts";
import { fakeServer, userId } from "../../../testing/fake-server.ts";
import { dropKeptDraft, keepDraft, onKeptDraftSaved, saveKeptDrafts } from "./kept-drafts.ts";

const otherId = "01900000-0000-7000-8000-000000000002";
const draft = {
  key: "key-1",
  body: { senderName: "AdaStores", message: "Hello", phoneNo: "2348000000001", code: "234" },
};
const call = `POST /api/${userId}/draft-message`;
const saved = { status: 201, body: { message: "Saved to your drafts", data: { _id: otherId } } };
const kept = (): string => localStorage.getItem(KEPT_DRAFTS_KEY) ?? "";

beforeEach(() => {
  localStorage.clear();
  startUserSession(userId);
});

test("another customer of this device sees nothing, and the end of the session removes it", async () => {
  expect(keepDraft(userId, "form", draft)).toBe(true);
  const elsewhere = kept();
  startUserSession(otherId);
  expect(kept()).toBe("");
  // Written by a tab that has not heard of the change.
  localStorage.setItem(KEPT_DRAFTS_KEY, elsewhere);
  const requests = fakeServer({});
  await saveKeptDrafts(otherId);
  expect(requests).toEqual([]);
  expect(keepDraft(userId, "form", draft)).toBe(false);
  clearSession("asked");
  expect(kept()).toBe("");
});

test("is saved under its key, and says so to its form", async () => {
  const heard = vi.fn();
  const stop = onKeptDraftSaved(heard);
  const requests = fakeServer({ [call]: saved });
  keepDraft(userId, "form", { ...draft, key: "earlier" });
  keepDraft(userId, "form", draft);
  await Promise.all([saveKeptDrafts(userId), saveKeptDrafts(userId)]);
  expect(requests.map(({ headers, body }) => [headers.get("idempotency-key"), body])).toEqual([["key-1", draft.body]]);
  expect(heard).toHaveBeenCalledExactlyOnceWith("form", otherId);
  expect(kept()).toBe("");
  stop();
});

test("stays while there is no answer, and when the server refuses it", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  fakeServer({ [call]: "offline" });
  keepDraft(userId, "form", draft);
  await saveKeptDrafts(userId);
  expect(kept()).toContain("Hello");
  fakeServer({ [call]: { status: 409, body: { message: "You can keep 500 drafts", code: "STATE_CONFLICT" } } });
  await saveKeptDrafts(userId);
  expect(kept()).toContain("Hello");
});

test("what was written while the older text was being saved stays", () => {
  keepDraft(userId, "form", { ...draft, key: "key-2" });
  dropKeptDraft(userId, "form", "key-1");
  expect(kept()).toContain("key-2");
  dropKeptDraft(userId, "form");
  expect(kept()).toBe("");
});

test("what a browser has no room for is not kept", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expect(keepDraft(userId, "form", draft)).toBe(false);
});
