import { describe, expect, test } from "vitest";
import { Pace } from "./pace.ts";

/** Takes as many tokens as there are, every `stepMs` for `forMs`; `judge` says what the carrier does with each. */
function run(
  pace: Pace,
  span: { fromMs: number; forMs: number; stepMs?: number },
  judge: (nowMs: number) => "accept" | "throttle" = () => "accept",
): { accepted: number; refused: number } {
  const { fromMs, forMs, stepMs = 1 } = span;
  let accepted = 0;
  let refused = 0;
  for (let nowMs = fromMs; nowMs < fromMs + forMs; nowMs += stepMs) {
    while (pace.hasToken(nowMs)) {
      pace.take();
      if (judge(nowMs) === "accept") {
        accepted += 1;
        pace.onAccepted(nowMs);
      } else {
        refused += 1;
        pace.onThrottled(nowMs);
      }
    }
  }
  return { accepted, refused };
}

/** A carrier that takes `rate` a second with a burst of a tenth of a second, as the simulators do. */
function carrier(rate: number): (nowMs: number) => "accept" | "throttle" {
  let tokens = rate / 10;
  let atMs = 0;
  return (nowMs) => {
    tokens = Math.min(rate / 10, tokens + ((nowMs - atMs) * rate) / 1000);
    atMs = nowMs;
    if (tokens < 1) return "throttle";
    tokens -= 1;
    return "accept";
  };
}

describe("the bucket", () => {
  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("refuses a rate of %d", (rate) => {
    expect(() => new Pace(rate, 0)).toThrow(RangeError);
    expect(() => new Pace(1, 0).setCeiling(rate)).toThrow(RangeError);
  });

  test.each([1, 7, 200, 9_900, 100_000])("lets %d a second through, to within 2 %", (rate) => {
    const { accepted } = run(new Pace(rate, 0), { fromMs: 0, forMs: 20_000 });
    expect(accepted).toBeGreaterThanOrEqual(rate * 20 * 0.98);
    expect(accepted).toBeLessThanOrEqual(rate * 20 * 1.02 + 1);
  });

  test("saves up 50 ms at most, and always one message", () => {
    const fast = new Pace(1000, 0);
    expect(run(fast, { fromMs: 10_000, forMs: 1 }).accepted).toBe(50);
    const slow = new Pace(2, 0);
    expect(run(slow, { fromMs: 10_000, forMs: 1 }).accepted).toBe(1);
  });

  test("says how long until the next token", () => {
    const pace = new Pace(100, 0);
    expect(pace.delayMs(0)).toBe(0);
    pace.take();
    expect(pace.delayMs(0)).toBe(10);
    expect(pace.delayMs(4)).toBe(6);
  });

  test("takes a new ceiling at once, downwards and upwards", () => {
    const pace = new Pace(1000, 0);
    pace.setCeiling(100);
    expect(run(pace, { fromMs: 0, forMs: 1000 }).accepted).toBeLessThanOrEqual(101);
    pace.setCeiling(2000);
    expect(pace.messagesPerSecond).toBe(2000);
  });
});

describe("refusals", () => {
  test("are none when the contract rate is within what the carrier takes", () => {
    const { accepted, refused } = run(new Pace(9_900, 0), { fromMs: 0, forMs: 10_000 }, carrier(10_000));
    expect(refused).toBe(0);
    expect(accepted).toBeGreaterThan(98_000);
  });

  test("with a contract rate of twice the truth cost little: over 90 % of what the carrier takes, under 8 % refused", () => {
    const { accepted, refused } = run(new Pace(20_000, 0), { fromMs: 0, forMs: 20_000 }, carrier(10_000));
    expect(accepted).toBeGreaterThan(0.9 * 200_000);
    expect(refused / (accepted + refused)).toBeLessThan(0.08);
  });

  test("cut the rate once in 200 ms, not once a refusal", () => {
    const pace = new Pace(1000, 0);
    run(pace, { fromMs: 0, forMs: 500 });
    expect(pace.onThrottled(500)).toBe(true);
    const rate = pace.messagesPerSecond;
    expect(pace.onThrottled(600)).toBe(false);
    expect(pace.messagesPerSecond).toBe(rate);
    expect(pace.onThrottled(700)).toBe(true);
    expect(pace.messagesPerSecond).toBeLessThan(rate);
  });

  test("for ever leave a hundredth of the contract, from which it comes back when the carrier does", () => {
    const pace = new Pace(1000, 0);
    run(pace, { fromMs: 0, forMs: 30_000 }, () => "throttle");
    expect(pace.messagesPerSecond).toBeGreaterThanOrEqual(10);
    expect(pace.messagesPerSecond).toBeLessThan(30);
    run(pace, { fromMs: 30_000, forMs: 60_000 });
    expect(pace.messagesPerSecond).toBeGreaterThan(30);
  });
});
