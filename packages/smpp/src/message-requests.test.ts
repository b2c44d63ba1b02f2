/** query_sm, cancel_sm, replace_sm, data_sm, alert_notification and outbind, between our two sides and with the npm package `smpp`. */
import smpp, { type Pdu, type Session } from "smpp";
import { describe, expect, test } from "vitest";
import { OutbindListener } from "./client/outbind-listener.ts";
import type { ClientEvent, Delivery } from "./client/client-types.ts";
import { command } from "./codec/commands.ts";
import { commandStatus } from "./codec/command-status.ts";
import type { MessageRequest } from "./codec/message-requests.ts";
import type { IncomingRequest } from "./server/server-types.ts";
import { sourceAddress } from "./message/source-address.ts";
import { rawPdu, rawServer } from "./testing/raw-server.ts";
import { buildSubmit } from "./testing/recording-client.ts";
import { closeAfterTest, startClient, startPair, startServer } from "./testing/start-pair.ts";
import { until } from "./testing/until.ts";

const shop = sourceAddress("SHOP");
const phone = { ton: 1, npi: 1, address: "2348031234567" };

/** A carrier that remembers one message, `42`, which is on its way. */
function rememberOne(asked: MessageRequest[]): (incoming: IncomingRequest) => void {
  return (incoming) => {
    const { request } = incoming;
    asked.push(request);
    if (request.messageId !== "42") incoming.refuse(commandStatus.ESME_RINVMSGID);
    else if (request.kind !== "query") incoming.accept();
    else incoming.accept({ messageId: "42", state: "enroute", finalDate: "", errorCode: 7 });
  };
}

