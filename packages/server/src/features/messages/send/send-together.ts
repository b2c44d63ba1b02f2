/**
 * Sends of programs that arrive while an earlier one of the same customer is written wait for it and are then written together: one transaction and
 * one commit for all of them. A thousand calls a second for one number each would otherwise take a thousand turns at the customer's row.
 *
 * A lone send, a repeat of an earlier one, a send to nobody, and everybody of a group that did not come off is sent alone (`send.ts`), by the
 * same checks and writes; what a group has not committed has not happened.
 */
import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Deps } from "../../../base/deps.ts";
import { keepAnswers, listKeptKeys } from "../../../db/idempotency.ts";
import { SharedWork } from "../../../http/bounds/shared-work.ts";
import { CommitUnknownError, withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Caller } from "./check-send.ts";
import { keptSends, type SendOutcome } from "./present-send.ts";
import { sendGroup, type GroupedOutcome } from "./send-group.ts";
import type { SendKey, TimedRequest } from "./send-message.ts";

/** The web server's one thread works some 20 ms for a group, between answers to others. */
const GROUP_MAX = 100;
/**
 * While one group is written the next one is checked, and then waits at the customer's row. When both need something that is there for one of them
 * alone, such as the last units, the later group gives up and its sends are sent one by one.
 */
const GROUPS_AT_ONCE_MAX = 2;
/** As many as may wait alone; see `send.ts`. */
const WAITING_MAX = 2_000;

/** A live send that may be one of a group. `alone` sends it by itself. */
export type ProgramSend = TimedRequest & { caller: Caller; keyed: SendKey; alone: (tx: Tx) => Promise<SendOutcome> };

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;
export type SendTogether = (send: ProgramSend) => Promise<SendOutcome>;

/** @param inTurn does the work when a place for a transaction is free. */
export function createSendTogether(deps: Deps, inTurn: InTurn): SendTogether {
  const sends = new SharedWork<ProgramSend, SendOutcome>({
    itemsMax: GROUP_MAX,
    worksMax: GROUPS_AT_ONCE_MAX,
    waitingMax: WAITING_MAX,
    // The group takes along what this turn of the event loop still reads of the customer's connections, and what comes while all places are taken.
    inTurn: async (work) => {
      await nextTurn();
      await inTurn(work);
    },
    work: async (group) => await sendAll(deps, inTurn, group),
  });
  return async (send) => await sends.ask(send.caller.userId, send);
}

async function sendAll(
  deps: Deps,
  inTurn: InTurn,
  group: readonly ProgramSend[],
): Promise<(SendOutcome | Promise<SendOutcome>)[]> {
  const [first] = group;
  assert(first !== undefined);
  if (group.length === 1) return [await sendAlone(deps, first)];
  const outcomes = await writeOrGiveUp(deps, group);
  return group.map((send) => {
    const outcome = outcomes.get(send);
    if (outcome?.kind === "queued") return outcome.outcome;
    if (outcome?.kind === "refused") return Promise.reject(outcome.error);
    // Nobody waits for this promise here, so the group gives its place back before the send takes one of its own.
    return inTurn(async () => await sendAlone(deps, send));
  });
}

/**
 * A group takes the customer's turn and then its keys, a send by itself its key and then the turn: where both have the same key, PostgreSQL ends one
 * of them, and the send is done again.
 */
async function sendAlone(deps: Deps, { alone }: ProgramSend): Promise<SendOutcome> {
  return await withTransaction(deps.db, alone, { repeatable: true });
}

type Outcomes = ReadonlyMap<ProgramSend, GroupedOutcome>;

/** @throws CommitUnknownError: alone, some might be sent a second time. */
async function writeOrGiveUp(deps: Deps, group: readonly ProgramSend[]): Promise<Outcomes> {
  try {
    return await withTransaction(deps.db, async (tx) => await writeGroup(deps, tx, group));
  } catch (error) {
    if (error instanceof CommitUnknownError) throw error;
    deps.log.info({ err: error, count: group.length }, "sends were not written together; each is sent alone");
    return new Map();
  }
}

/**
 * @returns what became of those whose keys are new.
 * @throws AppError where somebody took meanwhile what the group needs, also one of its keys: then nothing may be kept.
 */
async function writeGroup(deps: Deps, tx: Tx, group: readonly ProgramSend[]): Promise<Outcomes> {
  const [first] = group;
  assert(first !== undefined);
  const { userId } = first.caller;
  const keys = group.flatMap(({ keyed: { scope, key } }) => (key === undefined ? [] : [{ scope, key }]));
  const taken = await listKeptKeys(tx, userId, keys);
  const sends = group.filter(({ keyed: { scope, key } }) => {
    if (key === undefined) return true;
    const name = `${scope} ${key}`;
    const isNew = !taken.has(name);
    taken.add(name);
    return isNew;
  });
  if (sends.length === 0) return new Map();
  const found = await sendGroup(
    deps,
    tx,
    first.caller,
    sends.map(({ request, time }) => ({ request, time, isFollowed: false })),
  );
  const outcomes = new Map(sends.map((send, index) => [send, found[index] as GroupedOutcome]));
  const answers = [...outcomes].flatMap(([{ keyed }, outcome]) => {
    const { scope, key, fingerprint } = keyed;
    if (key === undefined || outcome.kind !== "queued") return [];
    return [{ scope, key, fingerprint, answer: keptSends.write(outcome.outcome) }];
  });
  await keepAnswers(tx, userId, answers);
  return outcomes;
}
