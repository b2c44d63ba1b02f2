import { describe, expect, test } from "vitest";
import { buildParts } from "../message/build-parts.ts";
import { commandStatus } from "../codec/command-status.ts";
import { esmClass } from "../codec/commands.ts";
import type { IncomingSubmit } from "../server/server-types.ts";
import { buildSubmit, feeder, recordingClient } from "../testing/recording-client.ts";
import { startPair, startServer } from "../testing/start-pair.ts";
import { until } from "../testing/until.ts";

describe("a submit", () => {
  test("is not taken before the bind, and nothing is heard of it", async () => {
    const { port } = await startServer();
    const { client, outcomes } = recordingClient({ port });
    expect(client.canSubmit()).toBe(false);
    expect(client.submit(buildSubmit(), "a")).toBe(false);
    await client.close();
    expect(outcomes.size).toBe(0);
  });

  test("that does not fit SMPP is a RangeError, takes no slot and leaves the link usable", async () => {
    const { client, outcomes } = await startPair();
    expect(() => client.submit(buildSubmit({ destination: "2".repeat(21) }), "a")).toThrow(RangeError);
    expect(() => client.submit(buildSubmit({ destination: "" }), "a")).toThrow(RangeError);
    expect(() => client.submit(buildSubmit({ destination: "23480é" }), "a")).toThrow(RangeError);
    expect(client.stats().openSubmits).toBe(0);
    expect(client.submit(buildSubmit(), "b")).toBe(true);
    await until(() => outcomes.size === 1, "the answer");
    expect(outcomes.get("b")).toEqual([{ kind: "accepted", messageId: "1" }]);
  });

  test("that the carrier refuses ends as refused, with the status", async () => {
    const { client, outcomes } = await startPair({
      onSubmit: (submit) => submit.refuse(commandStatus.ESME_RINVDSTADR),
    });
    client.submit(buildSubmit(), "a");
    await until(() => outcomes.size === 1, "the answer");
    expect(outcomes.get("a")).toEqual([{ kind: "refused", status: 0x0b }]);
  });

  test("arrives with every field that was asked for", async () => {
    const { client, submits } = await startPair();
    client.submit(
      buildSubmit({
        priority: 3,
        registeredDelivery: 0,
        userMessageReference: 0xbeef,
        validityPeriod: "000002000000000R",
      }),
      "a",
    );
    await until(() => submits.length === 1, "the submit");
    expect(submits[0]).toMatchObject({
      source: { ton: 5, npi: 0, address: "SHOP" },
      destination: { ton: 1, npi: 1, address: "2348031234567" },
      esmClass: 0,
      priority: 3,
      registeredDelivery: 0,
      dataCoding: 0,
      userMessageReference: 0xbeef,
      body: Buffer.from("Hello"),
    });
  });

  test("asks for a receipt unless told otherwise", async () => {
    const { client, submits } = await startPair();
    client.submit(buildSubmit(), "a");
    await until(() => submits.length === 1, "the submit");
    expect(submits[0]?.registeredDelivery).toBe(1);
  });
});

describe("the window", () => {
  test("is never exceeded, fills again as answers come, and every context gets its own answer out of order", async () => {
    let openMax = 0;
    const held: IncomingSubmit[] = [];
    const answer = (): void => {
      openMax = Math.max(openMax, held.length);
      // Newest first: answers come in another order than submits.
      const submit = held.pop();
      submit?.accept(`id-${submit.body.toString()}`);
    };
    const recording = await startPair(
      {
        onSubmit(submit) {
          held.push(submit);
          setTimeout(answer, 1 + (held.length % 3));
        },
      },
      { window: 7, onReady: feeder(200) },
    );
    await until(() => recording.outcomes.size === 200, "200 answers");
    expect(openMax).toBeLessThanOrEqual(7);
    expect(openMax).toBeGreaterThan(3);
    expect(recording.outcomes.get("m42")).toEqual([{ kind: "accepted", messageId: "id-#42 hello" }]);
    expect(recording.outcomeCount()).toBe(200);
  });

  test("keeps going past one submit that is never answered", async () => {
    const recording = await startPair(
      { onSubmit: (submit, _session, count) => (count === 1 ? undefined : submit.accept(String(count))) },
      { window: 50, onReady: feeder(70_000) },
    );
    // More than the ring of 65,536 sequence slots, so the unanswered one is met again.
    await until(() => recording.outcomes.size === 69_999, "all but one");
    expect(recording.outcomes.has("m0")).toBe(false);
    expect(recording.client.stats().openSubmits).toBe(1);
    recording.bound[0]?.destroy();
    await until(() => recording.outcomes.has("m0"), "its outcome");
    expect(recording.outcomes.get("m0")).toEqual([{ kind: "unknown", reason: "connectionLost" }]);
  });

  test("makes the further parts of a long message wait inside, in order and next to each other", async () => {
    const held: IncomingSubmit[] = [];
    const { client, submits, outcomes } = await startPair(
      {
        onSubmit(submit) {
          held.push(submit);
          setTimeout(() => held.shift()?.accept("x"), 1);
        },
      },
      { window: 2 },
    );
    const parts = buildParts("long ".repeat(200));
    const reference = client.nextReference("2348031234567");
    expect(parts.length).toBe(7);
    for (const [index, part] of parts.entries()) {
      expect(client.submit(buildSubmit({ part, reference }), `part${index}`)).toBe(true);
    }
    expect(client.canSubmit()).toBe(false);
    await until(() => outcomes.size === 7, "seven answers");
    const headers = submits.map(({ body }) => [...body.subarray(0, 6)]);
    expect(headers).toEqual(parts.map((_part, index) => [5, 0, 3, reference & 0xff, 7, index + 1]));
    expect(submits.every((submit) => submit.esmClass === esmClass.userDataHeader)).toBe(true);
    expect(submits.every((submit) => submit.registeredDelivery === 1)).toBe(true);
  });

  test("lets nothing overtake parts that wait for the rate", async () => {
    const { client, submits } = await startPair({}, { messagesPerSecond: 20 });
    client.submit(buildSubmit({ text: "part 1" }), "part1");
    client.submit(buildSubmit({ text: "part 2" }), "part2");
    await new Promise((resolve) => setImmediate(resolve));
    // The next token is there, and the timer that would send part 2 had no chance to run.
    const untilMs = performance.now() + 70;
    while (performance.now() < untilMs);
    expect(client.canSubmit()).toBe(false);
    client.submit(buildSubmit({ text: "other" }), "other");
    await until(() => submits.length === 3, "three submits");
    expect(submits.map(({ body }) => body.toString())).toEqual(["part 1", "part 2", "other"]);
  });
});

