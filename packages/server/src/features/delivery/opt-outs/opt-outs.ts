/**
 * Who wants no more messages from a customer. `findOptedOut` is the one decision: every send asks it before it is priced, and every worker
 * for what it claims, so that who opts out meanwhile is left out as well (`claimer.ts`, `dispatcher.ts`).
 */
import { countPages, DEFAULT_RATES, findLongestCode, type OptOutSource } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { cursorError, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { optOutsChanged, publishChange } from "../../../events/index.ts";
import { recordEvents } from "../../../outbox/index.ts";
import { findAnsweredMessage, insertInboxReply } from "../inbound/inbox-store.ts";
import { readWords } from "../inbound/route-inbound.ts";
import { queueMessage } from "../queue/queue-message.ts";
import {
  deleteOptOutAnswer,
  deleteOptOuts,
  hasOptOuts,
  insertOptOutAnswer,
  insertOptOuts,
  selectOptedOut,
  selectOptOutPage,
  type NewOptOuts,
  type OptOut,
} from "./opt-out-store.ts";

/** Numbers that one statement looks up: 0.5 MB of text. */
const LOOKUP_NUMBERS_MAX = 50_000;
/** A customer who imports a longer list knows what stands in it, and is told by none of it. */
const EVENTS_MAX = 1_000;

const STOP_WORDS: ReadonlySet<string> = new Set(["STOP", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "OPTOUT"]);
const START_WORD = "START";
const PHONE_NO = /^[1-9][0-9]{6,14}$/;
/** A time with microseconds, which a Date would lose, and a number. */
const CURSOR = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z)_(\d{1,15})$/;
/** Of the customer's name in the answer, so that it stays one page. */
const NAME_CHARACTERS_MAX = 60;

/**
 * Which of the numbers get nothing from this customer any more. A customer with an empty list costs one look, whatever the numbers.
 *
 * @param phoneNos any amount.
 */
export async function findOptedOut(
  db: Queryable,
  userId: string,
  phoneNos: ArrayLike<number>,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  if (!(await hasOptOuts(db, userId))) return found;
  for (let start = 0; start < phoneNos.length; start += LOOKUP_NUMBERS_MAX) {
    const chunk = Array.prototype.slice.call(phoneNos, start, start + LOOKUP_NUMBERS_MAX) as number[];
    for (const phoneNo of await selectOptedOut(db, userId, chunk)) found.add(phoneNo);
  }
  return found;
}

/** Whether a word, in capitals, ends or begins messages. */
export function isControlWord(word: string): boolean {
  return STOP_WORDS.has(word) || word === START_WORD;
}

type Written = { inboundId: string; fromAddress: string; toAddress: string; body: string };

/**
 * Follows what people wrote to a customer's number: a word of opt-out, alone or first, puts them onto the list, START takes them off.
 * Who opts out is answered once, from the number itself, at nobody's cost.
 */
export async function followControlWords(
  tx: Tx,
  owner: { userId: string; userName: string },
  messages: readonly Written[],
): Promise<void> {
  for (const message of messages) {
    const [word = ""] = readWords(message.body, 1);
    if (!isControlWord(word) || !PHONE_NO.test(message.fromAddress)) continue;
    const { userId } = owner;
    const phoneNo = Number(message.fromAddress);
    if (word === START_WORD) {
      await deleteOptOuts(tx, userId, [phoneNo]);
      await deleteOptOutAnswer(tx, userId, phoneNo);
    } else {
      const messageId = await findAnsweredMessage(tx, userId, message.inboundId);
      await optOut(tx, { userId, phoneNos: [phoneNo], source: "sms", messageId });
      if (await insertOptOutAnswer(tx, userId, phoneNo)) await answer(tx, owner, message, phoneNo);
    }
    await publishChange(tx, optOutsChanged(userId));
  }
}

async function answer(
  tx: Tx,
  { userId, userName }: { userId: string; userName: string },
  { inboundId, fromAddress, toAddress }: Written,
  phoneNo: number,
): Promise<void> {
  const code = findLongestCode(fromAddress, DEFAULT_RATES);
  if (code === undefined) return;
  const name = Array.from(userName).slice(0, NAME_CHARACTERS_MAX).join("");
  const body = `You will get no more messages from ${name}. To get them again, send START.`;
  const messageId = uuidv7();
  const createdAt = new Date();
  await queueMessage(tx, {
    userId,
    messageId,
    userName,
    senderName: toAddress,
    body,
    code,
    phoneNos: [phoneNo],
    pageCount: countPages(body, "flat160"),
    priceMilli: 0,
    holdId: undefined,
    createdAt,
    isOptOutAnswer: true,
  });
  await insertInboxReply(tx, { userId, messageId, personAddress: fromAddress, inboundId });
}

/** Puts numbers onto the list, and tells the customer's programs of those that are new to it. @returns them. */
export async function optOut(tx: Tx, added: NewOptOuts): Promise<number[]> {
  const { userId, source } = added;
  const phoneNos = await insertOptOuts(tx, added);
  if (phoneNos.length <= EVENTS_MAX)
    await recordEvents(tx, {
      userId,
      type: "contact.opted_out",
      data: phoneNos.map((phoneNo) => ({ phoneNo: String(phoneNo), source })),
    });
  return phoneNos;
}

/** @returns how many are new. */
export async function addOptOuts(
  tx: Tx,
  added: { userId: string; phoneNos: readonly number[]; source: OptOutSource },
): Promise<number> {
  let count = 0;
  for (let start = 0; start < added.phoneNos.length; start += LOOKUP_NUMBERS_MAX) {
    const phoneNos = added.phoneNos.slice(start, start + LOOKUP_NUMBERS_MAX);
    count += (await optOut(tx, { ...added, phoneNos })).length;
  }
  await publishChange(tx, optOutsChanged(added.userId));
  return count;
}

/** @returns how many were on the list. */
export async function removeOptOuts(tx: Tx, userId: string, phoneNos: readonly number[]): Promise<number> {
  const removed = await deleteOptOuts(tx, userId, phoneNos);
  await publishChange(tx, optOutsChanged(userId));
  return removed;
}

/**
 * A customer's list, newest first.
 *
 * @param list search is a part of a number; where it begins with 0, it may be the 0 before a Nigerian number.
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listOptOuts(
  db: Queryable,
  list: { userId: string; limit: number; after?: string | undefined; search?: string | undefined },
): Promise<{ rows: OptOut[]; next: string | null }> {
  const digits = list.search?.replaceAll(/[^0-9]/g, "");
  const [, at, phoneNo] = list.after === undefined ? [] : (CURSOR.exec(list.after) ?? []);
  if (list.after !== undefined && (at === undefined || phoneNo === undefined)) throw cursorError();
  const after = at === undefined ? undefined : { at, phoneNo: Number(phoneNo) };
  const page = { userId: list.userId, after, digits: digits === "" ? undefined : digits };
  return await readPage(
    list.limit,
    async (limit) => await selectOptOutPage(db, { ...page, limit }),
    (row) => `${row.at}_${row.phoneNo}`,
  );
}
