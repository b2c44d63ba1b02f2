/**
 * One number is erased of everybody: contacts, drafts, recipients of messages, the inbox, codes. A job walks the customers in the order of their ids
 * and notes up to whom it has come; a run that is killed goes on there. A message in which somebody still waits keeps the number until it is at its
 * end: the next night looks again.
 */
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../base/deps.ts";
import { fieldError } from "../../base/errors.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { JobQueue } from "../../jobs/job-queue.ts";
import { forgetContact, readNumber } from "../contacts/index.ts";
import { deliveryLimits, withoutRow } from "../delivery/index.ts";
import { readWrittenNumbers } from "../messages/index.ts";
import {
  deleteFurtherRows,
  deleteNobodysRows,
  type DraftNumbers,
  endErasure,
  insertErasure,
  type NumberErasure,
  removeRecipient,
  saveErasure,
  selectBatchPlaces,
  selectCatalogsHolding,
  selectCustomersAfter,
  selectDraftsHolding,
  selectWaitingErasures,
  updateDraftNumbers,
} from "./erase-number-store.ts";

const CUSTOMERS_AT_A_TIME = 50;
const BATCHES_AT_A_TIME = 500;
const NO_ID = "00000000-0000-0000-0000-000000000000";
/** What the audit keeps of a number, so that an entry can be told from another one. */
const SHOWN_DIGITS = 3;
/** Enough to find a number however its beginning was written. */
const FOUND_DIGITS = 7;

/**
 * Asks for a number to be erased. A second request while it is being erased is the same one.
 *
 * @throws AppError `VALIDATION` for anything but one number with its country code.
 */
export async function eraseNumber(
  deps: Deps,
  request: { adminId: string; phoneNo: string; clientAddress: string },
): Promise<void> {
  const { adminId, clientAddress } = request;
  const [phoneNo, ...others] = readWrittenNumbers(request.phoneNo);
  if (phoneNo === undefined || others.length > 0) throw fieldError("phoneNo", "takes one number");
  await withTransaction(deps.db, async (tx) => {
    const requestId = uuidv7();
    if (!(await insertErasure(tx, { requestId, phoneNo, askedBy: adminId, now: deps.clock.now() }))) return;
    const after = { phoneNo: `…${String(phoneNo).slice(-SHOWN_DIGITS)}` };
    await deps.recordAudit(tx, { adminId, action: "erase-number", subjectId: requestId, after, clientAddress });
    await deps.jobs.enqueue(tx, eraseNumberQueue.name, {});
  });
}

/** On request, and every night at 03:47 UTC for numbers that messages still needed. */
export const eraseNumberQueue: JobQueue = {
  name: "erase-number",
  retriesMax: 5,
  retryDelaySeconds: 60,
  retryDelaySecondsMax: 3_600,
  runSecondsMax: 12 * 3_600,
  concurrency: 2,
  cron: "47 3 * * *",
  handle: async (deps) => {
    for (const erasure of await selectWaitingErasures(deps.db)) await eraseEverywhere(deps, erasure);
  },
};

async function eraseEverywhere(deps: Deps, { requestId, phoneNo, afterId }: NumberErasure): Promise<void> {
  const { db } = deps;
  let isNeeded = false;
  let after = afterId;
  for (;;) {
    const userIds = await selectCustomersAfter(db, after, CUSTOMERS_AT_A_TIME);
    if (userIds.length === 0) break;
    for (const userId of userIds) if (await eraseOfCustomer(deps, userId, phoneNo)) isNeeded = true;
    after = userIds.at(-1) ?? after;
    // Where a message needs the number the next run begins anew.
    if (!isNeeded) await saveErasure(db, requestId, after);
  }
  await deleteNobodysRows(db, phoneNo);
  if (isNeeded) await saveErasure(db, requestId, null);
  else await endErasure(db, requestId, deps.clock.now());
  deps.log.info({ requestId, isNeeded }, "erased a number everywhere");
}

/** @returns whether a message that is not at its end still needs the number. */
async function eraseOfCustomer({ db }: Deps, userId: string, phoneNo: number): Promise<boolean> {
  const digits = String(phoneNo);
  for (const catalogId of await selectCatalogsHolding(db, userId, digits))
    await withTransaction(db, (tx) => forgetContact(tx, { userId, catalogId }, digits));
  for (const draft of await selectDraftsHolding(db, userId, digits.slice(-FOUND_DIGITS)))
    await updateDraftNumbers(db, userId, withoutNumber(draft, digits));
  await deleteFurtherRows(db, userId, phoneNo);
  let isNeeded = false;
  let last = { messageId: NO_ID, batchIndex: -1 };
  for (;;) {
    const places = await selectBatchPlaces(db, {
      userId,
      phoneNo,
      afterMessage: last.messageId,
      afterBatch: last.batchIndex,
      limit: BATCHES_AT_A_TIME,
    });
    for (const { messageId, batchIndex, place, isOpen, mergeValues } of places) {
      if (place === null) continue;
      if (isOpen) isNeeded = true;
      else {
        const position = batchIndex * deliveryLimits.batchRecipientsMax + place - 1;
        const left = mergeValues === null ? null : withoutRow(mergeValues, place - 1);
        const key = { userId, messageId, batchIndex, place, position };
        await withTransaction(db, (tx) => removeRecipient(tx, key, left));
      }
    }
    const end = places.at(-1);
    if (end === undefined || places.length < BATCHES_AT_A_TIME) return isNeeded;
    last = end;
  }
}

/** The numbers of a draft as they were written, but for this one. */
function withoutNumber(draft: DraftNumbers, digits: string): DraftNumbers {
  const isOther = (written: string): boolean => readNumber(written, draft.code) !== digits;
  const phoneNo = draft.phoneNo
    .split(",")
    .filter((written) => isOther(written))
    .join(",");
  if (draft.recipients === null) return { ...draft, phoneNo };
  const recipients = (JSON.parse(draft.recipients) as { phoneNo: string }[]).filter((one) => isOther(one.phoneNo));
  return { ...draft, phoneNo, recipients: JSON.stringify(recipients) };
}
