import { describe, expect, test } from "vitest";
import type { Carrier } from "../carriers/carrier.ts";
import { QuietLanes } from "./quiet-lanes.ts";
import { Dispatcher } from "./dispatcher.ts";
import { FlushPlan } from "../outcomes/flush-plan.ts";
import { InFlight, LiveBatch, type Handover } from "./in-flight.ts";
import { LiveMessage } from "./live-message.ts";
import { Outbox } from "./outbox.ts";
import { WorkCarrier } from "./routing/work-carrier.ts";

const message = new LiveMessage({
  userId: "u",
  messageId: "m",
  senderName: "Ewebal",
  body: "Hello",
  priceMilli: 3_000,
  holdId: null,
});

/** A leased batch whose recipients are granted and in nobody's hands. */
function buildBatch(inFlight: InFlight, recipientCount: number, isExpress = true): LiveBatch {
  const phoneNos = Array.from({ length: recipientCount }, (_, index) => 2_348_030_000_000 + index);
  const batch = new LiveBatch({
    message,
    batchIndex: 0,
    firstPosition: 0,
    phoneNos,
    isExpress,
    isTest: false,
    turn: 0,
    lane: 234,
    attempt: 1,
  });
  inFlight.lease(batch, { recorded: [], granted: phoneNos.keys() });
  return batch;
}

/** Hands the whole batch to the carrier, which gives it back to be tried again. */
function deferAll(inFlight: InFlight, batch: LiveBatch, carrier: WorkCarrier): Handover[] {
  const share = inFlight.assign(batch, inFlight.unsentOffsets(batch), carrier);
  return share.offsets.map(() => {
    const handover = inFlight.takeNext(share);
    inFlight.hand(handover);
    inFlight.defer(handover);
    carrier.retries.addReady(handover);
    return handover;
  });
}

/** A bound carrier that remembers what it takes. */
function buildCarrier(
  inFlight: InFlight,
  name: string,
  messagesPerSecond = 100,
): { carrier: WorkCarrier; taken: Handover[] } {
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
    { carrierId: 1, name, prefixes: [], weight: 1, priority: 0, bindCount: 1, messagesPerSecond },
    link,
    inFlight,
  );
  carrier.bindIndexes = [0];
  carrier.noteLink(performance.now());
  return { carrier, taken };
}

function buildDispatcher(inFlight: InFlight, carriers: WorkCarrier[]): { dispatcher: Dispatcher; outbox: Outbox } {
  const outbox = new Outbox();
  const handUntilMs = (): number => Number.POSITIVE_INFINITY;
  const quietLanes = new QuietLanes({ now: () => new Date() });
  const dispatcher = new Dispatcher(inFlight, outbox, { onAccepted: () => undefined }, handUntilMs, quietLanes);
  dispatcher.setCarriers(carriers);
  return { dispatcher, outbox };
}

describe("a carrier that leaves with hand-overs that wait to be tried again", () => {
  test("gives a stopped batch back, and none of it to another carrier", () => {
    const inFlight = new InFlight();
    const leaving = buildCarrier(inFlight, "leaving");
    const other = buildCarrier(inFlight, "other");
    const { dispatcher, outbox } = buildDispatcher(inFlight, [leaving.carrier, other.carrier]);
    const batch = buildBatch(inFlight, 2);
    const [partial] = deferAll(inFlight, batch, leaving.carrier);
    // Only this carrier can finish it, so that the batch is stopped when the carrier has no bind here any more.
    if (partial !== undefined) partial.isPartial = true;
    leaving.carrier.isRetiring = true;
    leaving.carrier.bindIndexes = [];
    dispatcher.setCarriers([leaving.carrier, other.carrier]);

    dispatcher.rebalance();
    dispatcher.pumpAll();

    expect(batch.isStopping).toBe(true);
    expect(other.taken).toEqual([]);
    expect(leaving.carrier.retries.size + other.carrier.retries.size).toBe(0);
    const { answered, touched } = outbox.take("answers", 1);
    expect(answered.map(({ recipient, answer }) => [recipient, answer.kind])).toEqual([[partial, "unknown"]]);
    expect([inFlight.unrecordedCount(leaving.carrier), inFlight.unrecordedCount(other.carrier)]).toEqual([1, 0]);
    expect([...touched]).toContain(batch);
  });

  test("gives what it certainly does not have to another carrier", () => {
    const inFlight = new InFlight();
    const leaving = buildCarrier(inFlight, "leaving");
    const other = buildCarrier(inFlight, "other");
    const { dispatcher } = buildDispatcher(inFlight, [leaving.carrier, other.carrier]);
    deferAll(inFlight, buildBatch(inFlight, 1), leaving.carrier);
    leaving.carrier.bindIndexes = [];

    dispatcher.rebalance();
    dispatcher.pumpAll();

    expect(other.taken.map(({ offset }) => offset)).toEqual([0]);
    expect([inFlight.unrecordedCount(leaving.carrier), inFlight.unrecordedCount(other.carrier)]).toEqual([0, 1]);
  });
});

test("a batch that was lost keeps its carrier's room until the carrier has answered, and is not recorded", () => {
  const inFlight = new InFlight();
  const { carrier, taken } = buildCarrier(inFlight, "one");
  const { dispatcher, outbox } = buildDispatcher(inFlight, [carrier]);
  const batch = buildBatch(inFlight, 2);
  dispatcher.addBatch(batch);
  dispatcher.pumpAll();
  const [answered, open] = taken as [Handover, Handover];
  dispatcher.onOutcome(carrier, answered, { kind: "accepted", keys: ["1"] });

  dispatcher.loseBatch(batch);

  expect(new FlushPlan(outbox.take("answers", 1), inFlight).isEmpty).toBe(true);
  expect(inFlight.unrecordedCount(carrier)).toBe(1);
  dispatcher.onOutcome(carrier, open, { kind: "accepted", keys: ["2"] });
  expect(inFlight.unrecordedCount(carrier)).toBe(0);
  expect(outbox.isEmpty("answers")).toBe(true);
});

describe("bulk that is missing at a carrier", () => {
  const carrierWith = (waitingCount: number, messagesPerSecond: number): WorkCarrier => {
    const inFlight = new InFlight();
    const { carrier } = buildCarrier(inFlight, "one", messagesPerSecond);
    const batch = buildBatch(inFlight, waitingCount, false);
    if (waitingCount > 0) carrier.addShare(inFlight.assign(batch, inFlight.unsentOffsets(batch), carrier));
    return carrier;
  };

  test.for([
    { what: "a fast one takes a full claim", waiting: 0, messagesPerSecond: 200_000, batches: 16 },
    { what: "and the next while a full one is missing", waiting: 42_000, messagesPerSecond: 200_000, batches: 16 },
    { what: "and waits until then", waiting: 42_001, messagesPerSecond: 200_000, batches: 0 },
    { what: "a slow one takes a batch", waiting: 0, messagesPerSecond: 100, batches: 1 },
    { what: "and the next when a quarter is used", waiting: 375, messagesPerSecond: 100, batches: 1 },
    { what: "and waits until then", waiting: 376, messagesPerSecond: 100, batches: 0 },
  ])("$what ($waiting wait)", ({ waiting, messagesPerSecond, batches }) => {
    expect(carrierWith(waiting, messagesPerSecond).missingBatches).toBe(batches);
  });
});
