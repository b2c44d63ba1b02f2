/** Against a strict carrier simulator that is not ours, with its faults switched on. */
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { commandStatus } from "./codec/command-status.ts";
import { buildParts } from "./message/build-parts.ts";
import type { ConcatMode } from "./client/client-types.ts";
import { answerKey, receiptKey } from "./message/message-id.ts";
import type { ServerSession } from "./server/server-session.ts";
import type { DeliverOutcome } from "./server/server-types.ts";
import { SmppServer } from "./server/smpp-server.ts";
import { buildSubmit, feeder } from "./testing/recording-client.ts";
import { closeAfterTest, startClient } from "./testing/start-pair.ts";
import { buildSmscsim, type Smscsim } from "./testing/smscsim.ts";
import { until } from "./testing/until.ts";

const build = buildSmscsim();

afterAll(() => {
  if (typeof build !== "string") build.remove();
});

beforeEach(({ skip }) => {
  skip(typeof build === "string", typeof build === "string" ? build : "");
});

async function startSimulator(...options: string[]): Promise<Smscsim> {
  if (typeof build === "string") throw new Error(build);
  const simulator = await build.start(options);
  closeAfterTest(simulator.stop);
  return simulator;
}

const count = 5000;

describe("receipts", () => {
  test("come for every submit, each once, and meet their answers", async () => {
    const simulator = await startSimulator("--dup", "marker");
    const { client, outcomes, deliveries, countOf } = startClient({
      port: simulator.port,
      window: 100,
      onReady: feeder(count),
    });
    await until(() => deliveries.length === count, "all receipts");
    expect(countOf("accepted")).toBe(count);
    const answered = new Set(
      [...outcomes.values()].flat().map((outcome) => (outcome.kind === "accepted" ? outcome.messageId : "")),
    );
    expect(new Set(deliveries.map((delivery) => (delivery.kind === "receipt" ? delivery.messageId : "")))).toEqual(
      answered,
    );
    await client.close();
    expect(await simulator.stats()).toMatchObject({
      accepted: count,
      duplicates: 0,
      marker_gaps: 0,
      malformed: 0,
      dlr_acked: count,
      unbinds: 1,
    });
  });

  test("that come before their answer, twice, out of order, failed and intermediate are all handed over", async () => {
    const shares = ["--dlr-early-share=0.3", "--dlr-dup-share=0.2", "--dlr-fail-share=0.2", "--dlr-enroute-share=0.2"];
    const simulator = await startSimulator(...shares, "--dlr-jitter-ms=20", "--latency-jitter-ms=10");
    const { outcomes, deliveries, countOf } = startClient({
      port: simulator.port,
      window: 100,
      onReady: feeder(count),
    });
    await until(() => outcomes.size === count, "all answers");
    const scheduled = Number((await simulator.stats())["dlr_scheduled"]);
    await until(() => deliveries.length === scheduled, "all receipts");
    expect(countOf("accepted")).toBe(count);
    expect(scheduled).toBeGreaterThan(count);
    const states = new Set(deliveries.map((delivery) => delivery.kind === "receipt" && delivery.state));
    expect(states).toEqual(new Set(["delivered", "undeliverable", "expired", "rejected", "enroute"]));
  });

  test.each([
    ["hex", "dec", "hexToDec"],
    ["dec10", "hex8", "decToHex"],
    ["HEX", "hex8", "asIs"],
    ["uuid", "uuid", "asIs"],
  ] as const)("with ids answered in %s and reported in %s meet by %s", async (answered, reported, form) => {
    const simulator = await startSimulator("--id-format", answered, "--dlr-id-format", reported);
    const { outcomes, deliveries } = startClient({ port: simulator.port, window: 50, onReady: feeder(500) });
    await until(() => deliveries.length === 500 && outcomes.size === 500, "all receipts");
    const keys = new Set(
      [...outcomes.values()]
        .flat()
        .map((outcome) => (outcome.kind === "accepted" ? answerKey(outcome.messageId, form) : "")),
    );
    expect(keys.size).toBe(500);
    for (const delivery of deliveries)
      expect(delivery.kind === "receipt" && keys.has(receiptKey(delivery.messageId))).toBe(true);
  });

  test("without TLVs, and without text, say the same", async () => {
    for (const form of ["--dlr-tlv", "--dlr-text"]) {
      // oxlint-disable-next-line no-await-in-loop
      const simulator = await startSimulator(form, "0");
      const { deliveries } = startClient({ port: simulator.port, onReady: feeder(10) });
      // oxlint-disable-next-line no-await-in-loop
      await until(() => deliveries.length === 10, "all receipts");
      expect(
        deliveries.every(
          (delivery) => delivery.kind === "receipt" && delivery.state === "delivered" && delivery.messageId !== "",
        ),
      ).toBe(true);
    }
  });

  test("that are not acknowledged come again after a drop", async () => {
    const simulator = await startSimulator();
    let hold = true;
    const { deliveries } = startClient({
      port: simulator.port,
      onReady: feeder(20),
      onDelivery: (delivery) => (hold ? undefined : delivery.acknowledge()),
    });
    await until(() => deliveries.length === 20, "all receipts");
    hold = false;
    await simulator.control("drop");
    await until(() => deliveries.length === 40, "all receipts again");
    expect(await simulator.stats()).toMatchObject({ dlr_requeued: 20 });
    expect(deliveries[0]?.acknowledge()).toBe(false);
  });

  test("that are refused for now come again", async () => {
    const simulator = await startSimulator();
    const { deliveries } = startClient({
      port: simulator.port,
      onReady: feeder(3),
      onDelivery: (delivery) => delivery.refuse(0x58),
    });
    await until(() => deliveries.length >= 4, "a second round");
  });
});