describe("between our two sides", () => {
  test("what the carrier does not have is refused, and what it has is found, cancelled and replaced", async () => {
    const asked: MessageRequest[] = [];
    const { client } = await startPair({ onRequest: rememberOne(asked) });
    const refused = { kind: "refused", status: commandStatus.ESME_RINVMSGID };
    expect(await client.query({ messageId: "41", source: shop })).toEqual(refused);
    expect(await client.cancel({ messageId: "41", source: shop, destination: phone })).toEqual(refused);
    expect(await client.replace({ messageId: "41", source: shop, body: Buffer.from("x") })).toEqual(refused);
    const status = { messageId: "42", state: "enroute", finalDate: "", errorCode: 7 };
    expect(await client.query({ messageId: "42", source: shop })).toEqual({ kind: "found", status });
    expect(await client.cancel({ messageId: "42", source: shop, destination: phone })).toEqual({ kind: "done" });
    expect(
      await client.replace({
        messageId: "42",
        source: shop,
        validityPeriod: "000001000000000R",
        body: Buffer.from("new"),
      }),
    ).toEqual({ kind: "done" });
    expect(asked.slice(3)).toEqual([
      { kind: "query", messageId: "42", source: shop },
      { kind: "cancel", messageId: "42", source: shop, destination: phone },
      {
        kind: "replace",
        messageId: "42",
        source: shop,
        scheduleDeliveryTime: "",
        validityPeriod: "000001000000000R",
        registeredDelivery: 1,
        body: Buffer.from("new"),
      },
    ]);
  });

  test.each([
    ["a query without id", { kind: "query", messageId: "" }, "without message id"],
    ["an id of 65 characters", { kind: "query", messageId: "1".repeat(65) }, "room for 64"],
    ["a cancel of nothing in particular", { kind: "cancel", messageId: "" }, "without destination"],
    ["a text of 255 octets", { kind: "replace", messageId: "1", body: Buffer.alloc(255) }, "254 are the most"],
  ] as const)("%s is refused before it leaves", async (_name, fields, reason) => {
    const asked: MessageRequest[] = [];
    const { client } = await startPair({ onRequest: rememberOne(asked) });
    const request = { ...fields, source: shop };
    const ask = (): Promise<unknown> => {
      if (request.kind === "query") return client.query(request);
      return request.kind === "cancel" ? client.cancel(request) : client.replace(request);
    };
    await expect(ask()).rejects.toThrow(reason);
    expect(await client.query({ messageId: "42", source: shop })).toMatchObject({ kind: "found" });
    expect(asked).toHaveLength(1);
  });

  test("a carrier that knows none of them says so", async () => {
    const { client } = await startPair();
    expect(await client.query({ messageId: "1", source: shop })).toEqual({
      kind: "refused",
      status: commandStatus.ESME_RINVCMDID,
    });
  });

  test("a request without answer ends with the link, after its time, or unsent when there is no link", async () => {
    const { client, bound } = await startPair({ onRequest: () => undefined }, { responseTimeoutMs: 60 });
    expect(await client.query({ messageId: "1", source: shop })).toEqual({ kind: "unanswered" });
    const lost = client.cancel({ messageId: "1", source: shop });
    await until(() => client.stats().state === "bound", "the bind");
    bound[0]?.destroy();
    expect(await lost).toEqual({ kind: "unanswered" });
    await client.close();
    expect(await client.query({ messageId: "1", source: shop })).toEqual({ kind: "notSent" });
  });

  test("at most 100 requests are open at one time, and each is answered once", async () => {
    const open: IncomingRequest[] = [];
    const { client } = await startPair({ onRequest: (request) => open.push(request) });
    const asked = Array.from({ length: 101 }, (_, index) =>
      client.query({ messageId: String(index + 1), source: shop }),
    );
    expect(await asked[100]).toEqual({ kind: "notSent" });
    await until(() => open.length === 100, "100 requests");
    for (const incoming of open.toReversed()) {
      expect(incoming.accept({ messageId: "1", state: "delivered", finalDate: "", errorCode: 0 })).toBe(true);
      expect(incoming.accept()).toBe(false);
    }
    const outcomes = await Promise.all(asked.slice(0, 100));
    expect(outcomes.every(({ kind }) => kind === "found")).toBe(true);
  });

  test("an answer to a query without a state is no answer", async () => {
    const carrier = await rawServer({
      onPdu: (socket, pdu) => {
        if (pdu.readUInt32BE(4) === command.querySm) {
          socket.write(rawPdu(command.querySmResp, 0, pdu.readUInt32BE(12), Buffer.from("1\0")));
        }
      },
    });
    closeAfterTest(carrier.close);
    const { client } = startClient({ port: carrier.port });
    await until(() => client.state === "bound", "the bind");
    expect(await client.query({ messageId: "1", source: shop })).toEqual({ kind: "unanswered" });
  });

  test("a data_sm is a submit in other clothes: long texts, validity and references arrive", async () => {
    const { client, submits, outcomes } = await startPair({}, { submitWith: "dataSm" });
    const part = { dataCoding: 8, body: Buffer.alloc(134, 0x41), inPayload: false } as const;
    const concat = { mode: "udh8", partNumber: 2, partCount: 3 } as const;
    client.submit(
      buildSubmit({
        part: { ...part, concat },
        reference: 9,
        validityPeriod: "000002030405000R",
        userMessageReference: 77,
      }),
      "long",
    );
    await until(() => outcomes.has("long"), "the answer");
    expect(outcomes.get("long")).toEqual([{ kind: "accepted", messageId: "1" }]);
    expect(submits[0]).toMatchObject({ isInPayload: true, dataCoding: 8, esmClass: 0x40, userMessageReference: 77 });
    expect([...(submits[0]?.body.subarray(0, 7) ?? [])]).toEqual([5, 0, 3, 9, 3, 2, 0x41]);
    expect(() => client.submit(buildSubmit({ validityPeriod: "261124120000004+" }), "absolute")).toThrow(
      "not relative",
    );
  });

  test("an alert reaches the client, and a transmitter gets none", async () => {
    const { bound, events } = await startPair();
    expect(bound[0]?.alert({ source: phone, esme: shop, availability: 0 })).toBe(true);
    await until(() => events.some(({ kind }) => kind === "alert"), "the alert");
    expect(events.at(-1)).toEqual({ kind: "alert", alert: { source: phone, esme: shop, availability: 0 } });
    const pair = await startPair({}, { bindMode: "transmitterReceiver" });
    await until(() => pair.bound.length === 2, "both binds");
    expect(pair.bound.map((session) => session.alert({ source: phone, esme: shop, availability: undefined }))).toEqual(
      pair.bound.map(({ role }) => role === "receiver"),
    );
  });

  test("a carrier calls a client, which binds on that connection and takes what waits for it", async () => {
    const deliveries: Delivery[] = [];
    const events: ClientEvent[] = [];
    const listener = new OutbindListener(
      { host: "127.0.0.1", port: 0, systemId: "shop", password: "secret" },
      {
        onOutbind: ({ systemId, password }) => systemId === "carrier" && password === "call",
        onDelivery(delivery) {
          deliveries.push(delivery);
          delivery.acknowledge();
        },
        onEvent: (event) => events.push(event),
      },
    );
    closeAfterTest(() => listener.close({ drainMs: 0 }));
    const port = await listener.listen();
    const { server, bound, delivered } = await startServer();
    server.outbind({ host: "127.0.0.1", port, password: "guess" });
    await until(() => events.length === 1, "the end of the stranger's call");
    expect(events).toEqual([{ kind: "closed", role: "receiver", reason: "outbind refused" }]);
    server.outbind({ host: "127.0.0.1", port, password: "call" });
    await until(() => bound.length === 1, "the bind");
    expect(bound[0]).toMatchObject({ role: "receiver", systemId: "shop" });
    bound[0]?.deliver({ source: phone, destination: shop, esmClass: 0, dataCoding: 0, body: "Hello" }, "waiting");
    await until(() => delivered.length === 1, "the acknowledgement");
    expect(deliveries).toMatchObject([{ kind: "message", source: phone }]);
  });
});

