import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { test as base, expect } from "vitest";
import { superviseChild, type SupervisedChild } from "./supervise-child.ts";

/** Is ready at once, and ends when it is told to or, after the time that its start message names, by itself. */
const CHILD = `
  process.on("message", (message) => {
    if (message.kind === "stop") process.exit(0);
    process.send({ kind: "ready" });
    if (message.livesMs !== undefined) setTimeout(() => process.exit(1), message.livesMs);
  });
  process.on("disconnect", () => process.exit(0));
`;

type Start = (
  livesMs: (startCount: number) => number | undefined,
) => Promise<SupervisedChild & { startCount: () => number; words: string[] }>;

const test = base.extend<{ start: Start }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  start: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "ewebal-child-"));
    const modulePath = join(folder, "child.mjs");
    await writeFile(modulePath, CHILD);
    const started: SupervisedChild[] = [];
    await use(async (livesMs) => {
      let startCount = 0;
      const words: string[] = [];
      const child = await superviseChild({
        name: "test",
        modulePath,
        startMessage: () => ({ kind: "start", livesMs: livesMs((startCount += 1)) }),
        log: pino({ level: "info" }, { write: (line) => void words.push((JSON.parse(line) as { msg: string }).msg) }),
        isTreeStopping: () => false,
      });
      started.push(child);
      return { ...child, startCount: () => startCount, words };
    });
    for (const child of started) await child.stop();
    await rm(folder, { recursive: true });
  },
});

/** Lets nothing be heard of what happens meanwhile. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test("a child that ends by itself is started again", async ({ start }) => {
  const child = await start((startCount) => (startCount === 1 ? 10 : undefined));
  await expect.poll(child.startCount, { timeout: 5_000 }).toBe(2);
  expect(child.words).toContain("process ended unexpectedly, starting it again");
});

test("a child that ended in the moment before it is told to stop is stopped", async ({ start }) => {
  const child = await start(() => 50);
  block(400);
  await child.stop();
  expect(child.startCount()).toBe(1);
});

test("a restart for which the system has no process is tried again", async ({ start }) => {
  const { execPath } = process;
  const child = await start((startCount) => (startCount === 1 ? 10 : undefined));
  try {
    process.execPath = "/nowhere/node";
    await expect.poll(() => child.words, { timeout: 5_000 }).toContain("restart failed");
  } finally {
    process.execPath = execPath;
  }
  await expect
    .poll(() => child.words.filter((word) => word === "process is ready").length, { timeout: 10_000 })
    .toBe(2);
});
