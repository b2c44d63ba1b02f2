import { describe, expect, test } from "vitest";
import { CarrierHealth } from "./carrier-health.ts";

const minuteMs = 60_000;

function record(health: CarrierHealth, facts: { good?: number; bad?: number; atMs: number }): void {
  // In turn, so that no row of faults opens the circuit.
  const { good = 0, bad = 0, atMs } = facts;
  for (let index = 0; index < Math.max(good, bad); index += 1) {
    if (index < bad) health.recordBad(atMs);
    if (index < good) health.recordGood(atMs);
  }
}

describe("a carrier's weight", () => {
  test("stays whole below 15 % of bad messages, and with too few to judge", () => {
    const health = new CarrierHealth();
    record(health, { bad: 10, good: 10, atMs: minuteMs });
    expect(health.weightFactor(minuteMs)).toBe(1);
    record(health, { good: 100, atMs: minuteMs });
    expect(health.weightFactor(minuteMs)).toBe(1);
  });

  test("falls with the share of bad ones, and comes back when they are 15 minutes old", () => {
    const health = new CarrierHealth();
    record(health, { bad: 40, good: 60, atMs: minuteMs });
    expect(health.weightFactor(2 * minuteMs)).toBeCloseTo(0.6);
    record(health, { good: 60, atMs: 10 * minuteMs });
    expect(health.weightFactor(17 * minuteMs)).toBe(1);
  });

  test("never falls to nothing", () => {
    const health = new CarrierHealth();
    record(health, { bad: 100, atMs: minuteMs });
    expect(health.weightFactor(minuteMs)).toBe(0.05);
  });
});

describe("the circuit", () => {
  test("opens after 20 faults in a row, and longer when the trial fails as well", () => {
    const health = new CarrierHealth();
    for (let fault = 0; fault < 19; fault += 1) health.recordFault(0);
    expect(health.isUsable(0)).toBe(true);
    health.recordFault(0);
    expect(health.isUsable(1_999)).toBe(false);
    expect(health.isUsable(2_000)).toBe(true);
    for (let fault = 0; fault < 10; fault += 1) health.recordFault(2_000);
    expect(health.isUsable(5_999)).toBe(false);
    expect(health.isUsable(6_000)).toBe(true);
  });

  test("closes with the first success", () => {
    const health = new CarrierHealth();
    for (let fault = 0; fault < 20; fault += 1) health.recordFault(0);
    health.recordGood(100);
    expect(health.isUsable(100)).toBe(true);
  });

  test("late answers of the window that opened it do not prolong it", () => {
    const health = new CarrierHealth();
    for (let fault = 0; fault < 500; fault += 1) health.recordFault(fault);
    expect(health.isUsable(2_500)).toBe(true);
  });

  test("stays closed when a connection is lost with a window full of open messages", () => {
    const health = new CarrierHealth();
    for (let lost = 0; lost < 1_000; lost += 1) health.recordBad(0);
    expect(health.isUsable(0)).toBe(true);
  });
});
