import type { Logger } from "pino";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Carrier, CarrierHandlers } from "../carriers/carrier.ts";
import { upsertCarriers } from "../carrier-store.ts";
import type { Handover } from "./live-batch.ts";
import { WorkCarrier } from "./work-carrier.ts";
import { countWorkers, giveBackBinds, selectCarriersUpElsewhere, takeBinds, tellLinks } from "./worker-store.ts";

/** A carrier of the configuration, and how to reach it. */
export type CarrierDefinition = {
  name: string;
  prefixes: readonly string[];
  weight: number;
  priority: number;
  bindCount: number;
  messagesPerSecond: number;
  connect: (handlers: CarrierHandlers<Handover>) => Carrier<Handover>;
};

export type CarrierPoolOwner = {
  handlersFor: (carrier: () => WorkCarrier) => CarrierHandlers<Handover>;
};

/** The carriers of this worker, and its share of their binds. */
export class CarrierPool {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #workerId: string;
  readonly #definitions: readonly CarrierDefinition[];
  readonly #owner: CarrierPoolOwner;
  carriers: WorkCarrier[] = [];
  #isSyncing = false;

  constructor(db: Db, log: Logger, workerId: string, definitions: readonly CarrierDefinition[], owner: CarrierPoolOwner) {
    this.#db = db;
    this.#log = log;
    this.#workerId = workerId;
    this.#definitions = definitions;
    this.#owner = owner;
  }

  async open(): Promise<void> {
    const rows = await withTransaction(this.#db, (tx) => upsertCarriers(tx, this.#definitions), { repeatable: true });
    this.carriers = this.#definitions.flatMap((definition) => {
      const row = rows.find(({ name }) => name === definition.name);
      if (row === undefined) return [];
      const link = definition.connect(this.#owner.handlersFor(() => carrier));
      const carrier: WorkCarrier = new WorkCarrier({ ...definition, carrierId: row.carrier_id }, link);
      return [carrier];
    });
    await this.sync();
  }

  /**
   * Once a second: takes this worker's share of each carrier's binds, gives back what is beyond it, and tells and learns
   * whose links stand. With fewer binds than workers some have none; they take over when the holder goes.
   */
  async sync(): Promise<void> {
    // Draining a bind takes as long as its open answers; the next second does not start it again.
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    try {
      const workerCount = Math.max(1, await countWorkers(this.#db));
      for (const carrier of this.carriers) await this.#syncBinds(carrier, workerCount);
      await tellLinks(
        this.#db,
        this.#workerId,
        this.carriers.map((carrier) => ({ carrierId: carrier.facts.carrierId, isUp: carrier.link.isUp })),
      );
      const elsewhere = new Set(await selectCarriersUpElsewhere(this.#db, this.#workerId));
      for (const carrier of this.carriers) carrier.isUpElsewhere = elsewhere.has(carrier.facts.carrierId);
    } finally {
      this.#isSyncing = false;
    }
  }

  /** Waits for open answers at most `drainMs`, then closes. */
  async close(drainMs: number): Promise<void> {
    await Promise.all(this.carriers.map((carrier) => carrier.link.close(drainMs)));
  }

  async #syncBinds(carrier: WorkCarrier, workerCount: number): Promise<void> {
    const { carrierId, name, bindCount } = carrier.facts;
    const share = Math.ceil(bindCount / workerCount);
    const lease = { workerId: this.#workerId, carrierId };
    if (carrier.bindIndexes.length > share) {
      const extra = carrier.bindIndexes.slice(share);
      carrier.bindIndexes = carrier.bindIndexes.slice(0, share);
      await carrier.link.holdBinds(carrier.bindIndexes);
      // Only now, drained and closed: until then the rate of these binds was in use here.
      await giveBackBinds(this.#db, { ...lease, bindIndexes: extra });
      this.#log.info({ carrier: name, bindIndexes: extra }, "gave back binds for another worker");
    } else if (carrier.bindIndexes.length < share) {
      const taken = await takeBinds(this.#db, { ...lease, bindCount, wantedCount: share - carrier.bindIndexes.length });
      if (taken.length === 0) return;
      carrier.bindIndexes = [...carrier.bindIndexes, ...taken];
      await carrier.link.holdBinds(carrier.bindIndexes);
    }
  }
}
