import type { Logger } from "pino";
import type { Db } from "../../../db/pool.ts";
import { commitIntents } from "../outcomes/intent-store.ts";
import type { SendMark } from "../send-mark/send-mark.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { InFlight, LiveBatch } from "./in-flight.ts";
import type { Outbox } from "./outbox.ts";

/** Whom a grant asks, and what a committed one moves. */
export type GrantParts = {
  inFlight: InFlight;
  outbox: Outbox;
  dispatcher: Dispatcher;
  /** Whether a flush that is under way writes the batch: its intents are that flush's to write. */
  isRecording: (batch: LiveBatch) => boolean;
};

/**
 * Commits intents, one small statement after the other, beside the flushes of answers: a flush takes milliseconds for each thousand answers, and while
 * intents came with it the carrier and the database waited for each other by turns.
 *
 * One batch is never written by a grant and a flush at once. A grant leaves out the batches of the flush under way, and a flush begins when the
 * grant under way has ended. What a grant cannot commit (a batch that was lost, or of which an offset between committed ones is asked for) goes with
 * the next flush.
 */
export class Granter {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #settings: { workerId: string; mark: SendMark };
  readonly #parts: GrantParts;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;

  constructor(db: Db, log: Logger, settings: { workerId: string; mark: SendMark }, parts: GrantParts) {
    this.#db = db;
    this.#log = log;
    this.#settings = settings;
    this.#parts = parts;
    parts.outbox.onGrantsWanted = () => this.#want();
  }

  /** Resolves when no grant is under way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  #want(): void {
    if (this.#isStopped || this.#isWanted) return;
    this.#isWanted = true;
    // At the end of this turn: the answers of one read from the socket make room together.
    if (this.#running === undefined) setImmediate(() => this.#start());
  }

  #start(): void {
    if (this.#running !== undefined || this.#isStopped) return;
    this.#isWanted = false;
    const requested = this.#parts.dispatcher.requestGrants(this.#parts.isRecording);
    if (requested.size === 0) return;
    this.#running = this.#grant([...requested]).finally(() => {
      this.#running = undefined;
      // Not in this turn: a flush that waited for this grant goes first.
      if (this.#isWanted) setImmediate(() => this.#start());
    });
  }

  async #grant(batches: readonly LiveBatch[]): Promise<void> {
    const { inFlight, outbox, dispatcher } = this.#parts;
    const grants = batches.map((batch) => ({ batch, ...inFlight.readIntents(batch, false) }));
    const { workerId, mark } = this.#settings;
    let stops = new Map<number, number>();
    try {
      stops = await commitIntents(
        this.#db,
        { workerId, known: mark.known },
        grants.map(({ batch, intentCount, redo }) => ({ ...batch.leaseKey, intentCount, redo })),
      );
    } catch (error) {
      // Whether it is committed does not matter: the flush writes the same intents, or later ones.
      this.#log.warn({ err: error }, "intents were not committed and go with the next flush");
    }
    for (const [place, { batch, intentCount, redo }] of grants.entries()) {
      // The session may have ended meanwhile.
      if (!inFlight.has(batch)) continue;
      const stop = stops.get(place);
      if (stop === undefined) outbox.addBatch(batch);
      else {
        mark.remember({ ...batch.leaseKey, intentCount, redo });
        inFlight.grant(batch);
        if (stop !== 0) dispatcher.stopBatch(batch);
      }
    }
    if (stops.size > 0) dispatcher.proceed();
  }
}
