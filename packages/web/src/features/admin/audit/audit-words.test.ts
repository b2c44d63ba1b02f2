import { auditKinds } from "@ewebal/contract/rules";
import { expect, test } from "vitest";
import { describeChange, describeEntry } from "./audit-words.ts";

const subject = { name: "Shop", email: "shop@gmail.com" };

test.each([
  [
    { action: "approve-whitelist-request", subject, after: { state: "approved", senderName: "ADASTORES" } },
    "approved the sender name ADASTORES of shop@gmail.com.",
  ],
  [
    { action: "decline-whitelist-request", subject, after: { ip: "192.0.2.7", reason: "No contract" } },
    "declined the IP address 192.0.2.7 of shop@gmail.com, because: No contract.",
  ],
  [
    { action: "whitelist-user-senderID", subject, after: { senderNames: ["ADA", "OBI"] } },
    "gave the sender names ADA, OBI to shop@gmail.com.",
  ],
  [
    { action: "credit-user", subject, before: { amountDeposited: 10_000 }, after: { units: 5_000 } },
    "accepted a deposit of 10,000.00 naira and credited 5,000.00 units to shop@gmail.com.",
  ],
  [
    { action: "update-user", subject, before: { userName: "a", phoneNo: "1", email: "b" }, after: { userName: "c" } },
    "changed the user name, contact and e-mail of shop@gmail.com.",
  ],
  [
    { action: "approve", subject, before: { what: "Credit 200,000.00 units to Ada" } },
    "approved what another administrator asked for: Credit 200,000.00 units to Ada.",
  ],
  [{ action: "edit-rate", after: { code: "234", rate: null } }, "changed the rate of +234 to the standard rate."],
  [
    { action: "set-call-limit", subject, after: { perSecond: null } },
    "set the API limit of shop@gmail.com to the usual one.",
  ],
  [
    { action: "set-admin-role", subject, before: { role: "admin" }, after: { role: "owner" } },
    "made shop@gmail.com owner instead of admin.",
  ],
  [
    { action: "switch-carrier", before: { name: "Acme", isEnabled: true }, after: { isEnabled: false } },
    "switched the carrier Acme off.",
  ],
  [{ action: "block-user" }, "blocked somebody."],
  [{ action: "a-call-of-another-release" }, "a call of another release."],
])("%j", (entry, sentence) => {
  expect(describeEntry(entry)).toBe(sentence);
});

test("every action has a sentence of its own words, with a full stop and without a hole", () => {
  for (const action of Object.values(auditKinds).flat()) {
    const sentence = describeEntry({ action, subject });
    expect(sentence, action).toMatch(/^[a-z][^]+ [^]+\.$/);
    expect(sentence, action).not.toBe(`${action.replaceAll("-", " ")}.`);
    expect(sentence, action).not.toMatch(/undefined|NaN|\[object/);
  }
});

test("a change names both sides, a new fact its value, a fact that went what it was", () => {
  expect(describeChange({ userName: "ada", old: 1 }, { userName: "bola", units: 5, names: ["A"] })).toEqual([
    "user name: ada → bola",
    "old: 1",
    "units: 5",
    'names: ["A"]',
  ]);
  expect(describeChange({ reason: "" }, { reason: "late" })).toEqual(["reason: nothing → late"]);
  expect(describeChange()).toEqual([]);
});
