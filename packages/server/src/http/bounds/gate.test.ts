import { expect, test } from "vitest";
import { Gate } from "./gate.ts";

/** Work that goes on until it is told to end. */
function heldWork() {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    work: (id: number) => async () => {
      started.push(id);
      await new Promise<void>((done) => ends.push(done));
      return id;
    },
    endFirst: async () => {
      ends.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

test("as many as there are places go on, the others wait in order, and one too many is refused", async () => {
  const gate = new Gate({ placesMax: 2, waitingMax: 2 });
  const { started, work, endFirst } = heldWork();
  const runs = [1, 2, 3, 4].map((id) => gate.run(work(id)));
  await expect(gate.run(work(5))).rejects.toMatchObject({ code: "UNAVAILABLE", extra: { retryAfterSeconds: 5 } });
  expect(started).toEqual([1, 2]);
  await endFirst();
  expect(started).toEqual([1, 2, 3]);
  for (let end = 0; end < 3; end += 1) await endFirst();
  expect(await Promise.all(runs)).toEqual([1, 2, 3, 4]);
});

test("work that fails gives its place back", async () => {
  const gate = new Gate({ placesMax: 1, waitingMax: 0 });
  for (let repeat = 0; repeat < 3; repeat += 1) {
    await expect(gate.run(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  }
  expect(await gate.run(() => Promise.resolve("done"))).toBe("done");
});

test("who asks a hundred times has one place, waits alone, and is refused alone", async () => {
  const gate = new Gate({ placesMax: 2, waitingMax: 10, placesPerKeyMax: 1, waitingPerKeyMax: 2 });
  const { started, work, endFirst } = heldWork();
  const runs = [1, 2, 3].map((id) => gate.run(work(id), "flood"));
  await expect(gate.run(work(4), "flood")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  runs.push(gate.run(work(5), "other"), gate.run(work(6), "third"));
  await new Promise(setImmediate);
  expect(started).toEqual([1, 5]);
  await endFirst();
  // The third comes before the flood's next, though it asked later: the flood's turn was the first.
  expect(started).toEqual([1, 5, 2]);
  for (let end = 0; end < 5; end += 1) await endFirst();
  expect(started).toEqual([1, 5, 2, 6, 3]);
  await Promise.all(runs);
});
