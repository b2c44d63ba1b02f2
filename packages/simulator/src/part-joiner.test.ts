import { expect, test } from "vitest";
import type { CarriedMessage } from "./carried-message.ts";
import { PartJoiner } from "./part-joiner.ts";

function buildPart(reference: number, partNumber: number, text: string, partCount = 3): CarriedMessage {
  return {
    id: partNumber,
    sender: { ton: 5, npi: 0, address: "SHOP" },
    recipient: "2348031234567",
    text,
    place: { reference, partCount, partNumber },
    receiptWish: 1,
    acceptedAtMs: 1,
    arrivesAtMs: 2,
    hasArrived: true,
    isLost: false,
    segment: 1,
  };
}

test("parts are joined in their order, whatever the order of arrival, and one that comes twice counts once", () => {
  const joiner = new PartJoiner();
  expect(joiner.add(buildPart(1, 3, "c"))).toBeUndefined();
  expect(joiner.add(buildPart(1, 1, "a"))).toBeUndefined();
  expect(joiner.add(buildPart(1, 1, "a"))).toBeUndefined();
  expect(joiner.add(buildPart(2, 2, "x"))).toBeUndefined();
  expect(joiner.add(buildPart(1, 2, "b"))).toBe("abc");
});

test("messages that stay incomplete are forgotten oldest first, by number and by characters", () => {
  const joiner = new PartJoiner();
  for (let reference = 0; reference <= 5000; reference += 1) joiner.add(buildPart(reference, 1, "a", 2));
  expect(joiner.add(buildPart(0, 2, "b", 2))).toBeUndefined();
  expect(joiner.add(buildPart(5000, 2, "b", 2))).toBe("ab");
  for (let reference = 6000; reference < 6200; reference += 1)
    joiner.add(buildPart(reference, 1, "x".repeat(60_000), 2));
  expect(joiner.add(buildPart(4999, 2, "b", 2))).toBeUndefined();
  expect(joiner.add(buildPart(6199, 2, "b", 2))).toHaveLength(60_001);
});
