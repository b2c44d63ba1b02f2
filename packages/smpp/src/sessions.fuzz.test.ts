/** Whatever octets come, a session neither throws nor hangs, and every submit still ends exactly once. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ClientSession } from "./client/client-session.ts";
import { Pace } from "./client/pace.ts";
import { command } from "./codec/commands.ts";
import { ServerSession } from "./server/server-session.ts";
import { fakeSocket } from "./testing/fake-socket.ts";
import {
  feedSessions,
  fuzzClientHandlers,
  fuzzOptions,
  fuzzServerHandlers,
  fuzzServerOptions,
  validPdus,
} from "./testing/hostile-peer.ts";
import { rawPdu } from "./testing/raw-server.ts";
import { buildSubmit } from "./testing/recording-client.ts";

/** Opens a session that is bound, submits five messages and lets `chunks` arrive. */
async function runClient(chunks: readonly Buffer[], bindFirst: boolean): Promise<void> {
  const socket = fakeSocket();
  let read: ((chunk: Buffer, octets: number) => void) | undefined;
  const outcomes: string[] = [];
  let isClosed = false;
  const session = new ClientSession<string>(
    { ...fuzzOptions, pace: new Pace(1_000_000, performance.now()) },
    {
      ...fuzzClientHandlers,
      onOutcome: (context) => outcomes.push(context),
      onClosed: () => {
        isClosed = true;
      },
    },
    (_target, onOpen, onRead) => {
      read = onRead;
      setImmediate(onOpen);
      return socket;
    },
  );
  const give = (chunk: Buffer): void => read?.(chunk, chunk.length);
  if (bindFirst) give(rawPdu(command.bindTransceiverResp, 0, 1, Buffer.from("c\0")));
  const taken = ["a", "b", "c", "d", "e"].filter((name) => session.submit(buildSubmit(), name));
  for (const chunk of chunks) give(chunk);
  socket.destroy();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(isClosed).toBe(true);
  expect(outcomes.toSorted()).toEqual(taken);
}

async function runServer(chunks: readonly Buffer[]): Promise<void> {
  const socket = fakeSocket();
  const session = new ServerSession<string>(socket, fuzzServerOptions, fuzzServerHandlers, () => undefined);
  for (const chunk of chunks) socket.emit("data", chunk);
  session.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  expect(session.openDeliveries).toBe(0);
}

/** Valid PDUs with some octets changed, or nothing but noise. */
const stream = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }).map((octets) => Buffer.from(octets)),
  fc
    .tuple(
      fc.array(fc.constantFrom(...validPdus), { minLength: 1, maxLength: 12 }),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
    )
    .map(([pdus, changes]) => {
      const octets = Buffer.concat(pdus);
      for (const [place, value] of changes) octets[place % octets.length] = value;
      return octets;
    }),
);

const chunked = fc
  .tuple(stream, fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 8 }))
  .map(([octets, sizes]) => {
    const chunks: Buffer[] = [];
    for (let at = 0, turn = 0; at < octets.length; turn += 1) {
      const size = sizes[turn % sizes.length] ?? 1;
      chunks.push(octets.subarray(at, at + size));
      at += size;
    }
    return chunks;
  });

test("a client session survives any octets, before and after its bind", async () => {
  await fc.assert(
    fc.asyncProperty(chunked, fc.boolean(), (chunks, bindFirst) => runClient(chunks, bindFirst)),
    { numRuns: 250 },
  );
});

test("a server session survives any octets, before and after a bind", async () => {
  const bind = validPdus.at(-1) ?? Buffer.alloc(0);
  await fc.assert(
    fc.asyncProperty(chunked, fc.boolean(), (chunks, bindFirst) => runServer(bindFirst ? [bind, ...chunks] : chunks)),
    { numRuns: 250 },
  );
});

test("100,000 changed PDUs leave every submit with one outcome", async () => {
  const { submitsTaken, outcomes, sessions } = await feedSessions(100_000, 20_261_123);
  expect(submitsTaken).toBeGreaterThan(10_000);
  expect(outcomes).toBe(submitsTaken);
  // Lengths that cannot be, and unbinds, do end sessions.
  expect(sessions).toBeGreaterThan(20);
});

test("a submit of a turn that never reached the socket is notSent", async () => {
  const socket = fakeSocket();
  let read: ((chunk: Buffer, octets: number) => void) | undefined;
  const outcomes: unknown[] = [];
  const session = new ClientSession<string>(
    { ...fuzzOptions, pace: new Pace(1_000_000, performance.now()) },
    {
      ...fuzzClientHandlers,
      onOutcome: (context, outcome) => outcomes.push([context, outcome]),
    },
    (_target, _onOpen, onRead) => {
      read = onRead;
      return socket;
    },
  );
  const answer = rawPdu(command.bindTransceiverResp, 0, 1, Buffer.from("c\0"));
  read?.(answer, answer.length);
  session.submit(buildSubmit(), "written");
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  session.submit(buildSubmit(), "in the batch");
  socket.destroy();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(outcomes).toEqual([
    ["in the batch", { kind: "notSent" }],
    ["written", { kind: "unknown", reason: "connectionLost" }],
  ]);
});
