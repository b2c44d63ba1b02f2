import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { AppError } from "../../../base/errors.ts";
import { toMessages, type Message } from "../lists/list-messages.ts";
import { tellSkipped } from "../feed/report-feed.ts";
import { giveUpMessage, startBatches } from "../queue/manage-message.ts";
import { selectAwaitingApproval, selectHeldMessages, selectReviews } from "../lists/waiting-message-store.ts";
import { updateMessageState } from "../queue/message-store.ts";
import { messageStateName, messageStateNumbers } from "../states.ts";
import { findMessageOwner, lockHeldMessage, type LockedHeld, updateApproved } from "./send-mark-store.ts";

export type HeldMessage = Message & { heldAt: Date; heldFrom: "scheduled" | "sending" | "paused" };

/**
 * Lists the held messages of all customers, newest first: an administrator decides on each.
 *
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listHeldMessages(
  db: Queryable,
  page: { limit: number; after?: string | undefined },
): Promise<{ rows: HeldMessage[]; next: string | null }> {
  assertIdCursor(page.after);
  const { rows, next } = await readPage(
    page.limit,
    (limit) => selectHeldMessages(db, { limit, beforeId: page.after }),
    (row) => row.messageId,
  );
  const messages = await toMessages(db, rows);
  const held = rows.flatMap(({ heldAt, heldFrom }, index): HeldMessage[] => {
    const message = messages[index];
    return message === undefined ? [] : [{ ...message, heldAt, heldFrom: stateBefore(heldFrom) }];
  });
  return { rows: held, next };
}

/** A message that an administrator is to look at before it is sent. `createdAt` is when it came to wait. */
export type Review = Message & { note: string; isTest: boolean };

/**
 * Lists the messages in review of all customers, newest first.
 *
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listReviews(
  db: Queryable,
  page: { limit: number; after?: string | undefined },
): Promise<{ rows: Review[]; next: string | null }> {
  assertIdCursor(page.after);
  const { rows, next } = await readPage(
    page.limit,
    (limit) => selectReviews(db, { limit, beforeId: page.after }),
    (row) => row.messageId,
  );
  const messages = await toMessages(db, rows);
  const reviews = rows.flatMap(({ note, heldAt, isTest }, index): Review[] => {
    const message = messages[index];
    return message === undefined ? [] : [{ ...message, note, isTest, createdAt: heldAt }];
  });
  return { rows: reviews, next };
}

/**
 * Releases a held message, or one in review: it is sending, paused or scheduled again, as it was (a scheduled one starts at once, because its time has come).
 * Recipients with a recorded intent and no answer become unknown; the others are sent to.
 *
 * @returns whose message it is.
 * @throws AppError `NOT_FOUND`; `ALREADY_DECIDED`; `STATE_CONFLICT` when it was never held.
 */
export async function releaseMessage(tx: Tx, messageId: string, now: Date): Promise<Decided> {
  const message = await getHeld(tx, messageId);
  const key = { userId: message.userId, messageId };
  const wasReview = message.state === messageStateNumbers.review;
  if (message.heldFrom !== messageStateNumbers.sending) {
    await updateMessageState(tx, key, message.heldFrom, now);
    return { ...key, wasReview };
  }
  // Followers of a message that had begun before it was held were told when it began.
  const skippedCount = wasReview ? message.recipientCount - message.waiting : 0;
  await tellSkipped(tx, key.userId, [{ ...key, ...message, skippedCount }]);
  await startBatches(tx, key, message, now);
  return { ...key, wasReview };
}

/**
 * Refuses a held message: recipients that wait are cancelled, and their units are released.
 *
 * @param tx locks the customer's account; do nothing that locks after it.
 * @returns whose message it is.
 * @throws AppError as `releaseMessage`.
 */
export async function refuseMessage(tx: Tx, messageId: string, now: Date): Promise<Decided> {
  const message = await getHeld(tx, messageId);
  const key = { userId: message.userId, messageId };
  await giveUpMessage(tx, key, { ...message, state: message.heldFrom }, now);
  return { ...key, wasReview: message.state === messageStateNumbers.review };
}

/** Whose message was decided about, and whether it had not been sent before. */
type Decided = { userId: string; wasReview: boolean };

