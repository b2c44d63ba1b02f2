/**
 * Many sends of one customer in one transaction, for a way in that brings thousands a second (SMPP): the checks, the price and the rows of each are
 * those of a send by itself (`send.ts`), but what they ask of the database is asked once for all, and what they write is written together.
 * A send that is refused does not touch the others.
 */
import assert from "node:assert/strict";
import { AppError } from "../../../base/errors.ts";
import type { Deps } from "../../../base/deps.ts";
import { inheritDistribution } from "../../../db/distribution.ts";
import type { Tx } from "../../../db/transaction.ts";
import { holdUnitsOfAll, readBalance } from "../../../ledger/index.ts";
import type { UnitUse } from "../../accounts/index.ts";
import { queueMessage, queueMessages } from "../../delivery/index.ts";
import { countTowardsDailyLimit, countTowardsUnitCap } from "../limits/daily-limit.ts";
import type { DailyUse } from "../limits/daily-limit-store.ts";
import {
  findListedNumbers,
  type Caller,
  type CheckedMessage,
  type ListedNumbers,
  type SendTime,
} from "./check-send.ts";
import type { SendOutcome } from "./present-send.ts";
import { linkTexts, type PricedRequest } from "./merge-send.ts";
import { tellAccepted } from "./tell-accepted.ts";
import { checkMessage, outcomeOf, publishSent, type TimedRequest } from "./send-message.ts";

export type GroupedSend = {
  /** Merged, or as it was read: then its links are shortened here. */
  request: PricedRequest;
  time: SendTime | undefined;
  /** Who sent it is told what becomes of its recipients. */
  isFollowed: boolean;
  /** It is refused like any other, and not sent: of parts whose message is not complete. */
  isOnlyChecked?: boolean;
};

/** Of a send in a group. `listed`: nobody is left to send to, so nothing was stored. */
export type GroupedOutcome =
  | { kind: "queued"; outcome: SendOutcome }
  | { kind: "checked" }
  | { kind: "listed"; list: "dnd" | "optedOut" }
  | { kind: "refused"; error: AppError };

/**
 * Sends each of them, or refuses it. Of sends that together need more units, or more of a day's recipients, than there are, those that stand first
 * are sent.
 *
 * @param tx open transaction; it locks the customer's account at its end.
 * @param sends without repeats, each to as many recipients as one batch holds.
 * @returns what became of each, in the order given.
 * @throws AppError `UNITS_REQUIRED`, `LIMIT_REACHED` when somebody else has taken meanwhile what the checks found free: nothing may be kept then,
 * and the same group is tried again.
 */
export async function sendGroup(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  sends: readonly GroupedSend[],
): Promise<GroupedOutcome[]> {
  if (sends.length === 0) return [];
  const { userId } = caller;
  const numbers = sends.flatMap(({ request }) => Array.from(request.recipients.valid));
  const listed = await findListedNumbers(tx, userId, numbers);
  // All of them are sent at one moment: a price that was asked for the last millisecond would be asked again.
  const now = deps.clock.now();
  const group = new CheckedGroup({ ...deps, clock: { now: () => now } }, rememberReads(tx), caller, listed);
  const outcomes: (GroupedOutcome | Accepted)[] = [];
  for (const send of sends) outcomes.push(await group.check(send));
  const messages = group.accepted.map(({ message }) => message);
  await queueMessages(
    tx,
    userId,
    messages.filter(({ merge }) => merge === undefined),
  );
  for (const message of messages) if (message.merge !== undefined) await queueMessage(tx, message);
  for (const use of group.dailyUses) await countTowardsDailyLimit(tx, use);
  await countTowardsUnitCap(tx, group.unitUse);
  const holds = group.accepted.flatMap(({ message: { holdId }, checked: { price } }) =>
    holdId === undefined ? [] : [{ holdId, amountMilli: price.chargeMilli }],
  );
  const { freeMilli } =
    holds.length === 0 ? await readBalance(tx, userId) : await holdUnitsOfAll(tx, { userId, holds });
  await publishSent(tx, userId, messages);
  const answers = outcomes.map((outcome): GroupedOutcome => {
    if ("kind" in outcome) return outcome;
    return { kind: "queued", outcome: outcomeOf(outcome.send, outcome, freeMilli) };
  });
  const queued = answers.flatMap((answer) => (answer.kind === "queued" ? [answer.outcome] : []));
  await tellAccepted(tx, group.accepted, queued);
  return answers;
}

