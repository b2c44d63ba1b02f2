/** What a server that strangers reach adds: binds that take time, clients that do not read, connections that do nothing. */
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
import { command } from "../codec/commands.ts";
import { commandStatus } from "../codec/command-status.ts";
import { writeBind } from "../codec/write-pdu.ts";
import { writeSubmit } from "../codec/write-submit.ts";
import { capture } from "../testing/capture.ts";
import { rawPdu } from "../testing/raw-server.ts";
import { buildSubmit } from "../testing/recording-client.ts";
import { closeAfterTest, startClient, startServer } from "../testing/start-pair.ts";
import { makeCertificate } from "../testing/tls-pair.ts";
import { until } from "../testing/until.ts";
import type { IncomingSubmit } from "./server-types.ts";

const bind = capture((target) =>
  writeBind(target, {
    commandId: command.bindTransceiver,
    sequence: 1,
    systemId: "shop",
    password: "secret",
    systemType: "",
  }),
);
const submitOf = (sequence: number): Buffer =>
  capture((target) => writeSubmit(target, sequence, buildSubmit(), { ton: 1, npi: 1, isDataSm: false }));

/** A client that writes octets and keeps the answers it reads: command, status and sequence of each. */
function openRaw(port: number): { socket: Socket; answers: [number, number, number][]; isClosed: () => boolean } {
  const socket = connectPlain({ port, host: "127.0.0.1" });
  const answers: [number, number, number][] = [];
  let rest = Buffer.alloc(0);
  let isClosed = false;
  socket.on("data", (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 16 && rest.length >= rest.readUInt32BE(0)) {
      answers.push([rest.readUInt32BE(4), rest.readUInt32BE(8), rest.readUInt32BE(12)]);
      rest = rest.subarray(rest.readUInt32BE(0));
    }
  });
  socket.on("close", () => {
    isClosed = true;
  });
  socket.on("error", () => undefined);
  closeAfterTest(async () => void socket.destroy());
  return { socket, answers, isClosed: () => isClosed };
}

test("a bind whose check takes time is answered when it is done, and nothing is taken before", async () => {
  const checks = Promise.withResolvers<number>();
  let address = "";
  const { port, submits } = await startServer({
    onBind: ({ remoteAddress }) => {
      address = remoteAddress;
      return checks.promise;
    },
  });
  const { socket, answers } = openRaw(port);
  socket.write(Buffer.concat([bind, submitOf(2), bind]));
  await until(() => answers.length === 2, "two refusals");
  expect(answers).toEqual([
    [command.submitSmResp, commandStatus.ESME_RINVBNDSTS, 2],
    [command.bindTransceiverResp, commandStatus.ESME_RALYBND, 1],
  ]);
  checks.resolve(commandStatus.ESME_ROK);
  await until(() => answers.length === 3, "the bind");
  socket.write(submitOf(3));
  await until(() => answers.length === 4, "the submit");
  expect(answers.slice(2)).toEqual([
    [command.bindTransceiverResp, 0, 1],
    [command.submitSmResp, 0, 3],
  ]);
  expect([submits.length, address]).toEqual([1, "127.0.0.1"]);
});

test("a refused bind closes the connection after its answer; a client that left before is no trouble", async () => {
  const checks: ((status: number) => void)[] = [];
  const { port, server } = await startServer({ onBind: () => new Promise<number>((resolve) => checks.push(resolve)) });
  const [refused, gone] = [openRaw(port), openRaw(port)];
  refused.socket.write(bind);
  gone.socket.write(bind);
  await until(() => checks.length === 2, "both binds");
  gone.socket.destroy();
  await until(() => server.sessions.size === 1, "the client's leaving");
  for (const answer of checks) answer(commandStatus.ESME_RINVPASWD);
  await until(refused.isClosed, "the end");
  expect(refused.answers).toEqual([[command.bindTransceiverResp, commandStatus.ESME_RINVPASWD, 1]]);
});

test("who closes a server has been told of every connection's end by then", async () => {
  let endedCount = 0;
  const { port, server } = await startServer({ onClosed: () => (endedCount += 1) });
  const clients = Array.from({ length: 6 }, () => openRaw(port));
  for (const { socket } of clients) socket.write(bind);
  await until(() => clients.every(({ answers }) => answers.length === 1), "the binds");
  await server.close({ isPolite: false });
  expect(endedCount).toBe(6);
});

