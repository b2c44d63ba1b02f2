import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { test as base, expect, vi } from "vitest";
import type { Identity } from "@ewebal/embedded-postgres";
import { readConfig } from "../base/config.ts";
import type { PrepareMessage } from "./messages.ts";
import { superviseChild, type SupervisedChild } from "./supervise-child.ts";

/**
 * Prepares with a note, or fails to in words, or ends, as the database's name says. Is ready at once, and ends when it is told to or, after the time
 * that its start message names, by itself.
 */
const CHILD = `
  process.on("message", (message) => {
    if (message.kind === "stop") process.exit(0);
    if (message.kind === "prepare") {
      if (message.databaseUrl === "broken") return process.send({ kind: "failed", message: "No such database" });
      if (message.databaseUrl === "deadly") process.exit(1);
      return process.send({ kind: "prepared", notes: [message.databaseUrl, process.env.NODE_COMPILE_CACHE ?? "none"] });
    }
    process.send({ kind: "ready" });
    if (message.livesMs !== undefined) setTimeout(() => process.exit(1), message.livesMs);
  });
  process.on("disconnect", () => process.exit(0));
`;

type Launched = SupervisedChild & { startCount: () => number; words: string[] };
type LivesMs = (startCount: number) => number | undefined;

const test = base.extend<{
  launch: (livesMs?: LivesMs, identity?: Identity) => Launched;
  start: (livesMs: LivesMs) => Promise<Launched>;
}>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  launch: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "ewebal-child-"));
    const modulePath = join(folder, "child.mjs");
    await writeFile(modulePath, CHILD);
    await chmod(folder, 0o755);
    const started: SupervisedChild[] = [];
    await use((livesMs = () => undefined, identity) => {
      let startCount = 0;
      const words: string[] = [];
      const child = superviseChild({
        name: "test",
        modulePath,
        identity,
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
  start: async ({ launch }, use) => {
    await use(async (livesMs) => {
      const child = launch(livesMs);
      await child.start();
      return child;
    });
  },
});

function preparing(databaseUrl: string): PrepareMessage {
  return { kind: "prepare", config: readConfig({}), databaseUrl, isDemo: false };
}

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

test("a child prepares before it starts, and says in its own words why it cannot", async ({ launch }) => {
  const child = launch();
  expect(await child.prepare(preparing("here"))).toContain("here");
  await expect(child.prepare(preparing("broken"))).rejects.toThrow("No such database");
  await child.start();
});

test("a child that has ended before it is told to start is not waited for, and not started again", async ({
  launch,
}) => {
  const child = launch();
  await expect(child.prepare(preparing("deadly"))).rejects.toThrow("The test process ended while it was starting");
  await expect(child.start()).rejects.toThrow("The test process ended while it was starting");
  await child.stop();
  expect(child.startCount()).toBe(1);
});

test.skipIf(process.getuid?.() !== 0)(
  "a child of another user keeps compiled modules in a folder of its own, and never in one that a third made",
  async ({ launch }) => {
    const cache = await mkdtemp(join(tmpdir(), "ewebal-compiled-"));
    await chmod(cache, 0o1777);
    vi.stubEnv("NODE_COMPILE_CACHE", cache);
    try {
      const [own, taken] = [
        { uid: 60_601, gid: 60_600 },
        { uid: 60_602, gid: 60_600 },
      ];
      await mkdir(join(cache, "60602"));
      await chown(join(cache, "60602"), 60_603, 60_600);
      expect(await launch(undefined, own).prepare(preparing("here"))).toEqual(["here", join(cache, "60601")]);
      const made = await stat(join(cache, "60601"));
      expect([made.uid, made.mode & 0o777]).toEqual([60_601, 0o700]);
      expect(await launch(undefined, taken).prepare(preparing("here"))).toEqual(["here", "none"]);
      expect((await stat(join(cache, "60602"))).uid).toBe(60_603);
    } finally {
      vi.unstubAllEnvs();
      await rm(cache, { recursive: true });
    }
  },
);
