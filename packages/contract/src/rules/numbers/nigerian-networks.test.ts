import { expect, test } from "vitest";
import { findLikelyNetwork, NIGERIAN_NETWORKS } from "./nigerian-networks.ts";

test.each([
  ["2348031234567", "MTN"],
  ["2347025123456", "MTN"],
  ["2347020123456", "Smile"],
  ["2347022123456", "Ntel"],
  ["2348021234567", "Airtel"],
  ["2348051234567", "Glo"],
  ["2348091234567", "T2"],
  ["2348191234567", "Starcomms"],
  ["2348201234567", undefined],
  ["2337031234567", undefined],
  ["08031234567", undefined],
  ["23480312345678", undefined],
])("%s is likely %s", (number, name) => {
  expect(findLikelyNetwork(number)?.name).toBe(name);
});

test("no prefix stands for two networks", () => {
  const prefixes = NIGERIAN_NETWORKS.flatMap((network) => network.prefixes);
  expect(new Set(prefixes).size).toBe(prefixes.length);
  expect(prefixes.every((prefix) => /^0[789]\d{2,3}$/.test(prefix))).toBe(true);
});
