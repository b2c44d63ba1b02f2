/** A send, from the checked form to the queue: now, or held until its time. `check-send.ts` has the order of the checks. */
import type { SendAnswer, UnitDetails } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Answer } from "../../../db/idempotency.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { messageScheduled, messageSent, publishChange } from "../../../events/index.ts";
import { holdUnits, readBalance } from "../../../ledger/index.ts";
import { queueMessage } from "../../delivery/index.ts";
import { checkSend, contentsOf, unitDetailsOf } from "./check-send.ts";
import type { Caller } from "./check-sender.ts";
import { countTowardsCap } from "../limits/daily-limit.ts";
import type { SendRequest } from "../read-body/read-send.ts";
import { checkSendAt, type SendTime } from "../scheduled/send-time.ts";

/**
 * Sends, or schedules when a time is given; its units are held from now on either way.
 *
 * @param tx open transaction; it locks the customer's account at its end.
 * @returns the answer as it is sent and stored with the idempotency key: 200, 503 when listed numbers were skipped, 201 scheduled.
 * @throws AppError `VALIDATION` for a time that has passed or is too far ahead, then the first check that fails.
 */
export async function sendMessage(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  request: SendRequest,
  time?: SendTime,
): Promise<Answer<SendAnswer>> {
  const { userId } = caller;
  if (time !== undefined) checkSendAt(deps, time.sendAt);
  const { userName, price, now, capUse } = await checkSend(deps, tx, caller, request);
  // A scheduled message has an id of its time, for the month that its deliveries lie in, and is listed by another until then.
  const messageId = time === undefined ? uuidv7() : uuidv7({ msecs: time.sendAt.getTime() });
  const isCharged = price.chargeMilli > 0;
  await queueMessage(tx, {
    userId,
    messageId,
    userName,
    ...contentsOf(request, price),
    holdId: isCharged ? messageId : undefined,
    createdAt: now,
    ...(time && { ...time, listedId: uuidv7() }),
  });
  await countTowardsCap(tx, capUse);
  const { freeMilli } = isCharged
    ? (await holdUnits(tx, { userId, holdId: messageId, amountMilli: price.chargeMilli })).balance
    : await readBalance(tx, userId);
  await publishChange(tx, time === undefined ? messageSent(userId) : messageScheduled(userId));
  const unitDetails = unitDetailsOf(request, price, freeMilli);
  return time === undefined
    ? sentAnswer(messageId, unitDetails)
    : scheduledAnswer(201, "Scheduled", messageId, unitDetails);
}

function sentAnswer(messageId: string, unitDetails: UnitDetails): Answer<SendAnswer> {
  const data = { _id: messageId };
  if (unitDetails.dnd === 0) return { status: 200, body: { message: "Message sent", data, unitDetails } };
  const skipped = `${countNumbers(unitDetails.dnd)} on the do-not-disturb list ${unitDetails.dnd === 1 ? "was" : "were"} skipped and not charged`;
  const message = unitDetails.recipients === 0 ? `Nothing was sent; ${skipped}` : `Message sent; ${skipped}`;
  return { status: 503, body: { message, data, unitDetails, dnd: true } };
}

/** Listed numbers are no reason for another status here: nothing was sent yet. */
export function scheduledAnswer(
  status: number,
  message: string,
  messageId: string,
  unitDetails: UnitDetails,
): Answer<SendAnswer> {
  const data = { _id: messageId };
  if (unitDetails.dnd === 0) return { status, body: { message, data, unitDetails } };
  const skipped = `${countNumbers(unitDetails.dnd)} on the do-not-disturb list will be skipped and ${unitDetails.dnd === 1 ? "is" : "are"} not charged`;
  return { status, body: { message: `${message}; ${skipped}`, data, unitDetails, dnd: true } };
}

function countNumbers(count: number): string {
  return count === 1 ? "1 number" : `${count.toLocaleString("en")} numbers`;
}
