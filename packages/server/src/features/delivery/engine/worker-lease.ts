import { randomInt } from "node:crypto";
import type { PoolClient } from "pg";
import { v7 as uuidv7 } from "uuid";
import type { Logger } from "pino";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { DELIVERY_CHANNEL, deliveryTimesMs, OPT_OUT_PAYLOAD, QUIET_HOURS_PAYLOAD } from "../delivery-limits.ts";
import {
  insertWorker,
  lockDeadWorkers,
  mayHaveDeadWorkers,
  releaseWorkers,
  renewLease,
  takeSessionLock,
} from "./worker-store.ts";

const THOROUGH_REAP_EVERY = 5;

export type WorkerLeaseOwner = {
  /** There may be something to claim. */
  onWork: () => void;
  /** Somebody opted out. */
  onOptOut: () => void;
  /** Quiet hours have changed. */
  onHours: () => void;
  /** Another worker has declared this one dead: everything in its hands is void. */
  onLost: () => void;
};

/**
 * A worker session as the database sees it: a row that is renewed every second, and a connection that hears of new work and
 * holds a lock. Batches and binds belong to the row; whoever removes it takes them all.
 */
export class WorkerLease {
  readonly workerId = uuidv7();
  readonly #lockKey = randomInt(1, 2 ** 31);
  readonly #db: Db;
  readonly #log: Logger;
  readonly #owner: WorkerLeaseOwner;
  #session: PoolClient | undefined;
  #isConnecting = false;
  #handUntilMs = 0;
  #reapCount = 0;
  #isClosed = false;

  constructor(db: Db, log: Logger, owner: WorkerLeaseOwner) {
    this.#db = db;
    this.#log = log;
    this.#owner = owner;
  }

  /** By our own clock: nothing may be handed over from this moment on. */
  get handUntilMs(): number {
    return this.#handUntilMs;
  }

  async start(): Promise<void> {
    const startedAtMs = performance.now();
    await insertWorker(this.#db, { workerId: this.workerId, lockKey: this.#lockKey });
    this.#extend(startedAtMs);
    await this.#connect();
  }

  /** Once a second. @returns false when another worker has taken over. */
  async renew(): Promise<boolean> {
    const startedAtMs = performance.now();
    const isOurs = await renewLease(this.#db, this.workerId);
    if (!isOurs) {
      this.lose();
      return false;
    }
    this.#extend(startedAtMs);
    if (this.#session === undefined && !this.#isClosed) await this.#connect();
    return true;
  }

  /** Another worker has taken over: nothing more is handed over. */
  lose(): void {
    if (this.#isClosed) return;
    this.#handUntilMs = 0;
    this.#owner.onLost();
  }

  /** Whether new work is announced to this worker. */
  get isListening(): boolean {
    return this.#session !== undefined;
  }

  /** Puts the batches of dead workers back into the queue; those of workers that were struck off before, with every fifth call. */
  async reapDeadWorkers(): Promise<void> {
    const isThorough = this.#reapCount % THOROUGH_REAP_EVERY === 0;
    this.#reapCount += 1;
    if (!isThorough && !(await mayHaveDeadWorkers(this.#db, this.workerId))) return;
    await withTransaction(this.#db, async (tx) => {
      const workerIds = await lockDeadWorkers(tx, this.workerId);
      const batchCount = await releaseWorkers(tx, workerIds);
      if (workerIds.length > 0 || batchCount > 0)
        this.#log.warn({ workerIds, batchCount }, "took over from workers that are gone");
    });
  }

  /** Strikes this worker off; what it still holds goes back into the queue. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#handUntilMs = 0;
    try {
      await withTransaction(this.#db, (tx) => releaseWorkers(tx, [this.workerId]));
    } finally {
      this.#session?.release(true);
      this.#session = undefined;
    }
  }

  /** Gives nothing back, as a dead process would not. For a worker session that has lost its lease. */
  abandon(): void {
    this.#isClosed = true;
    this.#handUntilMs = 0;
    this.#session?.release(true);
    this.#session = undefined;
  }

  #extend(startedAtMs: number): void {
    this.#handUntilMs = startedAtMs + deliveryTimesMs.lease - deliveryTimesMs.leaseMargin;
  }

  /** The connection makes new work and a dead worker known sooner; without it the worker goes on. */
  async #connect(): Promise<void> {
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    try {
      const session = await this.#db.connect();
      const drop = (error?: Error): void => {
        if (this.#session !== session) return;
        this.#session = undefined;
        session.release(error ?? true);
      };
      this.#session = session;
      session.on("error", drop);
      session.on("end", () => drop());
      session.on("notification", ({ payload }) => {
        if (payload === OPT_OUT_PAYLOAD) this.#owner.onOptOut();
        else if (payload === QUIET_HOURS_PAYLOAD) this.#owner.onHours();
        else this.#owner.onWork();
      });
      await takeSessionLock(session, this.#lockKey);
      await session.query(`listen ${DELIVERY_CHANNEL}`);
      this.#owner.onWork();
    } catch (error) {
      this.#log.warn({ err: error }, "the worker's session could not be opened");
      this.#session?.release(true);
      this.#session = undefined;
    } finally {
      this.#isConnecting = false;
    }
  }
}
