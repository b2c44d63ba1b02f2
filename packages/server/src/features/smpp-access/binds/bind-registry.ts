/**
 * Who is bound, across hosts. A host holds a lock for as long as it lives, so that the binds of one that was killed are free at once, and a client
 * that comes back finds room.
 *
 * host   registered (row and lock) -> beats every two seconds -> struck off by itself, or by another host when it is gone
 * bind   added (counted under the key's lock) -> removed when its connection ends
 */
import { randomInt } from "node:crypto";
import type { PoolClient } from "pg";
import type { BindRole } from "@ewebal/smpp";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { accessTimesMs } from "../access-limits.ts";
import {
  countBinds,
  deleteBind,
  deleteHosts,
  deleteOtherBinds,
  insertBind,
  lockGoneHosts,
  lockKeyBinds,
  takeHostLock,
  upsertHost,
  type StoredBind,
} from "./bind-store.ts";

export type BoundKey = { keyId: string; userId: string; binds: number | null };

export class BindRegistry {
  readonly hostId = uuidv7();
  readonly #lockKey = randomInt(1, 2 ** 31);
  readonly #deps: Pick<Deps, "db" | "log">;
  readonly #binds = new Map<string, StoredBind>();
  #session: PoolClient | undefined;
  /** Binds that have ended and are being struck off. */
  readonly #removals = new Set<Promise<void>>();

  constructor(deps: Pick<Deps, "db" | "log">) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    // The lock first: a row without one would be taken for a dead host's.
    await this.#holdLock();
    await upsertHost(this.#deps.db, { hostId: this.hostId, lockKey: this.#lockKey });
    await this.#strikeOffGone(accessTimesMs.hostBeat);
  }

  /** @returns the bind's id; undefined when the key has as many as it may. */
  async add(key: BoundKey, role: BindRole, remoteAddress: string): Promise<string | undefined> {
    const { userId, keyId, binds } = key;
    const bind = { userId, bindId: uuidv7(), keyId, hostId: this.hostId, role, remoteAddress };
    const isAdded = await withTransaction(this.#deps.db, async (tx) => {
      await lockKeyBinds(tx, keyId);
      const hasRoom = async (): Promise<boolean> => binds === null || (await countBinds(tx, key)) < binds;
      if (!(await hasRoom())) {
        // Some may be those of a host that was killed a moment ago.
        await strikeOff(tx, this.hostId, 0);
        if (!(await hasRoom())) return false;
      }
      await insertBind(tx, bind);
      return true;
    });
    if (isAdded) this.#binds.set(bind.bindId, bind);
    return isAdded ? bind.bindId : undefined;
  }

  /** A failure is made up for by the next beat. */
  remove(bindId: string): void {
    const bind = this.#binds.get(bindId);
    if (bind === undefined) return;
    this.#binds.delete(bindId);
    const removal = this.#strikeOffBind(bind).finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }

  async #strikeOffBind(bind: StoredBind): Promise<void> {
    try {
      await deleteBind(this.#deps.db, bind);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "a bind that has ended is struck off later");
    }
  }

  async beat(): Promise<void> {
    if (this.#session === undefined) await this.#holdLock();
    const wasKnown = await upsertHost(this.#deps.db, { hostId: this.hostId, lockKey: this.#lockKey });
    // Struck off while it lived: its binds are still connected.
    if (!wasKnown) for (const bind of this.#binds.values()) await insertBind(this.#deps.db, bind);
    await deleteOtherBinds(this.#deps.db, this.hostId, [...this.#binds.keys()]);
    await this.#strikeOffGone(2 * accessTimesMs.hostBeat);
  }

  async close(): Promise<void> {
    await Promise.all(this.#removals);
    try {
      await withTransaction(this.#deps.db, (tx) => deleteHosts(tx, [this.hostId]));
    } finally {
      this.#session?.release(true);
      this.#session = undefined;
    }
  }

  async #strikeOffGone(seenBefore: number): Promise<void> {
    const gone = await withTransaction(this.#deps.db, (tx) => strikeOff(tx, this.hostId, seenBefore), {
      repeatable: true,
    });
    if (gone.length > 0) this.#deps.log.warn({ hostIds: gone }, "took over from SMPP hosts that are gone");
  }

  async #holdLock(): Promise<void> {
    const session = await this.#deps.db.connect();
    const drop = (error?: Error): void => {
      if (this.#session !== session) return;
      this.#session = undefined;
      session.release(error ?? true);
    };
    this.#session = session;
    session.on("error", drop);
    session.on("end", () => drop());
    await takeHostLock(session, this.#lockKey);
  }
}

async function strikeOff(tx: Tx, ownHostId: string, seenBefore: number): Promise<string[]> {
  const gone = await lockGoneHosts(tx, ownHostId, { seenBefore, goneAfter: accessTimesMs.hostGone });
  if (gone.length > 0) await deleteHosts(tx, gone);
  return gone;
}