describe("drops", () => {
  test.each([
    ["after the carrier took the message", ["--drop-mode", "accept"]],
    ["before the carrier took the message", ["--drop-mode", "lose"]],
    ["with a reset and answers in the buffer", ["--drop-rst", "1", "--drop-unflushed", "1"]],
  ])("%s: every submit ends once, refusals are none, and unknown are at most drops x window", async (_what, faults) => {
    const simulator = await startSimulator("--drop-every", "700", "--latency-ms", "1", "--dup", "marker", ...faults);
    const { client, outcomes, outcomeCount, countOf, events } = startClient({
      port: simulator.port,
      window: 10,
      onReady: feeder(count),
    });
    await until(() => outcomes.size === count, "all outcomes");
    expect(outcomeCount()).toBe(count);
    const drops = events.filter(({ kind }) => kind === "connectionLost").length;
    expect(drops).toBeGreaterThanOrEqual(6);
    expect(countOf("unknown")).toBeGreaterThan(0);
    expect(countOf("unknown")).toBeLessThanOrEqual(drops * 10);
    expect(countOf("refused")).toBe(0);
    await client.close();
    const stats = await simulator.stats();
    // What we know to be accepted is; what was never written is not; the rest is in between.
    expect(Number(stats["accepted"])).toBeGreaterThanOrEqual(countOf("accepted"));
    expect(Number(stats["accepted"])).toBeLessThanOrEqual(countOf("accepted") + countOf("unknown"));
    expect(stats).toMatchObject({ duplicates: 0, malformed: 0 });
  });
});

