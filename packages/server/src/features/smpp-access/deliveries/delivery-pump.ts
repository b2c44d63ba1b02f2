/**
 * From a row to a client, and away when it is acknowledged. A delivery is leased by one host, given to the bind of its key that has most room, and
 *
 * acknowledged (ESME_ROK)      -> deleted
 * refused (any other status)   -> again after a pause that doubles
 * unanswered (time, lost link) -> again at once, to any bind of the key at any host
 * its host is gone             -> again, when another host notices or the lease ends
 *
 * So a client may get one twice, when it was lost on the way of its answer, and never none.
 */
import type { DeliverOutcome, ServerSession } from "@ewebal/smpp";
import type { Deps } from "../../../base/deps.ts";
import { accessLimits, accessTimesMs } from "../access-limits.ts";
import { buildDeliver } from "./build-deliver.ts";
import {
  deleteDeliveries,
  leaseDeliveries,
  putBackDeliveries,
  selectKeysWithDeliveries,
  type LeasedDelivery,
} from "./delivery-store.ts";

export type AccessSession = ServerSession<LeasedDelivery>;

type BoundKey = { userId: string; keyId: string; sessions: Set<AccessSession> };

export class DeliveryPump {
  readonly #deps: Pick<Deps, "db" | "log">;
  readonly #hostId: string;
  readonly #keys = new Map<string, BoundKey>();
  #done: LeasedDelivery[] = [];
  #again: { delivery: LeasedDelivery; delayMs: number }[] = [];
  #running: Promise<void> | undefined;
  #isAsked = false;
  #isStopped = false;
  #writing = Promise.resolve();
  #isWriteScheduled = false;

  constructor(deps: Pick<Deps, "db" | "log">, hostId: string) {
    this.#deps = deps;
    this.#hostId = hostId;
  }

  addSession(key: { userId: string; keyId: string }, session: AccessSession): void {
    const bound = this.#keys.get(key.keyId) ?? { userId: key.userId, keyId: key.keyId, sessions: new Set() };
    bound.sessions.add(session);
    this.#keys.set(key.keyId, bound);
    this.kick();
  }

  removeSession(keyId: string, session: AccessSession): void {
    const bound = this.#keys.get(keyId);
    bound?.sessions.delete(session);
    if (bound?.sessions.size === 0) this.#keys.delete(keyId);
  }

  /** There may be something to give, or somebody with room again. */
  kick(): void {
    this.#isAsked = true;
    if (!this.#isStopped) this.#running ??= this.#run();
  }

  onDelivered(delivery: LeasedDelivery, outcome: DeliverOutcome): void {
    if (outcome.kind === "acknowledged") this.#done.push(delivery);
    else {
      const pauseMs = accessTimesMs.deliverRetry * 2 ** Math.min(10, delivery.tryCount - 1);
      const delayMs = outcome.kind === "refused" ? Math.min(accessTimesMs.deliverRetryMax, pauseMs) : 0;
      this.#again.push({ delivery, delayMs });
    }
    this.#scheduleWrite();
  }

  /** Gives nothing more; what is acknowledged by then is written. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    await this.#write();
  }

  async #run(): Promise<void> {
    while (this.#isAsked && !this.#isStopped) {
      this.#isAsked = false;
      try {
        if (await this.#give()) this.#isAsked = true;
      } catch (error) {
        this.#deps.log.warn({ err: error }, "deliveries to SMPP clients wait");
      }
    }
    this.#running = undefined;
  }

  /** @returns whether there may be more. */
  async #give(): Promise<boolean> {
    const withRoom = [...this.#keys.values()].filter((key) => roomOf(key) > 0);
    if (withRoom.length === 0) return false;
    let isMore = false;
    for (const { userId, keyId } of await selectKeysWithDeliveries(this.#deps.db, withRoom)) {
      const key = this.#keys.get(keyId);
      const limit = key === undefined ? 0 : Math.min(roomOf(key), accessLimits.deliveriesPerClaim);
      if (key === undefined || limit === 0) continue;
      const lease = { hostId: this.#hostId, leaseMs: accessTimesMs.deliveryLease, limit };
      const deliveries = await leaseDeliveries(this.#deps.db, { userId, keyId }, lease);
      for (const delivery of deliveries) this.#giveOne(key, delivery);
      isMore ||= deliveries.length === limit;
    }
    return isMore;
  }

  #giveOne(key: BoundKey, delivery: LeasedDelivery): void {
    const [session] = [...key.sessions]
      .filter((candidate) => candidate.canDeliver())
      .toSorted((one, other) => one.openDeliveries - other.openDeliveries);
    try {
      if (session?.deliver(buildDeliver(delivery), delivery) === true) return;
    } catch (error) {
      // It does not fit SMPP: it never will, and must not stop those behind it.
      this.#deps.log.error(
        { err: error, deliveryId: delivery.deliveryId },
        "a delivery cannot be written and is left out",
      );
      this.#done.push(delivery);
      this.#scheduleWrite();
      return;
    }
    this.onDelivered(delivery, { kind: "unanswered" });
  }

  #scheduleWrite(): void {
    if (this.#isWriteScheduled) return;
    this.#isWriteScheduled = true;
    // Acknowledgements that arrive together are written together.
    setTimeout(() => {
      this.#isWriteScheduled = false;
      this.#writing = this.#write();
    }, WRITE_DELAY_MS);
  }

  async #write(): Promise<void> {
    await this.#writing;
    const done = this.#done.splice(0);
    const again = this.#again.splice(0);
    try {
      for (const [userId, own] of Map.groupBy(done, (delivery) => delivery.userId))
        await deleteDeliveries(
          this.#deps.db,
          userId,
          own.map(({ deliveryId }) => deliveryId),
        );
      for (const [userId, own] of Map.groupBy(again, ({ delivery }) => delivery.userId))
        await putBackDeliveries(
          this.#deps.db,
          userId,
          own.map(({ delivery: { deliveryId }, delayMs }) => ({ deliveryId, delayMs })),
        );
    } catch (error) {
      // Their leases end, and they are given once more.
      this.#deps.log.warn(
        { err: error, deliveries: done.length + again.length },
        "what became of deliveries could not be written",
      );
    }
  }
}

const WRITE_DELAY_MS = 10;

function roomOf({ sessions }: BoundKey): number {
  let room = 0;
  for (const session of sessions) if (session.canDeliver()) room += accessLimits.deliverWindow - session.openDeliveries;
  return room;
}
