import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InFlight, LiveBatch, Recipient, type Handover, type HoldingCarrier, type Share } from "./in-flight.ts";
import { LiveMessage } from "./live-message.ts";

// Goal: whatever order the verbs come in, states and counts are those of a page of arithmetic, and no carrier's room is lost or
// given twice. Method: random verbs, each only where the state comment allows it, here and in a model that names a state and a
// holder for each recipient; all counts must agree after each.

const RECIPIENTS = 5;
const message = new LiveMessage({
  userId: "u",
  messageId: "m",
  senderName: "Ewebal",
  body: "Hello",
  priceMilli: 3_000,
  holdId: null,
});

const VERBS = [
  "lease",
  "assign",
  "unassign",
  "request",
  "grant",
  "hand",
  "handAgain",
  "answer",
  "answerUnsent",
  "defer",
  "reroute",
  "putBack",
  "record",
  "stop",
  "end",
  "lose",
  "forget",
] as const;
type Step = { verb: (typeof VERBS)[number]; pick: number; other: number };
type ModelState = "fresh" | "requested" | "granted" | "handed" | "answered" | "recorded";
type Cell = {
  batch: LiveBatch;
  offset: number;
  state: ModelState;
  holder?: HoldingCarrier | undefined;
  share?: Share | undefined;
  handover?: Handover | undefined;
};

class Model {
  readonly inFlight = new InFlight();
  readonly carriers: HoldingCarrier[] = [1, 2].map((carrierId) => ({
    facts: { carrierId, name: `carrier ${carrierId}` },
  }));
  cells: Cell[] = [];
  /** Handed over when their batch was lost. */
  lost: Cell[] = [];
  #batchCount = 0;

  take(step: Step): void {
    const { inFlight } = this;
    const carrier = this.carriers[step.other % this.carriers.length] as HoldingCarrier;
    const cellOf = (...states: ModelState[]): Cell | undefined =>
      pickOf(
        this.cells.filter(({ state }) => states.includes(state)),
        step.pick,
      );
    const batch = pickOf([...new Set(this.cells.map((cell) => cell.batch))], step.pick);
    const share = pickOf([...new Set(this.cells.flatMap((cell) => cell.share ?? []))], step.pick);
    const waiting = pickOf(
      this.cells.filter(({ state, handover }) => state === "granted" && handover !== undefined),
      step.pick,
    );
    const cellsOf = (wanted: LiveBatch): Cell[] => this.cells.filter((cell) => cell.batch === wanted);
    switch (step.verb) {
      case "lease":
        return this.#lease(step);
      case "assign": {
        if (batch === undefined) return;
        const free = cellsOf(batch).filter(
          ({ state, share: own, handover }) => (state === "fresh" || state === "granted") && !own && !handover,
        );
        const cells = free
          .filter((_, index) => index % 2 === 0 || step.other % 2 === 0)
          .toSorted((one, two) => Number(two.state === "granted") - Number(one.state === "granted"));
        if (cells.length === 0) return;
        const made = inFlight.assign(
          batch,
          cells.map(({ offset }) => offset),
          carrier,
        );
        for (const cell of cells)
          Object.assign(cell, { share: made, holder: cell.state === "granted" ? carrier : undefined });
        return;
      }
      case "unassign":
        if (share === undefined) return;
        inFlight.unassign(share);
        // What is requested is granted by the flush under way, and nobody's until then.
        for (const cell of this.cells)
          if (cell.share === share) Object.assign(cell, { share: undefined, holder: undefined });
        return;
      case "request": {
        if (share === undefined) return;
        const fresh = share.offsets.flatMap((offset) =>
          this.cells.filter((cell) => cell.share === share && cell.offset === offset && cell.state === "fresh"),
        );
        const asked = fresh.slice(0, 1 + (step.other % 3));
        inFlight.request(share, asked.length);
        for (const cell of asked) Object.assign(cell, { state: "requested", holder: share.carrier });
        return;
      }
      case "grant":
        if (batch === undefined) return;
        inFlight.grant(batch);
        for (const cell of cellsOf(batch)) if (cell.state === "requested") cell.state = "granted";
        return;
      case "hand": {
        if (share === undefined || share.handedCount === share.grantedCount) return;
        const handover = inFlight.takeNext(share);
        inFlight.hand(handover);
        const cell = this.cells.find((own) => own.share === share && own.offset === handover.offset);
        expect(cell?.state).toBe("granted");
        if (cell !== undefined) Object.assign(cell, { state: "handed", share: undefined, handover });
        return;
      }
      case "handAgain":
        if (waiting?.handover === undefined) return;
        inFlight.hand(waiting.handover);
        waiting.state = "handed";
        return;
      case "answer": {
        const cell = cellOf("handed");
        if (cell?.handover === undefined) return;
        inFlight.answer(cell.handover);
        cell.state = "answered";
        return;
      }
      case "answerUnsent": {
        const cell = this.cells.find(({ state, share: own, handover }) => state === "fresh" && !own && !handover);
        if (cell === undefined) return;
        inFlight.answer(new Recipient(cell.batch, cell.offset));
        cell.state = "answered";
        return;
      }
      case "defer": {
        const cell = cellOf("handed");
        if (cell?.handover === undefined) return;
        inFlight.defer(cell.handover);
        cell.state = "granted";
        return;
      }
      case "reroute":
        if (waiting?.handover === undefined) return;
        Object.assign(waiting, { handover: inFlight.reroute(waiting.handover, carrier), holder: carrier });
        return;
      case "putBack":
        if (waiting?.handover === undefined) return;
        inFlight.putBack(waiting.handover);
        Object.assign(waiting, { handover: undefined, holder: undefined });
        return;
      case "record": {
        const cell = cellOf("answered");
        if (cell === undefined) return;
        inFlight.record(cell.handover ?? new Recipient(cell.batch, cell.offset));
        Object.assign(cell, { state: "recorded", holder: undefined });
        return;
      }
      case "stop":
        if (batch !== undefined) inFlight.stop(batch);
        return;
      case "end":
        // Recorded whole, or nothing of it in hand: what waits goes back with it.
        if (batch === undefined || cellsOf(batch).some(({ state }) => state === "handed" || state === "answered"))
          return;
        inFlight.end(batch);
        this.cells = this.cells.filter((cell) => cell.batch !== batch);
        return;
      case "lose":
        if (batch === undefined) return;
        inFlight.lose(batch);
        this.lost.push(...cellsOf(batch).filter(({ state }) => state === "handed"));
        this.cells = this.cells.filter((cell) => cell.batch !== batch);
        return;
      case "forget": {
        const cell = pickOf(this.lost, step.pick);
        if (cell?.handover === undefined) return;
        inFlight.forget(cell.handover);
        this.lost = this.lost.filter((other) => other !== cell);
        return;
      }
      default:
        step.verb satisfies never;
    }
  }

