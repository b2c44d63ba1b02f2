import { readFileSync } from "node:fs";
import { commandStatus, SmppClient } from "@ewebal/smpp";
import { describe, expect, test } from "vitest";
import { behaviourByEnding } from "./number-behaviour.ts";
import { ask, openSender, openSimulator } from "./testing/setup.ts";
import { until } from "./testing/until.ts";

const phone = "2348031234567";

describe("binding", () => {
  test.each([
    ["another name", { systemId: "stranger" }, commandStatus.ESME_RINVSYSID],
    ["another password", { password: "guess" }, commandStatus.ESME_RINVPASWD],
  ])("with %s is refused", async (_what, credentials, status) => {
    const { smppPort } = await openSimulator();
    const { events } = openSender({ port: smppPort, ...credentials });
    await until(() => events.length > 0, "the refusal");
    expect(events[0]).toMatchObject({ kind: "bindRefused", status, isCredentialProblem: true });
  });
});

describe("a submit", () => {
  test.each([
    ["0803123", {}, 0],
    ["080312", {}, commandStatus.ESME_RINVDSTADR],
    ["080312345678901x", {}, commandStatus.ESME_RINVDSTADR],
    [phone, { source: { ton: 5, npi: 0, address: "" } }, commandStatus.ESME_RINVSRCADR],
    [
      phone,
      { part: { dataCoding: 0, body: new Uint8Array(161).fill(0x61), inPayload: false } },
      commandStatus.ESME_RINVMSGLEN,
    ],
    [phone, { part: { dataCoding: 8, body: new Uint8Array(142), inPayload: false } }, commandStatus.ESME_RINVMSGLEN],
    [phone, { part: { dataCoding: 8, body: new Uint8Array(5), inPayload: false } }, commandStatus.ESME_RINVMSGLEN],
  ])("to %s with %j is answered with status %i", async (destination, overrides, status) => {
    const { smppPort } = await openSimulator();
    const { client, outcomes } = openSender({ port: smppPort });
    await until(() => client.canSubmit(), "the bind");
    const usual = {
      source: { ton: 5, npi: 0, address: "SHOP" },
      part: { dataCoding: 0, body: new Uint8Array([0x61]), inPayload: false },
    };
    client.submit({ ...usual, ...overrides, destination }, "a");
    await until(() => outcomes.size === 1, "the answer");
    expect(outcomes.get("a")).toMatchObject(status === 0 ? { kind: "accepted" } : { kind: "refused", status });
  });

  test("beyond the open messages is refused as queue full, and taken once some are done", async () => {
    const { smppPort } = await openSimulator({ openMessagesMax: 3, receiptDelayMs: { min: 500, max: 500 } });
    const { send, outcomes, receipts } = openSender({ port: smppPort });
    for (const name of ["a", "b", "c", "d"]) send(name, phone, "Hello");
    await until(() => outcomes.size === 4, "four answers");
    expect(outcomes.get("d")).toEqual({ kind: "refused", status: commandStatus.ESME_RMSGQFUL });
    await until(() => receipts.length === 3, "three receipts");
    send("e", phone, "Hello");
    await until(() => outcomes.get("e")?.kind === "accepted", "the fifth");
  });

  test("without a wish for receipts arrives and is not reported; one for failures only is reported when it fails", async () => {
    const { smppPort, controlPort } = await openSimulator();
    const { send, outcomes, receipts, statesOf } = openSender({ port: smppPort });
    send("none", phone, "one", 0);
    send("fails", "2348030009902", "two", 2);
    send("works", phone, "three", 2);
    await until(() => outcomes.size === 3 && receipts.length === 1, "the one receipt");
    expect(statesOf("fails")).toEqual(["undeliverable"]);
    await until(() => receipts.length === 1, "no more");
    await expect
      .poll(async () => (await ask(controlPort, "/stats")).body.data)
      .toMatchObject({ accepted: 3, open: 0, messagesKept: 2 });
  });
});

