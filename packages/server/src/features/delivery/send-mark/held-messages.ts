import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { AppError } from "../../../base/errors.ts";
import { toMessage, type Message } from "../lists/list-messages.ts";
import { giveUpMessage, startBatches } from "../queue/manage-message.ts";
import { selectHeldMessages } from "../lists/message-list-store.ts";
import { updateMessageState } from "../queue/message-store.ts";
import { messageStateName, messageStateNumbers } from "../states.ts";
import { lockHeldMessage, type LockedHeld } from "./held-store.ts";

export type HeldMessage = Message & { heldAt: Date; heldFrom: "scheduled" | "sending" | "paused" };

/**
 * Messages that an administrator has to decide on, those of all customers, newest first.
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
  return {
    rows: rows.map((row) => ({ ...toMessage(row), heldAt: row.heldAt, heldFrom: stateBefore(row.heldFrom) })),
    next,
  };
}

/**
 * Lets a held message go on as what it was: sending, paused, or scheduled (then it starts at once, because its time has come).
 * Recipients for whom an intent was recorded, and no answer, become unknown; the others are sent.
 *
 * @returns whose message it is.
 * @throws AppError `NOT_FOUND`; `ALREADY_DECIDED`; `STATE_CONFLICT` when it was never held.
 */
export async function releaseMessage(tx: Tx, messageId: string, now: Date): Promise<{ userId: string }> {
  const message = await getHeld(tx, messageId);
  const key = { userId: message.user_id, messageId };
  if (message.held_from === messageStateNumbers.sending) await startBatches(tx, key, message, now);
  else await updateMessageState(tx, key, message.held_from, now);
  return key;
}

/**
 * Cancels what is left of a held message; its units come back.
 *
 * @param tx locks the customer's account; do nothing that locks after it.
 * @returns whose message it is.
 * @throws AppError as `releaseMessage`.
 */
export async function refuseMessage(tx: Tx, messageId: string, now: Date): Promise<{ userId: string }> {
  const message = await getHeld(tx, messageId);
  const key = { userId: message.user_id, messageId };
  await giveUpMessage(tx, key, { ...message, state: message.held_from }, now);
  return key;
}

async function getHeld(tx: Tx, messageId: string): Promise<LockedHeld & { held_from: number }> {
  const message = await lockHeldMessage(tx, messageId);
  if (message === undefined) throw new AppError("NOT_FOUND");
  const { held_from: heldFrom } = message;
  if (heldFrom === null)
    throw new AppError("STATE_CONFLICT", {
      message: "This message is not held",
      extra: { state: messageStateName(message.state, message.waiting) },
    });
  if (message.state !== messageStateNumbers.held) throw new AppError("ALREADY_DECIDED");
  return { ...message, held_from: heldFrom };
}

function stateBefore(state: number): HeldMessage["heldFrom"] {
  if (state === messageStateNumbers.scheduled) return "scheduled";
  return state === messageStateNumbers.paused ? "paused" : "sending";
}