describe("with the npm package", () => {
  test("as the client: a query, a cancel, a replace and a data_sm are answered", async () => {
    const asked: MessageRequest[] = [];
    const server = await startServer({ onRequest: rememberOne(asked) });
    const session = smpp.connect({ host: "127.0.0.1", port: server.port });
    session.on("error", () => session.destroy());
    closeAfterTest(() => Promise.resolve(session.destroy()));
    const ask = (
      name: "bind_transceiver" | "query_sm" | "cancel_sm" | "replace_sm" | "data_sm",
      fields: Record<string, unknown>,
    ): Promise<Pdu> => new Promise((resolve) => session[name](fields, resolve));
    await ask("bind_transceiver", { system_id: "shop", password: "secret" });
    expect(await ask("query_sm", { message_id: "42", source_addr: "SHOP" })).toMatchObject({
      command_status: 0,
      message_id: "42",
      message_state: 1,
      error_code: 7,
    });
    expect(await ask("query_sm", { message_id: "1" })).toMatchObject({ command_status: commandStatus.ESME_RINVMSGID });
    expect(await ask("cancel_sm", { message_id: "42" })).toMatchObject({ command_status: 0 });
    expect(await ask("replace_sm", { message_id: "42", short_message: "new" })).toMatchObject({ command_status: 0 });
    expect(asked.at(-1)).toMatchObject({ kind: "replace", body: Buffer.from("new") });
    expect(await ask("data_sm", { destination_addr: "2348031234567", message_payload: "Hello" })).toMatchObject({
      command_status: 0,
      message_id: "1",
    });
    expect(server.submits[0]?.body.toString()).toBe("Hello");
  });

  test("as the carrier: our query, cancel and data_sm are understood, and its alert reaches us", async () => {
    const heard: Pdu[] = [];
    const sessions: Session[] = [];
    const carrier = smpp.createServer((session) => {
      sessions.push(session);
      session.on("error", () => session.destroy());
      session.on("bind_transceiver", (pdu: Pdu) => session.send(pdu.response()));
      session.on("unbind", (pdu: Pdu) => session.send(pdu.response()));
      for (const name of ["query_sm", "cancel_sm", "data_sm"]) {
        session.on(name, (pdu: Pdu) => {
          heard.push(pdu);
          session.send(pdu.response({ message_id: "42", message_state: 2, final_date: "", error_code: 0 }));
        });
      }
    });
    await new Promise<void>((resolve) => carrier.listen(0, "127.0.0.1", resolve));
    closeAfterTest(async () => {
      for (const session of sessions) session.destroy();
      await new Promise<void>((resolve) => carrier.close(resolve));
    });
    const { client, events, outcomes } = startClient({ port: carrier.address().port, submitWith: "dataSm" });
    await until(() => client.state === "bound", "the bind");
    expect(await client.query({ messageId: "42", source: shop })).toMatchObject({
      kind: "found",
      status: { state: "delivered" },
    });
    expect(await client.cancel({ messageId: "42", source: shop, destination: phone })).toEqual({ kind: "done" });
    client.submit(buildSubmit({ text: "Ẹ káàbọ̀" }), "data");
    await until(() => outcomes.has("data"), "the answer");
    expect(heard.map(({ command: name }) => name)).toEqual(["query_sm", "cancel_sm", "data_sm"]);
    expect(heard[1]).toMatchObject({ message_id: "42", source_addr: "SHOP", destination_addr: phone.address });
    expect(heard[2]?.message_payload?.message).toBe("Ẹ káàbọ̀");
    sessions[0]?.alert_notification({ source_addr: phone.address, esme_addr: "SHOP", ms_availability_status: 0 });
    await until(() => events.some(({ kind }) => kind === "alert"), "the alert");
    expect(events.at(-1)).toMatchObject({ alert: { source: { address: phone.address }, availability: 0 } });
  });
});
