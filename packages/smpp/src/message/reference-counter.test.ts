import { expect, test } from "vitest";
import { ReferenceCounter } from "./reference-counter.ts";

test("the next 255 long messages to one phone have other 8-bit references, whatever goes to others", () => {
  const counter = new ReferenceCounter();
  const references = Array.from({ length: 256 }, (_value, index) => {
    counter.next(`23480${10_000_000 + index}`);
    return counter.next("2348031234567") & 0xff;
  });
  // Others that share its counter only make it skip, so a few of 256 may wrap; of 128 none.
  expect(new Set(references.slice(0, 128)).size).toBe(128);
});

test("a million long messages to others leave a reference unused for long: they fall on other counters", () => {
  const counter = new ReferenceCounter();
  const first = counter.next("2348031234567");
  for (let index = 0; index < 1_000_000; index += 1) counter.next(`23470${10_000_000 + index}`);
  const next = counter.next("2348031234567");
  // 1,000,000 over 65,536 counters is about 15 each; one counter for all would have come round 3,906 times.
  expect((next - first) & 0xffff).toBeLessThan(60);
});
