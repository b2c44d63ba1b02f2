/**
 * Texts and numbers that were kept long enough, and those of a customer who is erased. What a message cost and how many it reached stays; where a
 * text stood it reads `TEXT_NOT_KEPT`, and recipients read `notKept`.
 *
 * A night goes on behind the last message that it removed something of. It stops before the first in which somebody waits, which the next night
 * looks at again; what lies behind that one is removed all the same.
 */
import type { Deps } from "../../../base/deps.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { messageCancelled, publishChange } from "../../../events/index.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import { giveUpMessage } from "../queue/manage-message.ts";
import { lockMessage } from "../queue/message-store.ts";
import { messageStateName, smallestIdOf } from "../states.ts";
import {
  type KeptKind,
  type MessageKey,
  type PassedMessage,
  readRetentionPoint,
  removeInboxRow,
  removeInboxTexts,
  removeNames,
  removeNobodysInbox,
  removeNumbers,
  removeTexts,
  saveRetentionPoint,
  selectMessagesOf,
  selectOpenMessages,
  selectPassedInbox,
  selectPassedMessages,
  selectUnfinished,
} from "./forget-store.ts";

const DAY_MS = 24 * 3_600_000;
const MESSAGES_AT_A_TIME = 200;
const OPEN_MESSAGES_PER_READ = 100;

type ForgetDeps = Pick<Deps, "db" | "clock" | "log" | "config">;

/** Every night at 03:07 UTC, after the months, when one of the two settings is there. */
export const keepDaysQueue: JobQueue = {
  name: "keep-days",
  retriesMax: 2,
  retryDelaySeconds: 600,
  retryDelaySecondsMax: 3_600,
  runSecondsMax: 12 * 3_600,
  concurrency: 2,
  cron: "7 3 * * *",
  handle: async (deps) => await removeOldTextsAndNumbers(deps),
};

/** Removes what is older than `KEEP_TEXTS_DAYS` and `KEEP_NUMBERS_DAYS`. */
export async function removeOldTextsAndNumbers(deps: ForgetDeps): Promise<void> {
  for (const kind of ["texts", "numbers"] as const) {
    const days = deps.config.keepDays[kind];
    if (days === undefined) continue;
    const before = new Date(deps.clock.now().getTime() - days * DAY_MS);
    const messages = await removeOfMessages(deps, kind, before);
    await removeOfInbox(deps, kind, before);
    if (messages > 0) deps.log.info({ kind, messages }, "removed what was kept long enough");
  }
}

async function removeOfMessages({ db }: ForgetDeps, kind: KeptKind, before: Date): Promise<number> {
  let after = (await readRetentionPoint(db, kind)) ?? smallestIdOf(0);
  let isPointHeld = false;
  let count = 0;
  for (;;) {
    const page = await selectPassedMessages(db, {
      after,
      before: smallestIdOf(before.getTime()),
      limit: MESSAGES_AT_A_TIME,
    });
    if (page.length === 0) return count;
    const unfinished = await selectUnfinished(db, page);
    // Of one that went on later, for having been paused, reports may still come.
    const isPassed = ({ messageId, stateAt }: PassedMessage) => stateAt < before && !unfinished.has(messageId);
    const passed = page.filter(isPassed);
    await remove(db, kind, passed);
    count += passed.length;
    const firstKept = page.findIndex((message) => !isPassed(message));
    const last = firstKept === -1 ? page.at(-1) : page[firstKept - 1];
    if (!isPointHeld && last !== undefined) await saveRetentionPoint(db, kind, last.messageId);
    isPointHeld ||= firstKept !== -1;
    after = page.at(-1)?.messageId ?? after;
  }
}

async function remove(db: ForgetDeps["db"], kind: KeptKind, messages: readonly PassedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  if (kind === "texts") await removeTexts(db, messages);
  else for (const message of messages) await removeNumbers(db, message);
}

async function removeOfInbox({ db }: ForgetDeps, kind: KeptKind, before: Date): Promise<void> {
  for (;;) {
    const rows = await selectPassedInbox(db, smallestIdOf(before.getTime()), kind);
    if (rows.length === 0) break;
    if (kind === "texts") await removeInboxTexts(db, rows);
    else for (const row of rows) await withTransaction(db, (tx) => removeInboxRow(tx, row));
  }
  await removeNobodysInbox(db, before, kind);
}

/**
 * Removes texts, numbers and names of all messages of a customer, some hundred at a time.
 *
 * @throws Error while somebody waits in one of them, or an answer is not settled: the caller tries again later.
 */
export async function eraseMessagesOf({ db }: Pick<Deps, "db">, userId: string): Promise<void> {
  let after = smallestIdOf(0);
  for (;;) {
    const page = await selectMessagesOf(db, { userId, after, limit: MESSAGES_AT_A_TIME });
    if (page.length === 0) return;
    if ((await selectUnfinished(db, page)).size > 0) throw new Error("messages of the customer are not at their end");
    await removeTexts(db, page);
    await removeNames(db, page);
    for (const message of page) await removeNumbers(db, message);
    after = page.at(-1)?.messageId ?? after;
  }
}

/**
 * Cancels everything of a customer that waits: scheduled, running, paused, held and in review, hidden ones too. Each is a transaction of its own;
 * one that was cancelled stays so when a run ends in between.
 */
export async function cancelMessagesOf({ db, clock }: Pick<Deps, "db" | "clock">, userId: string): Promise<void> {
  let after = smallestIdOf(0);
  for (;;) {
    const messageIds = await selectOpenMessages(db, { userId, after, limit: OPEN_MESSAGES_PER_READ });
    for (const messageId of messageIds)
      await withTransaction(db, (tx) => cancelAny(tx, { userId, messageId }, clock.now()));
    if (messageIds.length < OPEN_MESSAGES_PER_READ) return;
    after = messageIds.at(-1) ?? after;
  }
}

async function cancelAny(tx: Tx, key: MessageKey, now: Date): Promise<void> {
  const message = await lockMessage(tx, { ...key, hasHidden: true });
  if (message === undefined) return;
  const state = messageStateName(message.state, message.waiting);
  if (state === "cancelled" || state === "done") return;
  await giveUpMessage(tx, key, message, now);
  await publishChange(tx, messageCancelled(key));
}
