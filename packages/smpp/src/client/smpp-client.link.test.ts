/** The link itself: keep-alive, time limits, reconnecting, TLS, unbinding, throttling. */
import { describe, expect, test } from "vitest";
import { command } from "../codec/commands.ts";
import { commandStatus } from "../codec/command-status.ts";
import type { Deliver } from "../codec/write-deliver.ts";
import type { IncomingSubmit } from "../server/server-types.ts";
import { buildSubmit, feeder } from "../testing/recording-client.ts";
import { rawPdu, rawServer, type RawServer, type RawServerOptions } from "../testing/raw-server.ts";
import { closeAfterTest, startClient, startPair, startServer } from "../testing/start-pair.ts";
import { makeCertificate } from "../testing/tls-pair.ts";
import { until } from "../testing/until.ts";

async function startRawServer(options: RawServerOptions = {}): Promise<RawServer> {
  const server = await rawServer(options);
  closeAfterTest(server.close);
  return server;
}

describe("keep-alive", () => {
  test("asks only after silence, and gives a link up that does not answer", async () => {
    const raw = await startRawServer();
    const { events, client } = startClient({ port: raw.port, enquireAfterMs: 60, deadlineMs: 60 });
    await until(() => client.stats().binds === 2, "a second bind");
    expect(events[1]).toMatchObject({ kind: "connectionLost", reason: "no answer to enquire_link" });
    expect(raw.heard.slice(0, 3)).toEqual([command.bindTransceiver, command.enquireLink, command.bindTransceiver]);
  });

  test("keeps a link whose peer answers", async () => {
    const { client, events } = await startPair({}, { enquireAfterMs: 20, deadlineMs: 5000 });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(events.map(({ kind }) => kind)).toEqual(["bound"]);
    expect(client.state).toBe("bound");
  });

  test("answers the peer's enquire_link", async () => {
    const raw = await startRawServer({
      onPdu: (socket, pdu) => {
        if (pdu.readUInt32BE(4) === command.bindTransceiver) socket.write(rawPdu(command.enquireLink, 0, 77));
      },
    });
    startClient({ port: raw.port });
    await until(() => raw.heard.includes(command.enquireLinkResp), "the answer");
  });
});

describe("a peer that unbinds and goes on talking", () => {
  test("is left after the time limit, and bound to anew", async () => {
    const raw = await startRawServer({
      allowHalfOpen: true,
      onPdu: (socket, pdu) => {
        if (pdu.readUInt32BE(4) !== command.bindTransceiver || raw.sockets.length > 1) return;
        socket.write(rawPdu(command.unbind, 0, 1));
        const talking = setInterval(() => socket.write(rawPdu(command.enquireLink, 0, 2)), 20);
        socket.once("close", () => clearInterval(talking));
      },
    });
    const { client } = startClient({ port: raw.port, deadlineMs: 200 });
    await until(() => client.stats().binds === 2, "a second bind");
    expect(raw.heard.slice(0, 3)).toEqual([command.bindTransceiver, command.unbindResp, command.bindTransceiver]);
  });
});

describe("a submit without an answer", () => {
  test("becomes unknown after the time limit when the link is otherwise alive; a late answer changes nothing", async () => {
    const held: IncomingSubmit[] = [];
    const { client, outcomes, submits } = await startPair(
      { onSubmit: (submit, _session, count) => (count === 1 ? held.push(submit) : submit.accept("x")) },
      { responseTimeoutMs: 200 },
    );
    client.submit(buildSubmit(), "silent");
    await until(() => submits.length === 1, "the submit");
    client.submit(buildSubmit(), "answered");
    await until(() => outcomes.has("silent"), "the time limit");
    expect(outcomes.get("silent")).toEqual([{ kind: "unknown", reason: "timedOut" }]);
    held[0]?.accept("too late");
    await until(() => client.stats().lateAnswers === 1, "the late answer");
    expect(outcomes.get("silent")).toHaveLength(1);
    expect(client.state).toBe("bound");
  });

  test("waits on while nothing at all is read: its answer may be on the way", async () => {
    const raw = await startRawServer();
    const { client, outcomes } = startClient({ port: raw.port, responseTimeoutMs: 200 });
    await until(() => client.canSubmit(), "the bind");
    client.submit(buildSubmit(), "a");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(outcomes.size).toBe(0);
    expect(client.stats().openSubmits).toBe(1);
  });
});

