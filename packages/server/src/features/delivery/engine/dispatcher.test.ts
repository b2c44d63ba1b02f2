import { describe, expect, test } from "vitest";
import type { Carrier } from "../carriers/carrier.ts";
import { Dispatcher } from "./dispatcher.ts";
import { FlushPlan } from "../outcomes/flush-plan.ts";
import { Handover, LiveBatch, LiveMessage, OFFSET } from "./live-batch.ts";
import { Outbox } from "../outcomes/outbox.ts";
import { WorkCarrier } from "./work-carrier.ts";

const message = new LiveMessage({
  userId: "u",
  messageId: "m",
  senderName: "Ewebal",
  body: "Hello",
  priceMilli: 3_000,
  holdId: null,
});

/** A batch whose recipients are granted and in nobody's hands. */
function buildBatch(recipientCount: number): LiveBatch {
  const phoneNos = Array.from({ length: recipientCount }, (_, index) => 2_348_030_000_000 + index);
  const batch = new LiveBatch({
    message,
    batchIndex: 0,
    firstPosition: 0,
    phoneNos,
    isExpress: true,
    turn: 0,
    lane: 234,
    attempt: 1,
  });
  batch.offsets.fill(OFFSET.granted);
  return batch;
}

/** A bound carrier that remembers what it takes. */
function buildCarrier(name: string): { carrier: WorkCarrier; taken: Handover[] } {
  const taken: Handover[] = [];
  const link: Carrier<Handover> = {
    name,
    windowSize: 10,
    isUp: true,
    health: { boundCount: 1, openCount: 0, lastError: undefined },
    holdBinds: () => Promise.resolve(),
    prepare: () => ({ partCount: 1 }),
    canTake: () => true,
    take: (handover) => void taken.push(handover),
    close: () => Promise.resolve(),
  };
  const carrier = new WorkCarrier(
    { carrierId: 1, name, prefixes: [], weight: 1, priority: 0, bindCount: 1, messagesPerSecond: 100 },
    link,
  );
  carrier.bindIndexes = [0];
  carrier.noteLink(performance.now());
  return { carrier, taken };
}

function buildDispatcher(carriers: WorkCarrier[]): { dispatcher: Dispatcher; answers: string[]; idle: LiveBatch[] } {
  const answers: string[] = [];
  const idle: LiveBatch[] = [];
  const dispatcher = new Dispatcher({
    onAnswer: (_, { kind }) => void answers.push(kind),
    onFlushNeeded: (batch) => void idle.push(batch),
    onGrantsWanted: () => undefined,
    onLaneBlocked: () => undefined,
    handUntilMs: () => Number.POSITIVE_INFINITY,
  });
  dispatcher.setCarriers(carriers);
  return { dispatcher, answers, idle };
}

describe("a carrier that leaves with hand-overs that wait to be tried again", () => {
  test("gives a stopped batch back, and none of it to another carrier", () => {
    const leaving = buildCarrier("leaving");
    const other = buildCarrier("other");
    const { dispatcher, answers, idle } = buildDispatcher([leaving.carrier, other.carrier]);
    const batch = buildBatch(2);
    dispatcher.batches.add(batch);
    const partial = new Handover(batch, 0, leaving.carrier);
    // Only this carrier can finish it, so that the batch is stopped when the carrier has no bind here any more.
    partial.isPartial = true;
    const whole = new Handover(batch, 1, leaving.carrier);
    leaving.carrier.unrecordedCount = 2;
    for (const handover of [partial, whole]) leaving.carrier.retries.addReady(handover);
    leaving.carrier.isRetiring = true;
    leaving.carrier.bindIndexes = [];
    dispatcher.setCarriers([leaving.carrier, other.carrier]);

    dispatcher.rebalance();
    dispatcher.pumpAll();

    expect(batch.isStopping).toBe(true);
    expect(other.taken).toEqual([]);
    expect(leaving.carrier.retries.size + other.carrier.retries.size).toBe(0);
    expect(answers).toEqual(["unknown"]);
    expect([leaving.carrier.unrecordedCount, other.carrier.unrecordedCount]).toEqual([1, 0]);
    expect(idle).toContain(batch);
  });

  test("gives what it certainly does not have to another carrier", () => {
    const leaving = buildCarrier("leaving");
    const other = buildCarrier("other");
    const { dispatcher } = buildDispatcher([leaving.carrier, other.carrier]);
    const batch = buildBatch(1);
    dispatcher.batches.add(batch);
    leaving.carrier.retries.addReady(new Handover(batch, 0, leaving.carrier));
    leaving.carrier.unrecordedCount = 1;
    leaving.carrier.bindIndexes = [];

    dispatcher.rebalance();
    dispatcher.pumpAll();

    expect(other.taken.map(({ offset }) => offset)).toEqual([0]);
    expect([leaving.carrier.unrecordedCount, other.carrier.unrecordedCount]).toEqual([0, 1]);
  });
});

test("an answer for a batch that was lost meanwhile leaves its carrier's room free", () => {
  const { carrier } = buildCarrier("one");
  const batch = buildBatch(1);
  const outbox = new Outbox();
  outbox.answered.push({ recipient: new Handover(batch, 0, carrier), answer: { kind: "accepted", keys: ["1"] } });
  carrier.unrecordedCount = 1;
  batch.isLost = true;

  expect(new FlushPlan(outbox, []).isEmpty).toBe(true);
  expect(carrier.unrecordedCount).toBe(0);
});
