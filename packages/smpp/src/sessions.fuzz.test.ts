/** Whatever octets come, a session neither throws nor hangs, and every submit still ends exactly once. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ClientSession, type ClientSessionOptions } from "./client/client-session.ts";
import { command, dataCoding } from "./codec/commands.ts";
import { messageStates } from "./codec/message-state.ts";
import { writeDeliver } from "./codec/write-deliver.ts";
import { writeBind } from "./codec/write-pdu.ts";
import { writeSubmit } from "./codec/write-submit.ts";
import { Pace } from "./client/pace.ts";
import { ServerSession } from "./server/server-session.ts";
import { capture } from "./testing/capture.ts";
import { fakeSocket } from "./testing/fake-socket.ts";
import { rawPdu } from "./testing/raw-server.ts";
import { buildSubmit } from "./testing/recording-client.ts";

const options: Omit<ClientSessionOptions, "pace"> = {
  host: "",
  port: 0,
  systemId: "shop",
  password: "secret",
  systemType: "",
  role: "transceiver",
  tls: false,
  window: 10,
  destinationTon: 1,
  destinationNpi: 1,
  enquireAfterMs: 30_000,
  deadlineMs: 10_000,
  responseTimeoutMs: 60_000,
  openDeliveriesMax: 20,
  reconnectBaseMs: 1,
  reconnectMaxMs: 1,
  steadyAfterMs: 1,
};

/** Opens a session that is bound, submits five messages and lets `chunks` arrive. */
async function runClient(chunks: readonly Buffer[], bindFirst: boolean): Promise<void> {
  const socket = fakeSocket();
  let read: ((chunk: Buffer, octets: number) => void) | undefined;
  const outcomes: string[] = [];
  let isClosed = false;
  const session = new ClientSession<string>(
    { ...options, pace: new Pace(1_000_000, performance.now()) },
    {
      onBound: () => undefined,
      onBindRefused: () => undefined,
      onOutcome: (context) => outcomes.push(context),
      onDelivery: (delivery) => delivery.acknowledge(),
      onReady: () => undefined,
      onThrottled: () => undefined,
      onMalformed: () => undefined,
      onLateAnswer: () => undefined,
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
  const session = new ServerSession<string>(
    socket,
    {
      systemId: "carrier",
      deliverWindow: 10,
      openSubmitsMax: 100,
      enquireAfterMs: 30_000,
      deadlineMs: 10_000,
      responseTimeoutMs: 60_000,
    },
    {
      onBind: () => 0,
      onBound: () => undefined,
      onSubmit: (_session, submit) => submit.accept("1"),
      onDelivered: () => undefined,
      onReady: (ready) => ready.deliver(buildReceipt(), "d"),
      onClosed: () => undefined,
    },
    () => undefined,
  );
  for (const chunk of chunks) socket.emit("data", chunk);
  session.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  expect(session.openDeliveries).toBe(0);
}

function buildReceipt(): Parameters<typeof writeDeliver>[2] {
  return {
    source: { ton: 1, npi: 1, address: "2348031234567" },
    destination: { ton: 5, npi: 0, address: "SHOP" },
    esmClass: 4,
    dataCoding: dataCoding.carrierDefault,
    body: "id:1 sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:",
    receipted: { messageId: "1", state: messageStates.indexOf("delivered") },
  };
}

const validPdus: readonly Buffer[] = [
  rawPdu(command.submitSmResp, 0, 2, Buffer.from("4711\0")),
  rawPdu(command.submitSmResp, 0x58, 3),
  rawPdu(command.submitSmResp, 0, 4),
  rawPdu(command.genericNack, 3, 5),
  rawPdu(command.enquireLink, 0, 9),
  rawPdu(command.deliverSmResp, 0, 1, Buffer.from("\0")),
  rawPdu(command.outbind, 0, 9, Buffer.from("a\0b\0")),
  rawPdu(0x00000103, 0, 9, Buffer.from("\0\0\0a\0\0\0b\0\0\0\0")),
  rawPdu(0x0000ffff, 0, 9),
  capture((target) => writeDeliver(target, 10, buildReceipt())),
  capture((target) => writeSubmit(target, 11, buildSubmit(), { ton: 1, npi: 1 })),
  capture((target) =>
    writeBind(target, { commandId: 9, sequence: 1, systemId: "shop", password: "secret", systemType: "" }),
  ),
];

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

test("a submit of a turn that never reached the socket is notSent", async () => {
  const socket = fakeSocket();
  let read: ((chunk: Buffer, octets: number) => void) | undefined;
  const outcomes: unknown[] = [];
  const session = new ClientSession<string>(
    { ...options, pace: new Pace(1_000_000, performance.now()) },
    {
      onBound: () => undefined,
      onBindRefused: () => undefined,
      onOutcome: (context, outcome) => outcomes.push([context, outcome]),
      onDelivery: () => undefined,
      onReady: () => undefined,
      onThrottled: () => undefined,
      onMalformed: () => undefined,
      onLateAnswer: () => undefined,
      onClosed: () => undefined,
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