describe("a drop", () => {
  test("leaves written submits unknown, whether the carrier had taken them or not", async () => {
    const { client, outcomes, submits, bound } = await startPair({ onSubmit: () => undefined }, { window: 5 });
    for (const name of ["a", "b", "c"]) client.submit(buildSubmit(), name);
    await until(() => submits.length === 3, "three submits");
    bound[0]?.destroy();
    await until(() => outcomes.size === 3, "three outcomes");
    expect([...outcomes.values()].flat()).toEqual(
      Array.from({ length: 3 }, () => ({ kind: "unknown", reason: "connectionLost" })),
    );
  });

  test("leaves parts that waited for the window notSent", async () => {
    const { client, outcomes, submits, bound } = await startPair({ onSubmit: () => undefined }, { window: 2 });
    client.submit(buildSubmit(), "written");
    await until(() => submits.length === 1, "the first submit");
    client.submit(buildSubmit(), "second");
    client.submit(buildSubmit(), "waiting");
    await until(() => submits.length === 2, "the second submit");
    bound[0]?.destroy();
    await until(() => outcomes.size === 3, "three outcomes");
    expect(outcomes.get("written")).toEqual([{ kind: "unknown", reason: "connectionLost" }]);
    expect(outcomes.get("second")).toEqual([{ kind: "unknown", reason: "connectionLost" }]);
    expect(outcomes.get("waiting")).toEqual([{ kind: "notSent" }]);
  });

  test("is followed by a new bind that works, and answers of the old one are not mixed up", async () => {
    const recording = await startPair(
      {
        onSubmit: (submit, session, count) => {
          if (count % 50 === 0) session.destroy();
          else submit.accept(`id-${submit.body.toString()}`);
        },
      },
      { onReady: feeder(1000) },
    );
    await until(() => recording.outcomeCount() >= 1000, "1000 outcomes");
    expect(recording.outcomeCount()).toBe(1000);
    for (const [context, [outcome]] of recording.outcomes) {
      if (outcome?.kind === "accepted") expect(outcome.messageId).toBe(`id-#${context.slice(1)} hello`);
    }
    expect(recording.countOf("unknown")).toBeGreaterThan(0);
    expect(recording.countOf("unknown")).toBeLessThanOrEqual(recording.events.length * 10);
    expect(recording.client.stats().binds).toBeGreaterThan(10);
  });

  test("after the carrier's unbind loses nothing that was still answered", async () => {
    const held: IncomingSubmit[] = [];
    const { client, outcomes, submits, bound, events } = await startPair({ onSubmit: (submit) => held.push(submit) });
    client.submit(buildSubmit(), "a");
    await until(() => submits.length === 1, "the submit");
    bound[0]?.unbind();
    setTimeout(() => held[0]?.accept("late but there"), 30);
    await until(() => outcomes.size === 1, "the outcome");
    expect(outcomes.get("a")).toEqual([{ kind: "accepted", messageId: "late but there" }]);
    await until(() => client.stats().binds === 2, "the next bind");
    expect(events.find(({ kind }) => kind === "connectionLost")).toMatchObject({ reason: "unbound by the peer" });
  });
});
