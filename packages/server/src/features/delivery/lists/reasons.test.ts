import { outcomeReasons } from "@ewebal/contract";
import { expect, test } from "vitest";
import { readReason, reasonTexts } from "./reasons.ts";

test.for([
  ["dnd-listed", "dndListed", ""],
  ["no-route", "noRoute", ""],
  ["status:11", "unknownNumber", "ESME_RINVDSTADR"],
  ["status:1040", "carrierRefused", "0x00000410"],
  ["status:69", "carrierFailed", "ESME_RSUBMITFAIL"],
  ["report:expired", "outOfReach", "expired"],
  ["report:undeliverable", "undeliverable", "undeliverable"],
  ["report:undeliverable:001", "notInService", "undeliverable 001"],
  ["report:undeliverable:027", "outOfReach", "undeliverable 027"],
  ["report:undeliverable:32", "phoneFull", "undeliverable 32"],
  // A number that is no network error, and one with the carrier's own letters: nothing is guessed.
  ["report:undeliverable:700", "undeliverable", "undeliverable 700"],
  ["report:undeliverable:1x", "undeliverable", "undeliverable 1x"],
  // Of a message that was rejected the number means something else.
  ["report:rejected:001", "rejected", "rejected 001"],
  ["report:rejected:a:b", "rejected", "rejected a:b"],
  ["not-sent", "notDelivered", ""],
] as const)("%s is %s, and the carrier's code %s", ([code, kind, carrierCode]) => {
  expect(readReason(code, "failed")).toEqual({ kind, carrierCode });
});

test("a code of a do-not-disturb report says so, whatever the carrier calls it", () => {
  expect(readReason("report:rejected:088", "dnd")).toEqual({ kind: "dndReported", carrierCode: "rejected 088" });
});

test("nothing is said while nothing went wrong; else what happened and what to do, without the carrier's words", () => {
  expect(reasonTexts(null, "delivered")).toEqual({ reason: "", advice: "", carrierCode: "" });
  expect(reasonTexts("report:expired:027", "failed")).toEqual({
    reason: "Phone off or out of reach",
    advice: "Resend later",
    carrierCode: "expired 027",
  });
  for (const { reason, advice } of Object.values(outcomeReasons)) {
    expect(`${reason}${advice}`).not.toMatch(/ESME|SMPP|report|[.]$/);
  }
});
