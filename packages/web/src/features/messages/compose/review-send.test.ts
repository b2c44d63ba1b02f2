import { expect, test } from "vitest";
import { needsReview } from "./review-send.tsx";

const price = { pages: 1, rateMilli: 3_000, isUnpriced: false, remainingMilli: undefined };

test.each([
  ["100 recipients, a tenth of the balance to the thousandth", 100, 300_000, 3_000_000, false],
  ["101 recipients, however cheap", 101, 1, 3_000_000_000, true],
  ["a thousandth above a tenth of the balance", 1, 300_001, 3_000_000, true],
  ["a balance of nothing", 1, 1, 0, true],
  ["a charge of nothing out of nothing", 1, 0, 0, false],
  ["a balance that is not known yet", 100, 300_000, undefined, false],
  ["many recipients and a balance that is not known yet", 1_000_000, 3_000_000_000, undefined, true],
])("%s: %s", (_name, recipients, chargeMilli, availableMilli, isNeeded) => {
  expect(needsReview({ ...price, recipients, chargeMilli, availableMilli })).toBe(isNeeded);
});