describe("reconnecting", () => {
  test("goes on through refused connections and refused binds until one holds", async () => {
    let refusals = 3;
    const server = await startServer({ onBind: () => (refusals-- > 0 ? commandStatus.ESME_RBINDFAIL : 0) });
    const { events, client } = startClient({ port: server.port });
    await until(() => client.state === "bound", "the bind");
    expect(events.map(({ kind }) => kind)).toEqual(["bindRefused", "bindRefused", "bindRefused", "bound"]);
    expect(events[0]).toMatchObject({ status: 0x0d, isCredentialProblem: false });
  });

  test("with refused credentials waits at the long end and says so", async () => {
    const server = await startServer({
      onBind: ({ password }) => (password === "secret" ? commandStatus.ESME_RINVPASWD : 0),
    });
    const { events } = startClient({ port: server.port, reconnectMaxMs: 60_000 });
    await until(() => events.length === 1, "the refusal");
    expect(events[0]).toMatchObject({ kind: "bindRefused", status: 0x0e, isCredentialProblem: true });
    expect(events[0]).toHaveProperty(
      "retryInMs",
      expect.toSatisfy((ms: number) => ms >= 30_000 && ms <= 60_000),
    );
  });

  test("tries again when nobody listens", async () => {
    const server = await startServer();
    await server.close();
    const { events } = startClient({ port: server.port });
    await until(() => events.length >= 2, "two attempts");
    expect(events[0]).toMatchObject({ kind: "connectionLost" });
    expect(JSON.stringify(events[0])).toContain("ECONNREFUSED");
  });

  test("gives a peer up that never answers the bind", async () => {
    const { port } = await startRawServer({ answersBinds: false });
    const { events } = startClient({ port, deadlineMs: 50 });
    await until(() => events.length >= 1, "the time limit");
    expect(events[0]).toMatchObject({ kind: "connectionLost", reason: "no answer to the bind" });
  });

  test("a transmitter and a receiver are two binds, each kept up by itself", async () => {
    const server = await startServer();
    const { client, deliveries, outcomes } = startClient({ port: server.port, bindMode: "transmitterReceiver" });
    await until(() => client.stats().binds === 2, "two binds");
    expect(server.bound.map(({ role }) => role).toSorted()).toEqual(["receiver", "transmitter"]);
    const receiver = server.bound.find((session) => session.isReceiver);
    receiver?.deliver(buildReceipt("1"), "d");
    client.submit(buildSubmit(), "a");
    await until(() => deliveries.length === 1 && outcomes.size === 1, "both directions");
    receiver?.destroy();
    await until(() => client.stats().binds === 3, "the receiver's next bind");
    expect(client.state).toBe("bound");
  });
});

describe("TLS", () => {
  test("says in words that the peer does not speak it", async () => {
    const server = await startServer();
    const { events } = startClient({ port: server.port, tls: true });
    await until(() => events.length > 0, "the end of the connection");
    expect(events[0]).toMatchObject({ kind: "connectionLost", reason: "the other side does not speak TLS" });
  });

  test("carries submits and deliveries, and refuses a certificate that it does not know", async ({ skip }) => {
    const certificate = makeCertificate();
    skip(certificate === undefined, "there is no openssl to make a certificate");
    if (certificate === undefined) return;
    const server = await startServer({ tls: certificate });
    const stranger = startClient({ port: server.port, tls: true });
    await until(() => stranger.events.length > 0, "the refusal");
    expect(stranger.events[0]).toMatchObject({ kind: "connectionLost" });
    expect(JSON.stringify(stranger.events[0])).toMatch(/certificate/);

    const friend = startClient({ port: server.port, tls: { ca: certificate.cert }, window: 50, onReady: feeder(2000) });
    await until(() => friend.outcomeCount() === 2000, "2000 answers");
    expect(friend.countOf("accepted")).toBe(2000);
    server.bound[0]?.deliver(buildReceipt("1"), "d");
    await until(() => friend.deliveries.length === 1, "the receipt");
  });
});