test("of a client with too many open submits no more are read until half are answered, and none is refused", async () => {
  const open: IncomingSubmit[] = [];
  const { port } = await startServer({ readPauseAtSubmits: 10, onSubmit: (submit) => open.push(submit) });
  const { socket, answers } = openRaw(port);
  socket.write(bind);
  await until(() => answers.length === 1, "the bind");
  // Small chunks: what one read brings is taken as a whole.
  for (let index = 0; index < 5; index += 1) {
    await new Promise<void>((resolve) =>
      socket.write(Buffer.concat(Array.from({ length: 5 }, (_, place) => submitOf(index * 5 + place + 2))), () =>
        resolve(),
      ),
    );
    await until(() => open.length >= Math.min(10, (index + 1) * 5), "what is read");
  }
  expect(open.length).toBeLessThan(25);
  let answered = 0;
  while (answers.length < 26) {
    for (const submit of open.slice(answered)) submit.accept("1");
    answered = open.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(answers.slice(1).map(([, status]) => status)).toEqual(Array.from({ length: 25 }, () => 0));
});

test("a client that does not read its answers is not read either", async () => {
  const { port, submits, server } = await startServer({ deadlineMs: 60_000 });
  const { socket, answers } = openRaw(port);
  socket.write(bind);
  await until(() => answers.length === 1, "the bind");
  socket.pause();
  const batch = Buffer.concat(Array.from({ length: 1000 }, (_, place) => submitOf(place + 2)));
  // 300,000 submits, whose answers fill what the kernel holds for both ends many times over.
  for (let turn = 0; turn < 300; turn += 1) socket.write(batch);
  let before = -1;
  while (submits.length !== before) {
    before = submits.length;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(before).toBeLessThan(300_000);
  expect(server.sessions.size).toBe(1);
  socket.resume();
  await until(() => submits.length === 300_000, "the rest");
});

test("connections beyond those that may wait for a bind push out the oldest of them, never one that is bound", async () => {
  const { port, server } = await startServer({ unboundMax: 3, connectionsMax: 50 });
  const bound = startClient({ port });
  await until(() => bound.client.state === "bound", "the bind");
  const idle: ReturnType<typeof openRaw>[] = [];
  for (let index = 0; index < 20; index += 1) {
    idle.push(openRaw(port));
    await until(() => [...server.sessions].length >= Math.min(4, index + 2), "a connection");
  }
  await until(() => idle.filter(({ isClosed }) => isClosed()).length === 17, "the oldest's ends");
  expect(idle.slice(-3).map(({ isClosed }) => isClosed())).toEqual([false, false, false]);
  expect(bound.client.state).toBe("bound");
});

test("a delivery of more than 254 octets arrives in message_payload", async () => {
  const { port, bound, delivered } = await startServer();
  const client = startClient({ port });
  await until(() => bound.length === 1, "the bind");
  const body = Buffer.from("x".repeat(1600));
  const address = { ton: 1, npi: 1, address: "2348030000001" };
  bound[0]?.deliver({ source: address, destination: address, esmClass: 0, dataCoding: 0, body }, "long");
  await until(() => delivered.length === 1, "its answer");
  expect(client.deliveries).toMatchObject([{ kind: "message", body }]);
});

const certificate = makeCertificate();
const skipReason = certificate === undefined ? " (skipped: openssl is not installed)" : undefined;

test.skipIf(skipReason !== undefined)(
  `with TLS: a handshake that never comes is given up, a plain client is refused, a client with TLS binds${skipReason ?? ""}`,
  async () => {
    if (certificate === undefined) return;
    const { port } = await startServer({ tls: certificate, deadlineMs: 300 });
    const silent = openRaw(port);
    const plain = openRaw(port);
    plain.socket.write(bind);
    const { client } = startClient({ port, tls: { ca: certificate.cert, servername: "localhost" } });
    await until(() => client.state === "bound" && plain.isClosed() && silent.isClosed(), "all three");
    expect([...plain.answers, ...silent.answers]).toEqual([]);
    const other = connectTls({ port, host: "127.0.0.1", maxVersion: "TLSv1.1", ca: certificate.cert });
    closeAfterTest(async () => void other.destroy());
    await new Promise<void>((resolve) => other.on("error", () => resolve()));
  },
);

test("a PDU before its bind is refused with ESME_RINVBNDSTS, enquire_link is answered", async () => {
  const { port } = await startServer();
  const { socket, answers } = openRaw(port);
  socket.write(Buffer.concat([submitOf(1), rawPdu(command.querySm, 0, 2), rawPdu(command.enquireLink, 0, 3)]));
  await until(() => answers.length === 3, "three answers");
  expect(answers.toSorted((one, other) => one[2] - other[2])).toEqual([
    [command.submitSmResp, commandStatus.ESME_RINVBNDSTS, 1],
    [command.querySmResp, commandStatus.ESME_RINVBNDSTS, 2],
    [command.enquireLinkResp, 0, 3],
  ]);
});
