import type { Logger } from "pino";
import type { Db } from "../../../db/pool.ts";
import type { InboundText } from "../carriers/carrier.ts";
import { storeInbound, type InboundItem, type TellInbox } from "./store-inbound.ts";

/** Stored in one transaction. */
const ITEMS_PER_STORE_MAX = 500;

/**
 * Takes messages from phones, stores them, and acknowledges each only after its commit. What cannot be stored is refused, so that its
 * carrier keeps it and brings it again. The client of a carrier bounds how many may wait here.
 */
export class InboundReceiver {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #tellInbox: TellInbox | undefined;
  #waiting: InboundItem[] = [];
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(db: Db, log: Logger, tellInbox?: TellInbox) {
    this.#db = db;
    this.#log = log;
    this.#tellInbox = tellInbox;
  }

  onInbound(carrierId: number, text: InboundText): void {
    if (this.#isStopped) {
      text.refuse();
      return;
    }
    this.#waiting.push({ carrierId, text });
    this.#running ??= this.#storeAll().finally(() => {
      this.#running = undefined;
    });
  }

  /** Takes nothing more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const items = this.#waiting.splice(0, ITEMS_PER_STORE_MAX);
      await this.#store(items);
    }
  }

  async #store(items: readonly InboundItem[]): Promise<void> {
    try {
      await storeInbound(this.#db, items, this.#tellInbox);
    } catch (error) {
      // One that the database does not take must not keep the others from being taken.
      if (items.length > 1) {
        for (const item of items) await this.#store([item]);
        return;
      }
      this.#log.warn(
        { err: error, carrierId: items[0]?.carrierId },
        "a message from a phone could not be stored; its carrier keeps it",
      );
      items[0]?.text.refuse();
      return;
    }
    for (const { text } of items) text.acknowledge();
  }
}
