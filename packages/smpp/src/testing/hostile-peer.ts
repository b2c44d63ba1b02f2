import type { Socket } from "node:net";
import { ClientSession, type ClientSessionOptions, type ClientSessionOwner } from "../client/client-session.ts";
import { command, dataCoding } from "../codec/commands.ts";
import { writeAlert, writeMessageRequest } from "../codec/message-requests.ts";
import { messageStates } from "../codec/message-state.ts";
import { writeDeliver } from "../codec/write-deliver.ts";
import { writeBind } from "../codec/write-pdu.ts";
import { writeSubmit } from "../codec/write-submit.ts";
import { Pace } from "../client/pace.ts";
import { ServerSession, type ServerHandlers, type ServerSessionOptions } from "../server/server-session.ts";
import { capture } from "./capture.ts";
import { fakeSocket } from "./fake-socket.ts";
import { rawPdu } from "./raw-server.ts";
import { buildSubmit } from "./recording-client.ts";

/** A session's settings that a test is not about. */
export const fuzzOptions: Omit<ClientSessionOptions, "pace"> = {
  host: "",
  port: 0,
  systemId: "shop",
  password: "secret",
  systemType: "",
  role: "transceiver",
  tls: false,
  window: 10,
  submitWith: "submitSm",
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

export function buildReceipt(): Parameters<typeof writeDeliver>[2] {
  return {
    source: { ton: 1, npi: 1, address: "2348031234567" },
    destination: { ton: 5, npi: 0, address: "SHOP" },
    esmClass: 4,
    dataCoding: dataCoding.carrierDefault,
    body: "id:1 sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:",
    receipted: { messageId: "1", state: messageStates.indexOf("delivered") },
  };
}

/** Takes everything, and looks at nothing. */
export const fuzzClientHandlers: ClientSessionOwner<string> = {
  onBound: () => undefined,
  onBindRefused: () => undefined,
  onOutcome: () => undefined,
  onDelivery: (delivery) => delivery.acknowledge(),
  onAlert: () => undefined,
  onReady: () => undefined,
  onThrottled: () => undefined,
  onMalformed: () => undefined,
  onLateAnswer: () => undefined,
  onClosed: () => undefined,
};

export const fuzzServerOptions: ServerSessionOptions = {
  systemId: "carrier",
  deliverWindow: 10,
  openSubmitsMax: 100,
  readPauseAtSubmits: Number.POSITIVE_INFINITY,
  enquireAfterMs: 30_000,
  deadlineMs: 10_000,
  responseTimeoutMs: 60_000,
};

/** Takes everything, and delivers whenever it may. */
export const fuzzServerHandlers: ServerHandlers<string> = {
  onBind: () => 0,
  onBound: () => undefined,
  onSubmit: (_session, submit) => submit.accept("1"),
  onRequest: (_session, request) => request.accept({ messageId: "1", state: "delivered", finalDate: "", errorCode: 0 }),
  onDelivered: () => undefined,
  onReady: (ready) => ready.deliver(buildReceipt(), "d"),
  onClosed: () => undefined,
};

const bindAsTransceiver = { commandId: 9, sequence: 1, systemId: "shop", password: "secret", systemType: "" };
const shop = { ton: 5, npi: 0, address: "SHOP" };

/** One of every kind that a peer may send to either side. */
export const validPdus: readonly Buffer[] = [
  rawPdu(command.submitSmResp, 0, 2, Buffer.from("4711\0")),
  rawPdu(command.submitSmResp, 0x58, 3),
  rawPdu(command.submitSmResp, 0, 4),
  rawPdu(command.genericNack, 3, 5),
  rawPdu(command.enquireLink, 0, 9),
  rawPdu(command.deliverSmResp, 0, 1, Buffer.from("\0")),
  rawPdu(command.outbind, 0, 9, Buffer.from("a\0b\0")),
  rawPdu(0x00000103, 0, 9, Buffer.from("\0\0\0a\0\0\0b\0\0\0\0")),
  rawPdu(0x0000ffff, 0, 9),
  rawPdu(command.querySmResp, 0, 2, Buffer.from("4711\0\0\x02\0", "latin1")),
  rawPdu(command.cancelSmResp, 0x11, 3),
  rawPdu(command.replaceSmResp, 0, 4),
  capture((target) => writeMessageRequest(target, 12, { kind: "query", messageId: "1", source: shop })),
  capture((target) =>
    writeMessageRequest(target, 13, { kind: "cancel", messageId: "", source: shop, destination: shop }),
  ),
  capture((target) =>
    writeMessageRequest(target, 14, { kind: "replace", messageId: "1", source: shop, body: Buffer.from("new") }),
  ),
  capture((target) => writeAlert(target, 15, { source: shop, esme: shop, availability: 0 })),
  capture((target) => writeSubmit(target, 16, buildSubmit(), { ton: 1, npi: 1, isDataSm: true })),
  capture((target) => writeDeliver(target, 10, buildReceipt())),
  capture((target) => writeSubmit(target, 11, buildSubmit(), { ton: 1, npi: 1, isDataSm: false })),
  capture((target) => writeBind(target, bindAsTransceiver)),
];

export type FeedResult = {
  readonly inputs: number;
  /** Sessions that an input ended and that were replaced. */
  readonly sessions: number;
  readonly submitsTaken: number;
  readonly outcomes: number;
};

/**
 * Gives a client's and a server's session `inputCount` PDUs between them, most of them with some octets changed, and replaces
 * a session that such a PDU has ended. A seed gives the same inputs again.
 *
 * @throws what a session throws: it must throw nothing.
 */
export async function feedSessions(inputCount: number, seed: number): Promise<FeedResult> {
  const random = seededRandom(seed);
  let sessions = 0;
  let submitsTaken = 0;
  let outcomes = 0;
  const onOutcome = (): void => {
    outcomes += 1;
  };
  let client = openClient(onOutcome);
  let server = openServer();
  for (let input = 0; input < inputCount; input += 1) {
    const pdu = mutate(validPdus[random(validPdus.length)] ?? Buffer.alloc(0), random);
    if (input % 2 === 0) {
      if (client.session.submit(buildSubmit(), "m")) submitsTaken += 1;
      client.give(pdu);
    } else server.give(pdu);
    // What a session writes leaves at the end of a turn.
    if (input % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (client.isEnded()) {
      client.socket.destroy();
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      client = openClient(onOutcome);
      sessions += 1;
    }
    if (server.isEnded()) {
      server.session.destroy();
      server = openServer();
      sessions += 1;
    }
  }
  client.socket.destroy();
  server.socket.destroy();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return { inputs: inputCount, sessions, submitsTaken, outcomes };
}

/** Numbers of mulberry32: enough to choose octets, and the same ones for the same seed. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) % below;
  };
}

/** Changes up to three octets behind the length; one in 1,000 PDUs has its length changed as well, which ends a session. */
function mutate(pdu: Buffer, random: (below: number) => number): Buffer {
  const octets = Buffer.from(pdu);
  for (let left = random(4); left > 0; left -= 1) octets[4 + random(octets.length - 4)] = random(256);
  if (random(1_000) === 0) octets[random(4)] = random(256);
  return octets;
}

type FedSession<Session> = {
  readonly session: Session;
  readonly socket: Socket;
  readonly give: (pdu: Buffer) => void;
  readonly isEnded: () => boolean;
};

function openClient(onOutcome: () => void): FedSession<ClientSession<string>> {
  const socket = fakeSocket();
  let read: ((chunk: Buffer, octets: number) => void) | undefined;
  const session = new ClientSession<string>(
    { ...fuzzOptions, window: 1_000, pace: new Pace(1_000_000, performance.now()) },
    {
      ...fuzzClientHandlers,
      onOutcome,
    },
    (_target, _onOpen, onRead) => {
      read = onRead;
      return socket;
    },
  );
  const give = (pdu: Buffer): void => read?.(pdu, pdu.length);
  give(rawPdu(command.bindTransceiverResp, 0, 1, Buffer.from("c\0")));
  return { session, socket, give, isEnded: () => !session.isBound };
}

function openServer(): FedSession<ServerSession<string>> {
  const socket = fakeSocket();
  let isClosed = false;
  const session = new ServerSession<string>(
    socket,
    fuzzServerOptions,
    {
      ...fuzzServerHandlers,
      onClosed: () => {
        isClosed = true;
      },
    },
    () => undefined,
  );
  const give = (pdu: Buffer): void => void socket.emit("data", pdu);
  give(capture((target) => writeBind(target, bindAsTransceiver)));
  return { session, socket, give, isEnded: () => isClosed || socket.destroyed || socket.writableEnded };
}
