import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { ToldCustomer } from "./collect-reports.ts";
import { HeldStreams } from "./held-streams.ts";

const stream = (oldestMs: number, reportCount = 1_000): ToldCustomer => ({
  userId: "01900000-0000-7000-8000-000000000001",
  rowCount: 20,
  oldestMs,
  reportCount,
  mayHaveMore: true,
});

function keepThreadBusy(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

test("a stream is held while the thread is busy, until it has room or the oldest report has waited for long", async () => {
  const held = new HeldStreams();
  // A process that waits for its turn on a machine at its limit is busy, too.
  const rest = async (): Promise<void> =>
    await vi.waitFor(
      async () => {
        await sleep(50);
        held.look();
        expect(held.hold(stream(0))).toBe(false);
      },
      { timeout: 20_000 },
    );
  await rest();
  expect(held.isHeld(stream(0))).toBe(false);

  const work = (): void => {
    for (let look = 0; look < 5; look += 1) {
      keepThreadBusy(20);
      held.look();
    }
  };
  work();
  // Nothing was told of it yet: the first piece goes out at once.
  expect(held.isHeld(stream(0))).toBe(false);
  expect(held.hold(stream(45_000))).toBe(false);
  expect(held.hold(stream(0, 999))).toBe(false);
  expect(held.hold(stream(44_999))).toBe(true);
  expect(held.isHeld(stream(44_999))).toBe(true);
  expect(held.isHeld({ ...stream(0), userId: "01900000-0000-7000-8000-000000000002" })).toBe(false);
  expect(held.isHeld(stream(45_000))).toBe(false);

  work();
  expect(held.isHeld(stream(44_999))).toBe(true);
  await rest();
  expect(held.isHeld(stream(44_999))).toBe(false);
});