type Accepted = CheckedMessage & { send: TimedRequest };

/** The sends of a group that passed so far, and what they take: it counts for those behind them. */
class CheckedGroup {
  readonly #deps: Deps;
  readonly #reads: Tx;
  readonly #caller: Caller;
  readonly #listed: ListedNumbers;
  readonly #dailyUses = new Map<string, DailyUse>();
  #heldMilli = 0;
  /** Of all that passed: each is checked on top of those before it. */
  unitUse: UnitUse | undefined;
  readonly accepted: Accepted[] = [];

  constructor(deps: Deps, reads: Tx, caller: Caller, listed: ListedNumbers) {
    this.#deps = deps;
    this.#reads = reads;
    this.#caller = caller;
    this.#listed = listed;
  }

  /** One for each country, of all that passed. */
  get dailyUses(): DailyUse[] {
    return [...this.#dailyUses.values()].toSorted((one, other) => (one.code < other.code ? -1 : 1));
  }

  async check({ request, time, isFollowed, isOnlyChecked }: GroupedSend): Promise<GroupedOutcome | Accepted> {
    const countedRecipients = this.#dailyUses.get(request.code)?.recipients ?? 0;
    const { publicUrl, pageRule } = this.#deps.config;
    try {
      const links = { publicUrl, hasOptOutLink: false };
      const isMade = request.merged !== undefined;
      const send = { request: isMade ? request : linkTexts(request, links, pageRule), time };
      const checked = await checkMessage(this.#deps, this.#reads, this.#caller, send, {
        listed: this.#listed,
        // What those before it take is taken from what it finds free.
        taken: { heldMilli: -this.#heldMilli, countedRecipients: -countedRecipients },
      });
      const { price, dailyUse, unitUse } = checked.checked;
      if (price.chargedCount === 0) return { kind: "listed", list: price.dndPhoneNos.size > 0 ? "dnd" : "optedOut" };
      if (isOnlyChecked === true) return { kind: "checked" };
      this.#heldMilli += price.chargeMilli;
      this.#dailyUses.set(dailyUse.code, dailyUse);
      this.unitUse = unitUse;
      const { message } = checked;
      if (isFollowed) message.followers = [...(message.followers ?? []), "smpp"];
      const accepted = { ...checked, send };
      this.accepted.push(accepted);
      return accepted;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { kind: "refused", error };
    }
  }
}

const READ = /^\s*select\b/i;

/** A transaction that answers a read that it was asked before from memory: the checks of many sends ask the same. It refuses to write. */
function rememberReads(tx: Tx): Tx {
  // Looked up by the statement's text first, then by its values: a key joined of both would hash the long text anew at each read.
  const answers = new Map<string, Map<string, unknown>>();
  const query = (statement: string | { text: string; values?: unknown[] }, values?: unknown[]): unknown => {
    const text = typeof statement === "string" ? statement : statement.text;
    let byValues = answers.get(text);
    if (byValues === undefined) {
      assert(READ.test(text), "the checks of a group only read");
      byValues = new Map();
      answers.set(text, byValues);
    }
    const key = JSON.stringify(values ?? (typeof statement === "string" ? [] : statement.values));
    const known = byValues.get(key);
    if (known !== undefined) return known;
    const answer = tx.query(statement, values);
    byValues.set(key, answer);
    return answer;
  };
  // The brand exists for the compiler only.
  const reads = { query } as unknown as Tx;
  inheritDistribution(reads, tx);
  return reads;
}
