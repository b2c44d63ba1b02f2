/** Interoperation with the npm package `smpp`, which is not ours, as carrier and as client. */
import smpp, { type Pdu, type Session } from "smpp";
import { describe, expect, test } from "vitest";
import { buildParts } from "./message/build-parts.ts";
import type { ConcatMode } from "./client/client-types.ts";
import { commandStatus } from "./codec/command-status.ts";
import { buildSubmit, feeder } from "./testing/recording-client.ts";
import { closeAfterTest, startClient, startServer } from "./testing/start-pair.ts";
import { until } from "./testing/until.ts";

type PeerServer = {
  readonly port: number;
  readonly submits: Pdu[];
  readonly sessions: Session[];
};

async function startPeerServer(): Promise<PeerServer> {
  const submits: Pdu[] = [];
  const sessions: Session[] = [];
  const server = smpp.createServer((session) => {
    session.on("error", () => session.destroy());
    session.on("bind_transceiver", (pdu: Pdu) => {
      const isKnown = pdu.system_id === "shop" && pdu.password === "secret";
      session.send(pdu.response(isKnown ? {} : { command_status: commandStatus.ESME_RINVPASWD }));
      if (isKnown) sessions.push(session);
    });
    session.on("submit_sm", (pdu: Pdu) => {
      submits.push(pdu);
      session.send(pdu.response({ message_id: `id${submits.length}` }));
    });
    session.on("enquire_link", (pdu: Pdu) => session.send(pdu.response()));
    session.on("unbind", (pdu: Pdu) => {
      session.send(pdu.response());
      session.close();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeAfterTest(async () => {
    for (const session of sessions) session.destroy();
    await new Promise<void>((resolve) => server.close(resolve));
  });
  return { port: server.address().port, submits, sessions };
}

describe("with that package as the carrier", () => {
  test("submits are taken in order, answered and counted", async () => {
    const peer = await startPeerServer();
    const { client, outcomes, countOf } = startClient({ port: peer.port, window: 50, onReady: feeder(2000) });
    await until(() => outcomes.size === 2000, "2000 answers");
    expect(countOf("accepted")).toBe(2000);
    expect(outcomes.get("m1999")).toEqual([{ kind: "accepted", messageId: "id2000" }]);
    expect(peer.submits[7]).toMatchObject({ source_addr: "SHOP", destination_addr: "2348030000007" });
    expect(peer.submits[7]?.short_message?.message).toBe("#7 hello");
    await client.close();
    expect(client.state).toBe("closed");
  });

  test.each<ConcatMode>(["udh8", "udh16", "sar", "payload"])("it reads a long message cut by %s", async (mode) => {
    const text = "Ẹ káàbọ̀ ₦500 ".repeat(12);
    const peer = await startPeerServer();
    const { client, outcomes } = startClient({ port: peer.port });
    await until(() => client.canSubmit(), "the bind");
    const parts = buildParts(text, { mode });
    const reference = client.nextReference("2348031234567");
    for (const [index, part] of parts.entries()) client.submit(buildSubmit({ part, reference }), `p${index}`);
    await until(() => outcomes.size === parts.length, "the answers");
    const joined = peer.submits.map((pdu) => (pdu.message_payload ?? pdu.short_message)?.message).join("");
    expect(joined).toBe(text);
    if (mode === "sar")
      expect(peer.submits[1]).toMatchObject({ sar_segment_seqnum: 2, sar_total_segments: parts.length });
    if (mode === "udh8")
      expect([...(peer.submits[1]?.short_message?.udh?.[0] ?? [])]).toEqual([0, 3, reference & 0xff, parts.length, 2]);
  });

  test("its receipts arrive and are acknowledged", async () => {
    const peer = await startPeerServer();
    const { deliveries } = startClient({ port: peer.port });
    await until(() => peer.sessions.length === 1, "the bind");
    const answers: number[] = [];
    peer.sessions[0]?.deliver_sm(
      {
        esm_class: 4,
        source_addr: "2348031234567",
        destination_addr: "SHOP",
        short_message: "id:42 sub:001 dlvrd:000 submit date:2601010000 done date:2601010000 stat:UNDELIV err:069 text:",
        receipted_message_id: "42",
        message_state: 5,
      },
      (pdu) => answers.push(pdu.command_status),
    );
    await until(() => answers.length === 1, "the acknowledgement");
    expect(answers).toEqual([0]);
    expect(deliveries).toMatchObject([
      { kind: "receipt", messageId: "42", state: "undeliverable", errorCode: "069", recipient: "2348031234567" },
    ]);
  });
});

describe("with that package as the client", () => {
  test("binds, submits, enquiries, deliveries and unbind all work", async () => {
    const server = await startServer();
    const session = smpp.connect({ host: "127.0.0.1", port: server.port });
    session.on("error", () => session.destroy());
    const bound = await new Promise<Pdu>((resolve) =>
      session.bind_transceiver({ system_id: "shop", password: "secret" }, resolve),
    );
    expect(bound).toMatchObject({ command_status: 0, system_id: "carrier" });
    const answer = await new Promise<Pdu>((resolve) =>
      session.submit_sm(
        { source_addr: "SHOP", destination_addr: "2348031234567", short_message: "Hello €", registered_delivery: 1 },
        resolve,
      ),
    );
    expect(answer).toMatchObject({ command_status: 0, message_id: "1" });
    expect(server.submits[0]).toMatchObject({ registeredDelivery: 1, destination: { address: "2348031234567" } });
    await new Promise((resolve) => session.enquire_link(resolve));
    session.on("deliver_sm", (pdu: Pdu) => session.send(pdu.response()));
    server.bound[0]?.deliver(
      {
        source: { ton: 1, npi: 1, address: "2348031234567" },
        destination: { ton: 5, npi: 0, address: "SHOP" },
        esmClass: 4,
        dataCoding: 0,
        body: "id:1 stat:DELIVRD err:000",
      },
      "receipt",
    );
    await until(() => server.delivered.length === 1, "the acknowledgement");
    expect(server.delivered).toEqual([{ context: "receipt", outcome: { kind: "acknowledged" } }]);
    await new Promise((resolve) => session.unbind(resolve));
    await until(() => server.server.sessions.size === 0, "the end");
  });
});
