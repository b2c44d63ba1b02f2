/**
 * From a bind to an answer: the submits of one customer gather while the group before them commits, so that groups are small when little happens
 * and hundreds of submits under load. One group of a customer is in work at a time, as the customer's account is locked once for each anyway;
 * several customers' are.
 *
 * waiting -> in a group -> answered after its commit
 *                       -> again in a smaller group, when what the checks found free was spent meanwhile, or a group fails for a reason of ours
 *                       -> left without an answer, with its connection, when nobody can know whether the group has committed
 */
import { commandStatus, type IncomingSubmit } from "@ewebal/smpp";
import { AppError } from "../../../base/errors.ts";
import type { Deps } from "../../../base/deps.ts";
import { isConnectionLost } from "../../../db/sql-state.ts";
import { CommitUnknownError, withTransaction } from "../../../db/transaction.ts";
import type { ReadRates } from "../../rates/index.ts";
import { accessLimits } from "../access-limits.ts";
import { statusOfError } from "../command-statuses.ts";
import type { SubmitAnswer } from "../command-statuses.ts";
import { acceptGroup, type OpenSubmit } from "./submit-group.ts";

export type QueuedSubmit = OpenSubmit & {
  /** Ends the connection that the submit came by. */
  drop: () => void;
};

/** A customer's submits by live keys, or by test keys: a group is of one mode. */
type Customer = { name: string; userId: string; waiting: QueuedSubmit[] };

export class SubmitQueue {
  readonly #deps: Deps;
  readonly #readRates: ReadRates;
  /** Those with submits that wait or are in work. */
  readonly #customers = new Map<string, Customer>();
  /** Whose next group may begin, in order. */
  readonly #ready: Customer[] = [];
  #groupCount = 0;
  #isScheduled = false;
  #idle: (() => void)[] = [];

  constructor(deps: Deps, readRates: ReadRates) {
    this.#deps = deps;
    this.#readRates = readRates;
  }

  add(queued: QueuedSubmit): void {
    const { userId, mode } = queued.key;
    const name = `${userId} ${mode}`;
    const customer = this.#customers.get(name);
    if (customer !== undefined) {
      customer.waiting.push(queued);
      return;
    }
    const added = { name, userId, waiting: [queued] };
    this.#customers.set(name, added);
    this.#ready.push(added);
    if (this.#isScheduled) return;
    // At the end of the turn: what one read brought goes together.
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begin();
    });
  }

  /** Resolves when everything that was added is answered. */
  async settled(): Promise<void> {
    if (this.#customers.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #begin(): void {
    while (this.#groupCount < accessLimits.groupsAtOnce) {
      const customer = this.#ready.shift();
      if (customer === undefined) return;
      this.#groupCount += 1;
      void this.#work(customer);
    }
  }

  async #work(customer: Customer): Promise<void> {
    const group = customer.waiting.splice(0, accessLimits.submitsPerGroup);
    await this.#do(customer.userId, group);
    this.#groupCount -= 1;
    if (customer.waiting.length > 0) this.#ready.push(customer);
    else this.#customers.delete(customer.name);
    this.#begin();
    if (this.#customers.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Never rejects: whatever happens, each submit is answered or its connection ends. */
  async #do(userId: string, group: readonly QueuedSubmit[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        const rates = await this.#readRates();
        const answers = await withTransaction(
          this.#deps.db,
          (tx) => acceptGroup(this.#deps, tx, { userId, rates }, group),
          { repeatable: true },
        );
        for (const [index, { submit }] of group.entries()) give(submit, answers[index]);
        return;
      } catch (error) {
        if (error instanceof CommitUnknownError) {
          this.#deps.log.warn(
            { err: error, submits: group.length },
            "submits stay unanswered: nobody knows whether they are kept",
          );
          for (const { drop } of group) drop();
          return;
        }
        const isSpent = error instanceof AppError;
        // A key that somebody used meanwhile has its answer now.
        const isAnswered = isSpent && error.code === "IDEMPOTENCY_CONFLICT";
        if (isSpent && (group.length > 1 || isAnswered) && tries < accessLimits.groupTriesMax) continue;
        if (group.length === 1 || (!isSpent && isConnectionLost(error))) {
          this.#refuse(group, error);
          return;
        }
        break;
      }
    }
    // One by one: what fails, fails alone.
    for (const queued of group) await this.#do(userId, [queued]);
  }

  #refuse(group: readonly QueuedSubmit[], error: unknown): void {
    const status = error instanceof AppError ? statusOfError(error) : commandStatus.ESME_RSYSERR;
    if (!(error instanceof AppError))
      this.#deps.log.error({ err: error, submits: group.length }, "submits could not be kept and are refused");
    for (const { submit } of group) submit.refuse(status);
  }
}

function give(submit: IncomingSubmit, answer: SubmitAnswer | undefined): void {
  if (answer?.kind === "accepted") submit.accept(writeSubmitId(answer.submitId));
  else submit.refuse(answer?.status ?? commandStatus.ESME_RSYSERR);
}

/** Of ids in answers and receipts: hexadecimal digits alone, which every client keeps as they are. */
export function writeSubmitId(submitId: string): string {
  return submitId.replaceAll("-", "");
}

/** @returns undefined for a text that is none of our ids. */
export function readSubmitId(text: string): string | undefined {
  const match = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i.exec(text);
  return match?.slice(1).join("-").toLowerCase();
}
