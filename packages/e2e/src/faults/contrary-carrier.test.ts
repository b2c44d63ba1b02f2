import { answerKey, buildParts, receiptKey, SmppClient, sourceAddress, type SubmitOutcome } from "@ewebal/smpp";
import { afterEach, describe, expect, test } from "vitest";
import { makeNumbers } from "../testing/api-client.ts";
import { waitUntil } from "../testing/product.ts";
import { ContraryCarrier, receiptIdsOf } from "./contrary-carrier.ts";
import { idForms, type CarrierPlan } from "./plan.ts";
import { Witness } from "./witness.ts";

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

type Heard = { outcomes: Map<string, SubmitOutcome>; reports: { id: string; number: string; state: string }[] };

async function start(plan: Partial<CarrierPlan> = {}) {
  const witness = new Witness();
  const carrier = new ContraryCarrier({ idForm: "decimal", salt: 1, reportAfterMs: 20, ...plan }, witness);
  await carrier.start();
  const heard: Heard = { outcomes: new Map(), reports: [] };
  const client = new SmppClient<string>(
    {
      host: "127.0.0.1",
      port: carrier.port,
      systemId: "shop",
      password: "secret",
      messagesPerSecond: 10_000,
      window: 1_000,
    },
    {
      onOutcome: (number, outcome) => void heard.outcomes.set(number, outcome),
      onDelivery: (delivery) => {
        if (delivery.kind === "receipt")
          heard.reports.push({ id: delivery.messageId, number: delivery.recipient, state: delivery.state });
        delivery.acknowledge();
      },
      onReady: () => undefined,
      onEvent: () => undefined,
    },
  );
  client.start();
  // The carrier first: a client waits for answers that will not come as long as its link stands.
  cleanUps.push(
    () => client.close(),
    () => carrier.stop(),
  );
  await waitUntil(() => client.canSubmit(), "the bind");
  return { carrier, witness, client, heard };
}

function submit(client: SmppClient<string>, numbers: readonly string[], text = "m00x"): void {
  for (const number of numbers) {
    const reference = client.nextReference(number);
    for (const part of buildParts(text))
      client.submit({ source: sourceAddress("SHOP"), destination: number, part, reference }, number);
  }
}

describe("a contrary carrier", () => {
  test.each(idForms)(
    "writes ids as %s so that answers and reports meet by the setting that it names",
    async (idForm) => {
      const { client, heard } = await start({ idForm });
      submit(client, makeNumbers(40));
      await waitUntil(() => heard.reports.length > 30 && heard.outcomes.size > 30, "reports");
      const form = receiptIdsOf({ idForm, salt: 1, reportAfterMs: 20 });
      const met = heard.reports.filter(({ id, number }) => {
        const outcome = heard.outcomes.get(number);
        return outcome?.kind === "accepted" && answerKey(outcome.messageId, form) === receiptKey(id);
      });
      expect(met.length).toBeGreaterThan(25);
    },
  );

  test("does the same with the same messages, whatever their order, and takes down what it did", async () => {
    const numbers = makeNumbers(400);
    const runs = await Promise.all(
      [numbers, numbers.toReversed()].map(async (order) => {
        const { carrier, witness, client, heard } = await start();
        submit(client, order);
        // Late answers and reports included.
        await waitUntil(() => carrier.isDone && heard.outcomes.size > 380, "all that it answers");
        return numbers.map((number) => {
          const outcome = heard.outcomes.get(number);
          const states = heard.reports.filter((report) => report.number === number).map(({ state }) => state);
          const parts = witness.partsOf({ number, tag: "m00x" });
          if (outcome?.kind === "accepted") expect(parts).toMatchObject([{ takenCount: 1 }]);
          expect(parts[0]?.acknowledged.length ?? 0).toBe(states.length);
          return [outcome?.kind, ...states];
        });
      }),
    );
    expect(runs[1]).toEqual(runs[0]);
    const kinds = new Set(runs[0]?.map((told) => told.join(" ")));
    for (const kind of [
      "refused",
      "accepted",
      "accepted delivered",
      "accepted delivered delivered",
      "accepted undeliverable delivered",
    ])
      expect(kinds).toContain(kind);
  });

  test("takes down a message that it is sent twice, and each part of a long one by itself", async () => {
    const { client, witness } = await start();
    const [first = "", second = ""] = makeNumbers(60).slice(50);
    submit(client, [first], "m01x ".repeat(40));
    submit(client, [second, second], "m02x");
    await waitUntil(() => witness.takenCount === 4, "the submits");
    expect(witness.partsOf({ number: first, tag: "m01x" }).map(({ takenCount }) => takenCount)).toEqual([1, 1]);
    expect(witness.partsOf({ number: second, tag: "m02x" }).map(({ takenCount }) => takenCount)).toEqual([2]);
  });
});