describe("other faults", () => {
  test("submits that are never answered time out alone; the rest goes on", async () => {
    const simulator = await startSimulator("--noresp-share", "0.01");
    // What was submitted last is given up only when something was read after it: the answer to this enquiry, at the latest.
    const patience = { responseTimeoutMs: 1000, enquireAfterMs: 1000 };
    const { outcomes, countOf } = startClient({
      port: simulator.port,
      window: 100,
      ...patience,
      onReady: feeder(count),
    });
    await until(() => outcomes.size === count, "all outcomes");
    const unanswered = Number((await simulator.stats())["noresp"]);
    expect(unanswered).toBeGreaterThan(10);
    expect(countOf("unknown")).toBe(unanswered);
  });

  test("a throttling carrier gets its pace, few refusals, and every submit an outcome", async () => {
    const simulator = await startSimulator("--throttle-rate", "4000");
    const { outcomes, countOf, eventKinds } = startClient({
      port: simulator.port,
      window: 100,
      messagesPerSecond: 8000,
      onReady: feeder(count),
    });
    await until(() => outcomes.size === count, "all outcomes");
    expect(countOf("accepted") + countOf("refused")).toBe(count);
    expect(countOf("refused")).toBeGreaterThan(0);
    expect(countOf("refused") / count).toBeLessThan(0.3);
    expect(eventKinds()).toContain("throttled");
  });

  test("a muted enquire_link costs the link, and the next bind works", async () => {
    const simulator = await startSimulator("--mute-enquire", "1");
    const { client, events } = startClient({ port: simulator.port, enquireAfterMs: 50, deadlineMs: 50 });
    await until(() => client.stats().binds >= 2, "the second bind");
    expect(events[1]).toMatchObject({ kind: "connectionLost", reason: "no answer to enquire_link" });
  });

  test("refused binds are tried again, and its unbind is answered", async () => {
    const simulator = await startSimulator("--bind-reject", "2");
    const { client, eventKinds } = startClient({ port: simulator.port });
    await until(() => client.state === "bound", "the bind");
    expect(eventKinds()).toEqual(["bindRefused", "bindRefused", "bound"]);
    await simulator.control("unbind");
    await until(() => client.stats().binds === 2, "the next bind");
  });

  test("its enquire_link is answered", async () => {
    const simulator = await startSimulator("--enquire-ms", "30");
    const { client } = startClient({ port: simulator.port });
    let answers = 0;
    for (let turn = 0; turn < 100 && answers < 2; turn += 1) {
      // oxlint-disable-next-line no-await-in-loop
      answers = Number((await simulator.stats())["enq_resp_in"]);
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(answers).toBeGreaterThanOrEqual(2);
    expect(client.stats().binds).toBe(1);
  });

  test("a message from a phone is handed over as one", async () => {
    const simulator = await startSimulator();
    const { client, deliveries } = startClient({ port: simulator.port });
    await until(() => client.state === "bound", "the bind");
    await simulator.control("mo 2348031234567 SHOP STOP now");
    await until(() => deliveries.length === 1, "the message");
    expect(deliveries[0]).toMatchObject({
      kind: "message",
      source: { address: "2348031234567" },
      body: Buffer.from("STOP now"),
    });
  });
});

describe("long messages", () => {
  test.each<[ConcatMode, string]>([
    ["udh8", "udh8"],
    ["udh16", "udh16"],
    ["sar", "sar"],
    ["payload", "payload"],
  ])("cut by %s pass its strict checks, whole, in GSM-7 and in UCS-2", async (mode, counter) => {
    const simulator = await startSimulator("--dup", "marker");
    const texts = ["Total: {5000} [NGN] ~ €12 ".repeat(30), "Ẹ káàbọ̀ 😀 ₦500 ".repeat(20)];
    const messages = texts.map((text) => buildParts(text, { mode }));
    let submitted = 0;
    const { client, outcomes, countOf, deliveries } = startClient({ port: simulator.port });
    await until(() => client.canSubmit(), "the bind");
    for (const parts of messages) {
      const reference = client.nextReference("2348031234567");
      for (const part of parts) {
        client.submit(buildSubmit({ part, reference }), `p${submitted}`);
        submitted += 1;
      }
    }
    await until(() => outcomes.size === submitted && deliveries.length === submitted, "answers and receipts");
    expect(countOf("accepted")).toBe(submitted);
    const whole = mode === "payload" ? 0 : messages.length;
    expect(await simulator.stats()).toMatchObject({
      malformed: 0,
      concat_complete: whole,
      concat_repeat: 0,
      [counter]: submitted,
    });
  });
});

describe("with its client", () => {
  test("every submit of two binds is answered once, refused or taken, and every taken one has its report acknowledged", async () => {
    if (typeof build === "string") throw new Error(build);
    const waiting = new Map<ServerSession<string>, { id: string; number: string }[]>();
    const delivered: DeliverOutcome["kind"][] = [];
    const report = (session: ServerSession<string>): void => {
      while (session.canDeliver()) {
        const next = waiting.get(session)?.shift();
        if (next === undefined) return;
        session.deliver(
          {
            source: { ton: 1, npi: 1, address: next.number },
            destination: { ton: 5, npi: 0, address: "BULKCO" },
            esmClass: 4,
            dataCoding: 0,
            body: `id:${next.id} stat:DELIVRD err:000`,
          },
          next.id,
        );
      }
    };
    let submitCount = 0;
    const numbers = new Set<string>();
    const server = new SmppServer<string>(
      { host: "127.0.0.1", port: 0, systemId: "carrier", deliverWindow: 50 },
      {
        onBind: ({ systemId, password }) =>
          systemId === "esme" && password === "secret" ? commandStatus.ESME_ROK : commandStatus.ESME_RINVPASWD,
        onBound: (session) => void waiting.set(session, []),
        onSubmit: (session, submit) => {
          submitCount += 1;
          if (submitCount % 10 === 0) {
            submit.refuse(commandStatus.ESME_RTHROTTLED);
            return;
          }
          const id = String(submitCount);
          submit.accept(id);
          numbers.add(submit.destination.address);
          waiting.get(session)?.push({ id, number: submit.destination.address });
          report(session);
        },
        onDelivered: (_session, _id, outcome) => void delivered.push(outcome.kind),
        onReady: report,
        onClosed: () => undefined,
      },
    );
    const port = await server.listen();
    closeAfterTest(async () => await server.close({ isPolite: false }));

    const options = [
      "--port",
      String(port),
      "--binds",
      "2",
      "--window",
      "100",
      "--messages",
      String(count),
      "--dlr",
      "1",
    ];
    const taken = count * 0.9;
    expect(await build.runClient(options)).toMatchObject({
      messages: count,
      ok: taken,
      err: count - taken,
      throttled: count - taken,
      receipts: taken,
      delivrd: taken,
    });
    expect(submitCount).toBe(count);
    expect(numbers.size).toBe(taken);
    await until(() => delivered.length === taken, "the acknowledgements");
    expect(new Set(delivered)).toEqual(new Set(["acknowledged"]));
  });
});
