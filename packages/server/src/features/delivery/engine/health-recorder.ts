import type { Db } from "../../../db/pool.ts";
import { upsertCarrierHealth, type WorkerHealth } from "../carriers/carrier-health-store.ts";
import type { WorkCarrier } from "./work-carrier.ts";

type Seen = { isUp: boolean; changedAt: Date; answeredCount: number; atMs: number };

/** Tells the database how the carriers do, as this worker sees them; only what is not the same as before. */
export class HealthTeller {
  readonly #db: Db;
  readonly #workerId: string;
  readonly #seen = new WeakMap<WorkCarrier, Seen>();
  #told = "";

  constructor(db: Db, workerId: string) {
    this.#db = db;
    this.#workerId = workerId;
  }

  /** @returns whether anything was new. */
  async tell(carriers: readonly WorkCarrier[]): Promise<boolean> {
    const rows = carriers.map((carrier) => this.#look(carrier));
    const text = JSON.stringify(rows);
    if (text === this.#told) return false;
    await upsertCarrierHealth(this.#db, this.#workerId, rows);
    this.#told = text;
    return true;
  }

  #look(carrier: WorkCarrier): WorkerHealth {
    const nowMs = performance.now();
    const { boundCount, openCount, lastError } = carrier.link.health;
    const { good, bad } = carrier.health.counts(nowMs);
    const before = this.#seen.get(carrier);
    const isUp = boundCount > 0;
    const changedAt = before?.isUp === isUp ? before.changedAt : new Date();
    this.#seen.set(carrier, { isUp, changedAt, answeredCount: carrier.answeredCount, atMs: nowMs });
    const seconds = before === undefined ? 0 : (nowMs - before.atMs) / 1_000;
    const messagesPerSecond =
      seconds > 0 ? Math.round((carrier.answeredCount - (before?.answeredCount ?? 0)) / seconds) : 0;
    return {
      carrierId: carrier.facts.carrierId,
      boundCount,
      heldCount: carrier.bindIndexes.length,
      changedAt,
      lastError: lastError?.text.slice(0, 200) ?? null,
      lastErrorAt: lastError?.at ?? null,
      messagesPerSecond,
      inFlight: openCount,
      goodCount: good,
      badCount: bad,
    };
  }
}