  #lease({ pick, other }: Step): void {
    if (this.inFlight.batchCount >= 2) return;
    const offsets = Array.from({ length: RECIPIENTS }, (_, offset) => offset);
    const batch = new LiveBatch({
      message,
      batchIndex: this.#batchCount,
      firstPosition: this.#batchCount * 500,
      phoneNos: offsets.map((offset) => 2_348_030_000_000 + offset),
      isExpress: true,
      isTest: false,
      turn: 0,
      lane: 234,
      attempt: 1,
    });
    this.#batchCount += 1;
    const recorded = offsets.filter((offset) => offset === pick % (RECIPIENTS * 2));
    const granted = offsets.slice(0, other % RECIPIENTS).filter((offset) => !recorded.includes(offset));
    this.inFlight.lease(batch, { recorded, granted });
    for (const offset of offsets) {
      const known = granted.includes(offset) ? "granted" : "fresh";
      this.cells.push({ batch, offset, state: recorded.includes(offset) ? "recorded" : known });
    }
  }

  check(): void {
    const { inFlight } = this;
    const held = [...this.cells, ...this.lost];
    for (const carrier of this.carriers)
      expect(inFlight.unrecordedCount(carrier)).toBe(held.filter(({ holder }) => holder === carrier).length);
    const batches = [...new Set(this.cells.map(({ batch }) => batch))];
    expect(inFlight.batches).toEqual(batches);
    for (const batch of batches) {
      const cells = this.cells.filter((cell) => cell.batch === batch);
      const isIn = (...states: ModelState[]) =>
        cells.filter(({ state }) => states.includes(state)).map(({ offset }) => offset);
      expect(inFlight.openCount(batch)).toBe(RECIPIENTS - isIn("recorded").length);
      expect(inFlight.busyCount(batch)).toBe(isIn("handed", "answered").length);
      expect(inFlight.unsentOffsets(batch)).toEqual(isIn("fresh", "granted"));
      expect(inFlight.hasShares(batch)).toBe(cells.some(({ share }) => share !== undefined));
      expect(intendedOffsets(inFlight.readIntents(batch, false))).toEqual(
        isIn("requested", "granted", "handed", "answered", "recorded"),
      );
      expect(intendedOffsets(inFlight.readIntents(batch, true))).toEqual(isIn("handed", "answered", "recorded"));
    }
  }
}

function pickOf<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % values.length];
}

/** What the database would believe to have gone out. */
function intendedOffsets({ intentCount, redo }: { intentCount: number; redo: number[] }): number[] {
  return Array.from({ length: intentCount }, (_, offset) => offset).filter((offset) => !redo.includes(offset));
}

const step = fc.record<Step>({ verb: fc.constantFrom(...VERBS), pick: fc.nat(20), other: fc.nat(20) });

describe("recipients in flight", () => {
  test("are counted as the model counts them, in any order of verbs", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), (steps) => {
        const model = new Model();
        for (const each of steps) {
          model.take(each);
          model.check();
        }
      }),
      { numRuns: 500 },
    );
  });

  test("go no way that the state comment does not name", () => {
    const model = new Model();
    model.take({ verb: "lease", pick: RECIPIENTS, other: 0 });
    const { inFlight, carriers } = model;
    const [batch] = inFlight.batches as [LiveBatch];
    const share = inFlight.assign(batch, inFlight.unsentOffsets(batch), carriers[0] as HoldingCarrier);

    expect(() => inFlight.takeNext(share)).toThrow("nothing of the share is granted");
    inFlight.request(share, 1);
    expect(() => inFlight.takeNext(share)).toThrow("nothing of the share is granted");
    inFlight.grant(batch);
    const handover = inFlight.takeNext(share);
    inFlight.hand(handover);
    expect(() => inFlight.hand(handover)).toThrow("cannot go from state 3 to 3");
    expect(() => inFlight.record(handover)).toThrow("cannot go from state 3 to 5");
    inFlight.answer(handover);
    expect(() => inFlight.defer(handover)).toThrow("cannot go from state 4 to 2");
    inFlight.record(handover);
    expect(() => inFlight.answer(handover)).toThrow("cannot go from state 5 to 4");
  });
});
