import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { TOPICS_PER_HINT_MAX } from "./hint.ts";
import { EventStream } from "./event-stream.ts";

const message = (index: number) => `message:00000000-0000-7000-8000-${String(index).padStart(12, "0")}`;

async function readOnce(stream: EventStream): Promise<string> {
  for (;;) {
    const chunk = stream.readable.read() as Buffer | null;
    if (chunk !== null) return chunk.toString();
    await once(stream.readable, "readable");
  }
}

describe("an event stream", () => {
  test("nobody reads: what happens is merged, costs no more, and ends as one ready", async () => {
    const stream = new EventStream(() => undefined);
    stream.readable.read(0);
    for (let index = 0; index < 100_000; index += 1) stream.change([message(index), "messages"]);
    expect(stream.readable.readableLength).toBeLessThan(16 * 1024);
    const backlog = await readOnce(stream);
    expect(backlog).toMatch(/^event: change\n/);
    expect(backlog.length).toBeLessThan(16 * 1024);
    expect(
      backlog.endsWith("event: ready\ndata: {}\n\n") || (await readOnce(stream)) === "event: ready\ndata: {}\n\n",
    ).toBe(true);
    stream.change(["user"]);
    expect(await readOnce(stream)).toBe('event: change\ndata: {"topics":["user"]}\n\n');
  });

  test("a few topics that could not be written at once arrive together, once each", async () => {
    const stream = new EventStream(() => undefined);
    for (let repeat = 0; repeat < 5; repeat += 1) stream.change(["user", message(1)]);
    expect(await readOnce(stream)).toBe(`event: change\ndata: {"topics":["user","${message(1)}"]}\n\n`);
  });

  test("a client that takes nothing is seen at the heartbeats, one that reads is not", async () => {
    const stream = new EventStream(() => undefined);
    stream.readable.read(0);
    for (let index = 0; index < TOPICS_PER_HINT_MAX; index += 1) stream.change([message(index)]);
    for (let chunk = 0; chunk < 100; chunk += 1) stream.change(["x".repeat(1_000)]);
    expect([stream.beat(), stream.beat(), stream.beat()]).toEqual([1, 2, 3]);
    while (stream.readable.read() !== null) await new Promise(setImmediate);
    expect(stream.beat()).toBe(0);
  });

  test("closing is told once, and nothing is written after the end", async () => {
    let closeCount = 0;
    const stream = new EventStream(() => {
      closeCount += 1;
    });
    stream.endSignedOut();
    stream.change(["user"]);
    stream.end();
    const chunks = await stream.readable.toArray();
    expect(Buffer.concat(chunks as Buffer[]).toString()).toBe("event: signed-out\ndata: {}\n\n");
    await new Promise(setImmediate);
    expect(closeCount).toBe(1);
  });
});
