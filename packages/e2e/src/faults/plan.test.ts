import { describe, expect, test } from "vitest";
import { CARRIER_COUNT, describePlan, faultKinds, HOST_COUNT, makePlan, planSizes } from "./plan.ts";

describe("a plan", () => {
  test("is the same for the same seed, and another for another", () => {
    for (const size of Object.values(planSizes)) {
      expect(makePlan(7, size)).toEqual(makePlan(7, size));
      expect(describePlan(makePlan(7, size))).not.toEqual(describePlan(makePlan(8, size)));
    }
  });

  test("stays what it was: a seed that somebody wrote down means the same faults for good", () => {
    expect(describePlan(makePlan(1, planSizes.short))).toMatchInlineSnapshot(`
      [
        "seed 1: 5 messages to 479 numbers; ids padded, decToHex",
        "   3.7 s  disk is full, for 0.8 s",
        "   4.1 s  mail server is dead, how refusing, for 2.7 s",
        "   5.9 s  slow clients, host 0, count 25, for 0.7 s",
        "   6.1 s  kill first process, host 0",
        "   6.5 s  carrier is silent, carrier 1, for 2.5 s",
        "   7.2 s  foreign answers, carrier 1, count 10",
        "  10.0 s  carrier resets, carrier 1",
        "  11.5 s  carrier is away, carrier 1, for 1.7 s",
      ]
    `);
  });

  test("of full size has every kind of fault, in the order of time", () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const { steps, sends, numberCount } = makePlan(seed, planSizes.full);
      expect(new Set(steps.map(({ fault }) => fault.kind)).size).toBe(faultKinds.length);
      expect(steps.map(({ atMs }) => atMs)).toEqual(
        steps.map(({ atMs }) => atMs).toSorted((one, other) => one - other),
      );
      for (const { fault } of steps) {
        if ("host" in fault) expect(fault.host).toBeLessThan(HOST_COUNT);
        if ("carrier" in fault) expect(fault.carrier).toBeLessThan(CARRIER_COUNT);
      }
      expect(sends.reduce((sum, send) => sum + send.numberCount, 0)).toBe(numberCount);
    }
  });
});
