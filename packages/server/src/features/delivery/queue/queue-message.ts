import assert from "node:assert/strict";
import type { Tx } from "../../../db/transaction.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import { batchStates, messageStateNumbers } from "../states.ts";
import { insertBatches, insertMessage, notifyWorkers, type NewBatch, takeTurns } from "./message-store.ts";
export type QueueMessageInput = {
  userId: string;
  /** A UUIDv7 that the caller makes: its time decides the partition, and lists are in the order of these ids. */
  messageId: string;
  userName: string;
  senderName: string;
  body: string;
  /** The dialling code that every number begins with, digits only. */
  code: string;
  /** Distinct numbers with country code, in the order to be shown; 1 to 1,000,000, those of `dndPhoneNos` included. */
  phoneNos: ArrayLike<number>;
  /** Listed numbers that are not sent to and not charged. */
  dndPhoneNos?: ReadonlySet<number>;
  pageCount: number;
  /** The price of one recipient, in thousandths of a unit. */
  priceMilli: number;
  /** The open hold of priceMilli x (listed - DND); undefined when nothing is charged. */
  holdId: string | undefined;
  createdAt: Date;
  /** The message is not sent before this time. Without it, the message is sent now. */
  sendAt?: Date;
  timeZone?: string;
  /** A UUIDv7 by which the message is listed until it starts; needed where the message's own id is of another time than `createdAt`. */
  listedId?: string;
};

/**
 * Writes a message and its batches, so that workers send it once the transaction has committed.
 *
 * @param tx the transaction that holds the units.
 * @returns how many recipients will be sent to.
 */
export async function queueMessage(tx: Tx, input: QueueMessageInput): Promise<{ waitingCount: number }> {
  const counts = countRecipients(input);
  const isScheduled = input.sendAt !== undefined;
  const cost = counts.waitingCount * input.pageCount;
  // A scheduled message takes its turn when it is due. Until then it must not stand before others.
  const firstTurn = isScheduled ? 0 : await takeTurns(tx, { userId: input.userId, isExpress: isExpress(input), cost });

  await insertMessage(tx, {
    ...input,
    ...counts,
    state: isScheduled ? messageStateNumbers.scheduled : messageStateNumbers.sending,
  });
  await writeBatches(tx, input, firstTurn);
  if (!isScheduled && counts.waitingCount > 0) await notifyWorkers(tx);
  return { waitingCount: counts.waitingCount };
}

export type RecipientCounts = { recipientCount: number; waitingCount: number; dndCount: number };

export function countRecipients(
  input: Pick<QueueMessageInput, "phoneNos" | "dndPhoneNos" | "priceMilli">,
): RecipientCounts {
  const recipientCount = input.phoneNos.length;
  assert(recipientCount >= 1);
  assert(Number.isSafeInteger(input.priceMilli) && input.priceMilli >= 0);
  const dndCount = countListed(input.phoneNos, input.dndPhoneNos);
  return { recipientCount, waitingCount: recipientCount - dndCount, dndCount };
}

function isExpress({ phoneNos }: Pick<QueueMessageInput, "phoneNos">): boolean {
  return phoneNos.length <= deliveryLimits.expressRecipientsMax;
}

/** Cuts the numbers into batches. They are ready from `firstTurn` on, or held when the message is scheduled. */
export async function writeBatches(tx: Tx, input: QueueMessageInput, firstTurn: number): Promise<void> {
  const recipientCount = input.phoneNos.length;
  let chunk: NewBatch[] = [];
  for (
    let start = 0, batchIndex = 0;
    start < recipientCount;
    start += deliveryLimits.batchRecipientsMax, batchIndex += 1
  ) {
    const end = Math.min(start + deliveryLimits.batchRecipientsMax, recipientCount);
    chunk.push(buildBatch(input, { start, end, batchIndex, isExpress: isExpress(input), firstTurn }));
    if (chunk.length < deliveryLimits.queuedBatchesPerStatement && end < recipientCount) continue;
    await insertBatches(tx, input, chunk);
    chunk = [];
  }
}

type Cut = { start: number; end: number; batchIndex: number; isExpress: boolean; firstTurn: number };

function buildBatch(input: QueueMessageInput, cut: Cut): NewBatch {
  const phoneNos: number[] = [];
  const skipped: number[] = [];
  for (let index = cut.start; index < cut.end; index += 1) {
    const phoneNo = input.phoneNos[index] ?? 0;
    assert(Number.isSafeInteger(phoneNo) && phoneNo > 0, "a recipient is a number of digits");
    if (input.dndPhoneNos?.has(phoneNo) === true) skipped.push(phoneNos.length);
    phoneNos.push(phoneNo);
  }
  const isEmpty = skipped.length === phoneNos.length;
  const isScheduled = input.sendAt !== undefined;
  return {
    batchIndex: cut.batchIndex,
    phoneNos,
    skipped,
    state: isEmpty ? batchStates.done : isScheduled ? batchStates.held : batchStates.ready,
    isExpress: cut.isExpress,
    turn: cut.firstTurn + cut.start * input.pageCount,
    lane: Number(input.code),
  };
}

function countListed(phoneNos: ArrayLike<number>, listed: ReadonlySet<number> | undefined): number {
  if (listed === undefined || listed.size === 0) return 0;
  let count = 0;
  for (let index = 0; index < phoneNos.length; index += 1) if (listed.has(phoneNos[index] ?? 0)) count += 1;
  return count;
}
