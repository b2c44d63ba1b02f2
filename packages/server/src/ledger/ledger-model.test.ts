import * as fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../db/pool.ts";
import { withTransaction, type Tx } from "../db/transaction.ts";
import { AppError } from "../base/errors.ts";
import { assertLedgerInvariants, expect, test } from "../testing/database.ts";
import { buildUser } from "../testing/factories.ts";
import {
  holdUnits,
  listMovements,
  moveHolds,
  readBalance,
  refundUnits,
  reverseTopUp,
  settleHold,
  topUpUnits,
} from "./index.ts";

// Goal: the ledger does what a page of arithmetic says, whatever order things come in. Method: random operations with few
// ids and small amounts, so that they repeat, conflict and run out; each is done here and in a model in memory, and outcome,
// balance and statement must agree.

type TopUpStep = { kind: "topUp"; reference: string; amountMilli: number };
type ReverseStep = { kind: "reverse"; reference: string };
type HoldStep = { kind: "hold"; slot: number; amountMilli: number };
type SettleStep = { kind: "settle"; slot: number };
type MoveStep = { kind: "move"; slot: number; chargeMilli: number; releaseMilli: number };
type RefundStep = { kind: "refund"; slot: number; position: number; amountMilli: number };
type Operation = TopUpStep | ReverseStep | HoldStep | SettleStep | MoveStep | RefundStep;

// Amounts and ids are chosen so that in a few dozen steps units run out, ids repeat and refunds exceed what was charged.
const slot = fc.integer({ min: 0, max: 1 });
const reference = fc.constantFrom("a", "b", "c");
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record<TopUpStep>({ kind: fc.constant("topUp"), reference, amountMilli: fc.constantFrom(7, 20) }),
  },
  { weight: 3, arbitrary: fc.record<ReverseStep>({ kind: fc.constant("reverse"), reference }) },
  {
    weight: 3,
    arbitrary: fc.record<HoldStep>({ kind: fc.constant("hold"), slot, amountMilli: fc.constantFrom(10, 12) }),
  },
  { weight: 1, arbitrary: fc.record<SettleStep>({ kind: fc.constant("settle"), slot }) },
  {
    weight: 4,
    arbitrary: fc.record<MoveStep>({
      kind: fc.constant("move"),
      slot,
      chargeMilli: fc.nat(5),
      releaseMilli: fc.nat(2),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record<RefundStep>({
      kind: fc.constant("refund"),
      slot,
      position: fc.nat(1),
      amountMilli: fc.integer({ min: 1, max: 3 }),
    }),
  },
);

type ModelHold = { amount: number; captured: number; released: number; refunded: number; refunds: Set<number> };

/** The ledger of one customer as plain arithmetic. Outcomes: ok, repeat, a refusal's code, or `dies` for a broken assumption. */
class Model {
  readonly topUps = new Map<string, { amount: number; isReversed: boolean }>();
  readonly holds = new Map<number, ModelHold>();

  get balance(): number {
    const credited = [...this.topUps.values()].reduce((sum, topUp) => sum + (topUp.isReversed ? 0 : topUp.amount), 0);
    return [...this.holds.values()].reduce((sum, hold) => sum - hold.captured + hold.refunded, credited);
  }

  get held(): number {
    return [...this.holds.values()].reduce((sum, hold) => sum + openOf(hold), 0);
  }

  apply(step: Operation): string {
    if (step.kind === "topUp" || step.kind === "reverse") return this.#topUpOrReverse(step);
    const hold = this.holds.get(step.slot);
    if (step.kind === "hold") return this.#hold(step.slot, step.amountMilli, hold);
    if (step.kind === "move" && step.chargeMilli + step.releaseMilli === 0) return "ok";
    if (hold === undefined) return "dies";
    if (step.kind === "settle") {
      hold.released += openOf(hold);
    } else if (step.kind === "move") {
      if (openOf(hold) < step.chargeMilli + step.releaseMilli) return "dies";
      hold.captured += step.chargeMilli;
      hold.released += step.releaseMilli;
    } else {
      if (hold.refunds.has(step.position)) return "repeat";
      if (hold.refunded + step.amountMilli > hold.captured) return "dies";
      hold.refunded += step.amountMilli;
      hold.refunds.add(step.position);
    }
    return "ok";
  }

  #topUpOrReverse(step: TopUpStep | ReverseStep): string {
    const earlier = this.topUps.get(step.reference);
    if (step.kind === "topUp") {
      if (earlier !== undefined) return earlier.amount === step.amountMilli ? "repeat" : "IDEMPOTENCY_CONFLICT";
      this.topUps.set(step.reference, { amount: step.amountMilli, isReversed: false });
      return "ok";
    }
    if (earlier === undefined) return "NOT_FOUND";
    if (earlier.isReversed) return "repeat";
    if (this.balance - this.held < earlier.amount) return "UNITS_REQUIRED";
    earlier.isReversed = true;
    return "ok";
  }

  #hold(index: number, amount: number, earlier: ModelHold | undefined): string {
    if (earlier !== undefined) return earlier.amount === amount ? "repeat" : "IDEMPOTENCY_CONFLICT";
    if (this.balance - this.held < amount) return "UNITS_REQUIRED";
    this.holds.set(index, { amount, captured: 0, released: 0, refunded: 0, refunds: new Set() });
    return "ok";
  }
}

