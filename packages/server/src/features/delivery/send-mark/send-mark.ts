import { v7 as uuidv7 } from "uuid";
import type { Logger } from "pino";
import type { Db, Queryable } from "../../../db/pool.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { HandedOverMemory, type HandedOver } from "./handed-over.ts";
import { MarkFile } from "./mark-file.ts";
import {
  advanceGeneration,
  hasEpoch,
  holdEverything,
  insertEpoch,
  lockJudgement,
  selectEpoch,
  selectIdentity,
  selectIsOurDatabase,
  updateIdentity,
  writeBackIntents,
  type Epoch,
  type Identity,
  type KnownMark,
} from "./send-mark-store.ts";

/** A worker without a mark file (a new machine, an empty disk) trusts a database in which a worker was active so recently. */
const SILENCE_MS_MAX = 10 * 60_000;

/** The database is not the one that this worker has sent from; nothing may be recorded in it by this worker session. */
export class TimeWentBackError extends Error {
  override readonly name = "TimeWentBackError";
}

/**
 * What tells a worker that time went back: a generation that is moved every second, kept in the database and in the data
 * directory, and which server, timeline and database it was. A restored back-up, a copy, and a standby that was promoted differ in one of them;
 * then everything that may have gone out is held, and a new epoch begins.
 */
export class SendMark {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #file: MarkFile | undefined;
  readonly #memory = new HandedOverMemory();
  #known: KnownMark | undefined;

  /** @param dataDir where the mark is kept beside the database; without one it is in this process alone. */
  constructor(db: Db, log: Logger, dataDir?: string) {
    this.#db = db;
    this.#log = log;
    this.#file = dataDir === undefined ? undefined : new MarkFile(dataDir);
  }

  /** @throws Error before `take`. */
  get known(): KnownMark {
    if (this.#known === undefined) throw new Error("The mark was not taken yet");
    return this.#known;
  }

  /** Intents were committed: from now on their recipients may be handed over. */
  remember(handedOver: HandedOver): void {
    this.#memory.remember(handedOver);
  }

  /**
   * Judges the database before anything is claimed from it. When it is an older one, holds what may have gone out, and writes back what this
   * process handed over lately and the database does not know of.
   */
  async take(): Promise<void> {
    const beside = await this.#file?.read();
    const { mark, reason, heldCount, back } = await withTransaction(this.#db, async (tx) => {
      const judged = await this.#judge(tx, beside);
      // Of several workers one judges; each has handed over what it alone remembers.
      const isAnother = this.#known !== undefined && this.#known.epochId !== judged.mark.epochId;
      return { ...judged, back: isAnother ? await writeBackIntents(tx, this.#memory.all) : undefined };
    });
    if (back !== undefined)
      this.#log.warn(back, "what was handed over and is not recorded will be unknown when its message is released");
    if (heldCount > 0)
      this.#log.error(
        { reason, heldCount },
        "messages are held until an administrator has looked at them: time went back",
      );
    else if (reason !== undefined) this.#log.warn({ reason }, "time went back; no message was waiting");
    this.#known = mark;
    await this.#file?.write(mark);
  }

  /**
   * Moves the generation on, once a second. A recipient that is handed over until the next time is covered by what database and file say now.
   *
   * @returns false when the database is not the one that this worker knows: its session is over, and the next one judges.
   */
  async advance(): Promise<boolean> {
    const generation = await advanceGeneration(this.#db, this.known);
    if (generation === undefined) return false;
    this.#known = { ...this.known, generation };
    this.#memory.forgetOld();
    await this.#file?.write(this.#known);
    return true;
  }

  /** @throws TimeWentBackError when the connection leads to another database than the one that this worker knows. */
  async assertOurs(db: Queryable): Promise<void> {
    if (!(await selectIsOurDatabase(db, this.known)))
      throw new TimeWentBackError("The database is not as this worker left it; nothing is recorded in it");
  }

  async #judge(
    tx: Tx,
    beside: KnownMark | undefined,
  ): Promise<{ mark: KnownMark; reason: string | undefined; heldCount: number }> {
    await lockJudgement(tx);
    const identity = await selectIdentity(tx);
    const epoch = await selectEpoch(tx);
    const known = newest(this.#known, beside);
    const reason = await whyHeld(tx, { epoch, identity, known, isFileKept: this.#file !== undefined });
    if (epoch !== undefined && reason === undefined) {
      const generation = await advanceGeneration(tx, epoch);
      if (generation === undefined) throw new TimeWentBackError("The database changed while it was judged");
      return { mark: { ...toMark(epoch), generation }, reason, heldCount: 0 };
    }
    const mark = {
      installationId: epoch?.installationId ?? uuidv7(),
      epochId: uuidv7(),
      generation: Math.max(epoch?.generation ?? 0, known?.generation ?? 0) + 1,
    };
    const heldCount = reason === undefined ? 0 : await holdEverything(tx);
    await insertEpoch(tx, { ...mark, ...identity, reason: reason ?? "the first worker", heldCount });
    return { mark, reason, heldCount };
  }
}

type Evidence = { epoch: Epoch | undefined; identity: Identity; known: KnownMark | undefined; isFileKept: boolean };

/** @returns in words why time went back; undefined when it did not. */
async function whyHeld(tx: Tx, { epoch, identity, known, isFileKept }: Evidence): Promise<string | undefined> {
  if (epoch === undefined)
    return known === undefined ? undefined : "the database has no mark, and this machine has sent before";
  if (epoch.systemIdentifier !== identity.systemIdentifier) return "the database is on another server than before";
  if (epoch.databaseOid !== identity.databaseOid || epoch.tableOid !== identity.tableOid)
    return "the database was made anew from a copy";
  if (epoch.timeline !== identity.timeline)
    return "the server is a standby that was promoted, or went back to a point in time";
  if (known?.installationId !== epoch.installationId) {
    const isTrusted = !isFileKept || epoch.silentMs <= SILENCE_MS_MAX;
    return isTrusted ? undefined : "nobody has worked on the database for a while, and this machine has no mark of it";
  }
  if (known.epochId !== epoch.epochId)
    return (await hasEpoch(tx, known.epochId)) ? undefined : "the database is from before an earlier restore";
  return known.generation > epoch.generation ? "the database is older than what this machine has sent" : undefined;
}

function toMark({ installationId, epochId, generation }: KnownMark): KnownMark {
  return { installationId, epochId, generation };
}

/** This process knows a mark at least as new as the file's, unless another process of the directory has written the file. */
function newest(own: KnownMark | undefined, beside: KnownMark | undefined): KnownMark | undefined {
  if (own === undefined || beside === undefined) return own ?? beside;
  return beside.generation > own.generation ? beside : own;
}

/**
 * Holds what may have gone out since the back-up, before any worker starts; otherwise the first worker would do it.
 *
 * @param tx the transaction that brings the back-up's rows.
 * @returns how many messages were held.
 */
export async function markRestored(tx: Queryable, reason: string): Promise<number> {
  const epoch = await selectEpoch(tx);
  const heldCount = await holdEverything(tx);
  const mark = {
    installationId: epoch?.installationId ?? uuidv7(),
    epochId: uuidv7(),
    generation: (epoch?.generation ?? 0) + 1,
  };
  await insertEpoch(tx, { ...mark, ...(await selectIdentity(tx)), reason, heldCount });
  return heldCount;
}

/**
 * The rows were moved to this server while nobody worked on them, so no time went back: the epoch goes on, in another place.
 *
 * @param tx the transaction that brings the rows.
 */
export async function markMoved(tx: Queryable): Promise<void> {
  await updateIdentity(tx, await selectIdentity(tx));
}
