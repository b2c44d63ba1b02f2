/**
 * How far each recipient of a leased batch is.
 *
 * fresh -> requested (its intent is being committed) -> granted (may be written to the wire) -> handed -> answered (waits
 *   for the flush) -> recorded.
 * handed -> granted: the carrier certainly does not have it; it is tried again, or put back.
 * fresh -> granted, recorded: the claim has committed its intent; an earlier lease has recorded it.
 * fresh, granted -> answered: no carrier takes it, or an earlier lease left it without a record.
 */
import assert from "node:assert/strict";

export const STATE = { fresh: 0, requested: 1, granted: 2, handed: 3, answered: 4, recorded: 5 } as const;
export type State = (typeof STATE)[keyof typeof STATE];

/** The states that may follow each state, as bits. */
const NEXT_STATES = [
  bitsOf(STATE.requested, STATE.granted, STATE.answered, STATE.recorded),
  bitsOf(STATE.granted),
  bitsOf(STATE.handed, STATE.answered),
  bitsOf(STATE.granted, STATE.answered),
  bitsOf(STATE.recorded),
  0,
];

/** How many recipients a carrier holds. */
export type Held = { count: number };

/** The states and holders of one batch; `InFlight` keeps it to itself. */
export class Flight<Share> {
  readonly states: Uint8Array;
  /** Who holds an offset: requested, granted, handed or answered, and not recorded. */
  readonly holders: (Held | undefined)[];
  /** Which of its offsets wait for which carrier. */
  readonly shares = new Set<Share>();
  openCount: number;
  busyCount = 0;

  constructor(recipientCount: number) {
    this.states = new Uint8Array(recipientCount);
    this.holders = Array.from({ length: recipientCount });
    this.openCount = recipientCount;
  }

  stateOf(offset: number): State {
    return (this.states[offset] ?? STATE.fresh) as State;
  }

  /** The only place where a state changes, and the counts with it. */
  move(offset: number, to: State): void {
    const from = this.stateOf(offset);
    if ((((NEXT_STATES[from] ?? 0) >> to) & 1) === 0) assert.fail(`a recipient cannot go from state ${from} to ${to}`);
    this.states[offset] = to;
    if (isBusy(from)) this.busyCount -= 1;
    if (isBusy(to)) this.busyCount += 1;
    if (to !== STATE.recorded) return;
    this.openCount -= 1;
    this.hold(offset, undefined);
  }

  /** The only place where a carrier's count changes. */
  hold(offset: number, holder: Held | undefined): void {
    const before = this.holders[offset];
    if (before !== undefined) before.count -= 1;
    if (holder !== undefined) holder.count += 1;
    this.holders[offset] = holder;
  }
}

function isBusy(state: State): boolean {
  return state === STATE.handed || state === STATE.answered;
}

function bitsOf(...states: State[]): number {
  return states.reduce<number>((bits, state) => bits | (1 << state), 0);
}