describe("a number's last four digits decide", () => {
  test("what is answered and reported", async () => {
    const { smppPort } = await openSimulator();
    const { send, outcomes, receipts, statesOf, client } = openSender({ port: smppPort, window: 20 });
    const endings = ["0001", ...behaviourByEnding.keys()].filter((ending) => ending !== "9905" && ending !== "9906");
    for (const ending of endings) send(ending, `234803000${ending}`, `to ${ending}`);
    await until(() => outcomes.size === endings.length - 1, "all outcomes but the lost one");
    await until(() => receipts.length === 9, "all receipts");
    expect(outcomes.get("9904")).toEqual({ kind: "refused", status: commandStatus.ESME_RINVDSTADR });
    expect(outcomes.has("9907")).toBe(false);
    const states = Object.fromEntries(endings.map((ending) => [ending, statesOf(ending)]));
    expect(states).toMatchObject({
      "0001": ["delivered"],
      "9901": ["rejected"],
      "9902": ["undeliverable"],
      "9903": ["enroute", "expired"],
      "9908": [],
      "9909": ["delivered", "delivered"],
      "9910": ["delivered"],
    });
    const errorOf = (ending: string): unknown =>
      receipts.findLast(({ recipient }) => recipient.endsWith(ending))?.errorCode;
    expect([errorOf("0001"), errorOf("9901"), errorOf("9902"), errorOf("9903")]).toEqual(["000", "088", "001", "027"]);
    // What was accepted without an answer is still reported, by number and sender.
    expect(receipts.find(({ recipient }) => recipient.endsWith("9907"))).toMatchObject({
      state: "delivered",
      sender: "SHOP",
    });
    expect(client.stats().binds).toBe(1);
  });

  test.each([
    ["9905", commandStatus.ESME_RTHROTTLED],
    ["9906", commandStatus.ESME_RSYSERR],
  ])("that …%s is refused for a second and taken in the next", async (ending, status) => {
    const { smppPort } = await openSimulator();
    const { send, outcomes } = openSender({ port: smppPort });
    const kinds = new Set<string>();
    for (let turn = 0; kinds.size < 2 && turn < 50; turn += 1) {
      send(`${turn}`, `234803000${ending}`, "again");
      // oxlint-disable-next-line no-await-in-loop
      await until(() => outcomes.has(`${turn}`), "the answer");
      const outcome = outcomes.get(`${turn}`);
      kinds.add(outcome?.kind === "refused" ? String(outcome.status) : (outcome?.kind ?? ""));
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(kinds).toEqual(new Set([String(status), "accepted"]));
  });

  test("that a receipt comes before the answer", async () => {
    const { smppPort } = await openSimulator({ answerDelayMs: { min: 40, max: 40 } });
    const answersBefore: number[] = [];
    const { send, outcomes } = openSender({
      port: smppPort,
      onReceipt: (receipt) => {
        answersBefore.push(outcomes.size);
        receipt.acknowledge();
      },
    });
    send("early", "2348030009910", "Hello");
    await until(() => outcomes.size === 1 && answersBefore.length === 1, "the receipt and the answer");
    expect(answersBefore).toEqual([0]);
  });

  test("and the README says the same", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    for (const [ending, { meaning, errorCode }] of behaviourByEnding) {
      const row = readme.split("\n").find((line) => line.startsWith(`| …${ending} |`)) ?? "";
      expect(row).toContain(meaning);
      if (errorCode !== "000") expect(row).toContain(`err:${errorCode}`);
    }
    expect(readme.match(/^\| …\d{4} \|/gm)).toHaveLength(behaviourByEnding.size);
  });
});

describe("receipts", () => {
  test("that are not acknowledged come again on the next bind, and only those", async () => {
    const { smppPort } = await openSimulator();
    let held = 0;
    const first = openSender({
      port: smppPort,
      onReceipt: (receipt) => (held++ % 2 === 0 ? receipt.acknowledge() : undefined),
    });
    for (let index = 0; index < 20; index += 1) first.send(`m${index}`, phone, `Hello ${index}`);
    await until(() => first.receipts.length === 20, "twenty receipts");
    const answered = new Set(
      first.receipts.filter((_receipt, index) => index % 2 === 0).map(({ messageId }) => messageId),
    );
    await first.client.close({ drainMs: 0 });
    const second = openSender({ port: smppPort });
    await until(() => second.receipts.length === 10, "ten of them again");
    expect(second.receipts.some(({ messageId }) => answered.has(messageId))).toBe(false);
  });

  test("that are refused for now come again after a second", async () => {
    const { smppPort } = await openSimulator();
    let refusals = 1;
    const { send, receipts } = openSender({
      port: smppPort,
      onReceipt: (receipt) => (refusals-- > 0 ? receipt.refuse() : receipt.acknowledge()),
    });
    send("a", phone, "Hello");
    await until(() => receipts.length === 2, "the second try");
  });

  test("wait for a receiver when there is none", async () => {
    const { smppPort } = await openSimulator();
    // On a busy machine the receipt may overtake the end of this one; it then leaves it to the carrier.
    const early = openSender({ port: smppPort, onReceipt: (receipt) => receipt.refuse() });
    early.send("a", phone, "Hello");
    await until(() => early.outcomes.size === 1, "the answer");
    await early.client.close({ drainMs: 0 });
    const late = openSender({ port: smppPort });
    await until(() => late.receipts.length === 1, "the receipt");
  });
});

test("a client with a transmitter and a receiver gets its receipts by the receiver", async () => {
  const { smppPort } = await openSimulator();
  const { send, receipts, client } = openSender({ port: smppPort, bindMode: "transmitterReceiver" });
  await until(() => client.stats().binds === 2, "both binds");
  send("a", phone, "Hello");
  await until(() => receipts.length === 1, "the receipt");
  expect(client).toBeInstanceOf(SmppClient);
});