/** For administrators, who look at a message when its approver has. */
async function getHeld(tx: Tx, messageId: string): Promise<LockedHeld & { heldFrom: number }> {
  const userId = await findMessageOwner(tx, messageId);
  const message = userId === undefined ? undefined : await lockHeldMessage(tx, { userId, messageId });
  const held = assertHeld(message);
  if (held.awaitsApproval)
    throw new AppError("STATE_CONFLICT", {
      message: "An approver of the customer's team decides on this message first",
    });
  return held;
}

function assertHeld(message: LockedHeld | undefined): LockedHeld & { heldFrom: number } {
  if (message === undefined) throw new AppError("NOT_FOUND");
  const { heldFrom } = message;
  if (heldFrom === null)
    throw new AppError("STATE_CONFLICT", {
      message: "This message is not held",
      extra: { state: messageStateName(message.state, message.waiting) },
    });
  if (message.state !== messageStateNumbers.held && message.state !== messageStateNumbers.review)
    throw new AppError("ALREADY_DECIDED");
  return { ...message, heldFrom };
}

/** A member's message that waits for an approver. `createdAt` is when it came to wait. */
export type AwaitingApproval = Message;

/**
 * Lists what of an account waits for an approver, newest first.
 *
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listAwaitingApproval(
  db: Queryable,
  userId: string,
  page: { limit: number; after?: string | undefined },
): Promise<{ rows: AwaitingApproval[]; next: string | null }> {
  assertIdCursor(page.after);
  const { rows, next } = await readPage(
    page.limit,
    (limit) => selectAwaitingApproval(db, userId, { limit, beforeId: page.after }),
    (row) => row.messageId,
  );
  const messages = await toMessages(db, rows);
  return {
    rows: messages.map((message, index) => ({ ...message, createdAt: rows[index]?.heldAt ?? message.createdAt })),
    next,
  };
}

/** What an approver of the account decides on, and who they are. */
export type ApproverDecision = { userId: string; messageId: string; approverId: string };

/**
 * Lets a member's message go: it is sending or scheduled, unless an administrator is to look at it, too.
 *
 * @returns the member who sent it, and whether it goes out now.
 * @throws AppError `NOT_FOUND`; `ALREADY_DECIDED`; `SAME_PERSON` for who sent it.
 */
export async function approveMessage(
  tx: Tx,
  decision: ApproverDecision,
  now: Date,
): Promise<{ sentBy: string | null; isReleased: boolean; senderName: string }> {
  const message = await getAwaiting(tx, decision);
  await updateApproved(tx, decision, decision.approverId);
  const isReleased = message.reviewNote === null;
  if (isReleased && message.heldFrom === messageStateNumbers.sending) await startBatches(tx, decision, message, now);
  else if (isReleased) await updateMessageState(tx, decision, message.heldFrom, now);
  return { sentBy: message.sentBy, isReleased, senderName: message.senderName };
}

/**
 * Refuses a member's message: recipients are cancelled, and their units are released.
 *
 * @param tx locks the customer's account; do nothing that locks after it.
 * @throws AppError as `approveMessage`.
 */
export async function declineMessage(
  tx: Tx,
  decision: ApproverDecision,
  now: Date,
): Promise<{ sentBy: string | null; senderName: string }> {
  const message = await getAwaiting(tx, decision);
  await updateApproved(tx, decision, decision.approverId);
  await giveUpMessage(tx, decision, { ...message, state: message.heldFrom }, now);
  return { sentBy: message.sentBy, senderName: message.senderName };
}

async function getAwaiting(
  tx: Tx,
  { approverId, ...key }: ApproverDecision,
): Promise<LockedHeld & { heldFrom: number }> {
  const message = await lockHeldMessage(tx, key);
  if (message === undefined || message.heldFrom === null) throw new AppError("NOT_FOUND");
  const held = assertHeld(message);
  if (!held.awaitsApproval) throw new AppError("ALREADY_DECIDED");
  if (held.sentBy === approverId)
    throw new AppError("SAME_PERSON", { message: "You sent this message, so another approver has to decide on it" });
  return held;
}

function stateBefore(state: number): HeldMessage["heldFrom"] {
  if (state === messageStateNumbers.scheduled) return "scheduled";
  return state === messageStateNumbers.paused ? "paused" : "sending";
}