describe("closing", () => {
  test("takes no more, waits for open answers and open deliveries, then unbinds", async () => {
    const held: IncomingSubmit[] = [];
    const { client, outcomes, submits, events, bound, delivered, deliveries } = await startPair(
      { onSubmit: (submit) => held.push(submit) },
      { onDelivery: () => undefined },
    );
    client.submit(buildSubmit(), "a");
    bound[0]?.deliver(buildReceipt("1"), "d");
    await until(() => submits.length === 1 && deliveries.length === 1, "both");
    const closing = client.close({ drainMs: 5000 });
    expect(client.submit(buildSubmit(), "b")).toBe(false);
    held[0]?.accept("7");
    await until(() => outcomes.size === 1, "the answer");
    expect(client.state).toBe("closing");
    deliveries[0]?.acknowledge();
    await closing;
    expect(outcomes.get("a")).toEqual([{ kind: "accepted", messageId: "7" }]);
    expect(delivered).toEqual([{ context: "d", outcome: { kind: "acknowledged" } }]);
    expect(events.at(-1)).toEqual({ kind: "closed", role: "transceiver", reason: "unbound" });
    expect(client.state).toBe("closed");
  });

  test("leaves what is not answered in time unknown", async () => {
    const { client, outcomes, submits } = await startPair({ onSubmit: () => undefined });
    client.submit(buildSubmit(), "a");
    await until(() => submits.length === 1, "the submit");
    await client.close({ drainMs: 30 });
    expect(outcomes.get("a")).toEqual([{ kind: "unknown", reason: "connectionLost" }]);
  });

  test("between two attempts ends at once, and a second call answers too", async () => {
    const server = await startServer();
    await server.close();
    const { client, events } = startClient({ port: server.port, reconnectBaseMs: 60_000, reconnectMaxMs: 60_000 });
    await until(() => events.length === 1, "the first attempt");
    await Promise.all([client.close(), client.close()]);
    await client.close();
    expect(client.state).toBe("closed");
  });
});

describe("the rate", () => {
  test("holds: 200 a second are 20 in a tenth of a second, however wide the window", async () => {
    const { client, submits } = await startPair({}, { window: 1000, messagesPerSecond: 200, onReady: feeder(1000) });
    const startedAtMs = performance.now();
    await until(() => submits.length >= 40, "40 submits");
    const elapsedMs = performance.now() - startedAtMs;
    // 40 messages at 200/s take 200 ms; a burst may bring the first 10 at once.
    expect(elapsedMs).toBeGreaterThan(120);
    client.setRate(100_000);
    await until(() => submits.length === 1000, "the rest at the new rate");
  });

  test("a throttled submit ends as refused, and the rate goes down", async () => {
    const { client, events, outcomes } = await startPair(
      { onSubmit: (submit) => submit.refuse(commandStatus.ESME_RTHROTTLED) },
      { messagesPerSecond: 100 },
    );
    client.submit(buildSubmit(), "a");
    await until(() => outcomes.size === 1, "the answer");
    expect(outcomes.get("a")).toEqual([{ kind: "refused", status: 0x58 }]);
    expect(events.at(-1)).toMatchObject({ kind: "throttled", status: 0x58 });
    expect(client.stats().messagesPerSecond).toBeLessThan(95);
  });
});

function buildReceipt(messageId: string): Deliver {
  return {
    source: { ton: 1, npi: 1, address: "2348031234567" },
    destination: { ton: 5, npi: 0, address: "SHOP" },
    esmClass: 4,
    dataCoding: 0,
    body: `id:${messageId} sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:`,
    receipted: { messageId, state: 2 },
  };
}
