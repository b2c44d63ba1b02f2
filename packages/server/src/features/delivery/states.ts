/**
 * The states of messages, batches and recipients, as the database numbers them, and the moves between them.
 *
 * message   scheduled -> sending <-> paused; all three -> cancelled. `done` is a sending message that nobody waits in, `deferred` one
 *           that waits for quiet hours to end.
 *           review (accepted, and held until an administrator decides) -> sending | scheduled | cancelled.
 *           all three -> held (after a restore) -> what it was, or cancelled; an administrator decides.
 * batch     held <-> ready -> leased -> done; leased -> ready (lease lost, given back) or held (paused); any but done -> cancelled.
 * recipient (no row: waiting, cancelled or skipped as dnd, which its batch knows)
 *           -> optedOut (left out when its turn came);
 *           -> sent -> delivered | failed | dnd;  -> unknown -> sent | delivered | failed | dnd;  -> failed.
 *           Moves go forward only; of two final reports the first stands.
 */
import type { MessageState, RecipientState } from "@ewebal/contract";

export const messageStateNumbers = {
  scheduled: 0,
  sending: 1,
  paused: 2,
  cancelled: 3,
  held: 4,
  review: 5,
} as const satisfies Partial<Record<MessageState, number>>;

export const batchStates = { held: 0, ready: 1, leased: 2, done: 3, cancelled: 4 } as const;

/** The row of the carrier of tests (0081_test_mode.sql); see `carriers/test/test-carrier.ts`. */
export const TEST_CARRIER_ID = -1;

/** What a leased batch is asked to do; its worker sees it at the next flush, at most a second later. */
export const batchStops = { none: 0, hold: 1, cancel: 2 } as const;

/** The states that a delivery row can have. */
export const deliveryStates = {
  sent: 1,
  delivered: 2,
  failed: 3,
  dnd: 4,
  unknown: 5,
  optedOut: 6,
} as const satisfies Partial<Record<RecipientState, number>>;
export type DeliveryState = keyof typeof deliveryStates;
export type DeliveryStateNumber = (typeof deliveryStates)[DeliveryState];

const recipientStateByNumber = new Map<number, DeliveryState>(
  (Object.keys(deliveryStates) as DeliveryState[]).map((state) => [deliveryStates[state], state]),
);

/** @returns the word for a delivery row's state. */
export function deliveryStateName(state: number): DeliveryState {
  const name = recipientStateByNumber.get(state);
  if (name === undefined) throw new RangeError(`delivery state ${state}`);
  return name;
}

/** @param waitingCount recipients of the message that are still to be sent. */
export function messageStateName(state: number, waitingCount: number): MessageState {
  if (state === messageStateNumbers.scheduled) return "scheduled";
  if (state === messageStateNumbers.cancelled) return "cancelled";
  if (state === messageStateNumbers.held) return "held";
  if (state === messageStateNumbers.review) return "review";
  if (waitingCount === 0) return "done";
  return state === messageStateNumbers.paused ? "paused" : "sending";
}

/** @returns the lowest id of a moment: 48 bits of milliseconds, then nothing. No UUIDv7 of that moment or later is below it. */
export function smallestIdOf(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** @returns when an id was made, or the time that a scheduled message was for, in milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