const openOf = (hold: ModelHold): number => hold.amount - hold.captured - hold.released;

function perform(tx: Tx, userId: string, holdIds: string[], step: Operation): Promise<unknown> {
  // A payment belongs to one customer, so that each round has payments of its own.
  const payment = (name: string) => ({ userId, source: "card" as const, reference: `${userId} ${name}` });
  if (step.kind === "topUp") return topUpUnits(tx, { ...payment(step.reference), amountMilli: step.amountMilli });
  if (step.kind === "reverse") return reverseTopUp(tx, payment(step.reference));
  const hold = { userId, holdId: holdIds[step.slot] ?? "" };
  if (step.kind === "hold") return holdUnits(tx, { ...hold, amountMilli: step.amountMilli });
  if (step.kind === "settle") return settleHold(tx, hold);
  if (step.kind === "move") return moveHolds(tx, [{ ...hold, ...step }]);
  return refundUnits(tx, [{ ...hold, reference: `${hold.holdId}:${step.position}`, amountMilli: step.amountMilli }]);
}

async function outcomeOf(db: Db, userId: string, holdIds: string[], step: Operation): Promise<string> {
  try {
    const value = await withTransaction(db, (tx) => perform(tx, userId, holdIds, step));
    const isRepeat =
      step.kind === "refund" ? value === 0 : (value as { isRepeat?: boolean } | undefined)?.isRepeat === true;
    return isRepeat ? "repeat" : "ok";
  } catch (error) {
    return error instanceof AppError ? error.code : "dies";
  }
}

test("random operations agree with plain arithmetic", { timeout: 120_000 }, async ({ db }) => {
  const seen = new Map<string, number>();
  const property = fc.asyncProperty(
    fc.array(operation, { minLength: 20, maxLength: 60, size: "max" }),
    async (steps) => {
      const { userId } = await buildUser(db);
      const holdIds = [uuidv7(), uuidv7(), uuidv7()];
      const model = new Model();
      for (const step of steps) {
        const expected = model.apply(step);
        expect({ step, outcome: await outcomeOf(db, userId, holdIds, step) }).toEqual({ step, outcome: expected });
        seen.set(`${step.kind} ${expected}`, (seen.get(`${step.kind} ${expected}`) ?? 0) + 1);
      }
      expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: model.balance, heldMilli: model.held });
      const lines = await listMovements(db, userId, { limit: 1_000 });
      expect(lines.reduce((sum, line) => sum + line.amountMilli, 0)).toBe(model.balance - model.held);
      for (const [index, line] of lines.entries()) {
        expect(line.balanceMilli).toBe((lines[index + 1]?.balanceMilli ?? 0) + line.amountMilli);
        expect(line.balanceMilli).toBeGreaterThanOrEqual(0);
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
  await assertLedgerInvariants(db);
  // A generator that never gets so far proves nothing about what lies there.
  const outcomes = [
    "topUp ok",
    "topUp repeat",
    "topUp IDEMPOTENCY_CONFLICT",
    "reverse ok",
    "reverse repeat",
    "reverse UNITS_REQUIRED",
  ];
  outcomes.push(
    "hold ok",
    "hold repeat",
    "hold IDEMPOTENCY_CONFLICT",
    "hold UNITS_REQUIRED",
    "settle ok",
    "move ok",
    "move dies",
  );
  outcomes.push("refund ok", "refund repeat", "refund dies");
  expect(outcomes.filter((outcome) => !seen.has(outcome))).toEqual([]);
});
