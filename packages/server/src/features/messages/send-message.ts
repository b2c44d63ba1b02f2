/**
 * A send, from the checked form to the queue. The order of the checks is part of the specification: the first that fails
 * answers, and nothing of a refused send is stored. Before this come the session (guards) and the form (`read-send.ts`).
 *
 *   address 403 -> sender name 409 -> country code 400 -> account limit 402 -> units 401 -> route and content 550
 *   -> written: 503 with `dnd` when listed numbers were skipped, else 200
 */
import {
  chargeMilli,
  countPages,
  DEFAULT_RATES,
  measureText,
  rateMilliForCode,
  unitsForJson,
  type SendAnswer,
  type UnitDetails,
} from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Answer } from "../../db/idempotency.ts";
import type { Tx } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { publishChange } from "../../events/index.ts";
import { holdUnits, readBalance, unitsRequired } from "../../ledger/index.ts";
import { findCustomer } from "../accounts/index.ts";
import { findDndNumbers, hasRoute, queueMessage } from "../delivery/index.ts";
import { checkAddress, checkSenderName, type Caller } from "./check-sender.ts";
import { countTowardsCap } from "./daily-cap.ts";
import type { SendRequest } from "./read-send.ts";
import { describeWrongNumbers } from "./wrong-numbers.ts";

/** Reports come for each part, and this many are told apart; 1,600 plain characters are 11 parts, 1,600 emoji 48. */
export const CARRIER_PARTS_MAX = 31;
/** Real lists have gaps. Runs like this are somebody calling through the numbers, or a test. */
const CONSECUTIVE_NUMBERS_ALARM = 200;

type Price = { pageCount: number; rateMilli: number; chargeMilli: number; chargedCount: number; dndPhoneNos: Set<number> };

/**
 * @param tx open transaction; it locks the customer's account at its end.
 * @returns the answer as it is sent and stored with the idempotency key.
 * @throws AppError the first check that fails.
 */
export async function sendMessage(deps: Deps, tx: Tx, caller: Caller, request: SendRequest): Promise<Answer<SendAnswer>> {
  const { userId } = caller;
  const customer = await findCustomer(tx, userId);
  if (customer === undefined) throw new AppError("AUTH_REQUIRED");
  // The guard let this request in before it was read, which takes a while with a million numbers; keys have no session to end.
  if (customer.isBlocked) throw new AppError("BLOCKED");
  await checkAddress(tx, caller, customer);
  await checkSenderName(tx, userId, request.senderName);
  refuseOtherCountries(request);
  const price = await priceOf(deps, tx, request);
  const now = deps.clock.now();
  await countTowardsCap(tx, { userId, code: request.code, recipients: price.chargedCount, now });
  // Looked at before a million rows are written; decided by the hold, which comes last because it locks the account.
  const { freeMilli } = await readBalance(tx, userId);
  if (freeMilli < price.chargeMilli) throw unitsRequired(freeMilli);
  refuseNotSendable(request);
  if (!(await hasRoute(tx, request.code))) throw new AppError("NO_ROUTE");

  const messageId = uuidv7();
  const isCharged = price.chargeMilli > 0;
  await queueMessage(tx, {
    userId,
    messageId,
    userName: customer.userName,
    senderName: request.senderName,
    body: request.message,
    code: request.code,
    phoneNos: request.recipients.valid,
    dndPhoneNos: price.dndPhoneNos,
    pageCount: price.pageCount,
    priceMilli: price.pageCount * price.rateMilli,
    holdId: isCharged ? messageId : undefined,
    createdAt: now,
  });
  const availableMilli = isCharged
    ? (await holdUnits(tx, { userId, holdId: messageId, amountMilli: price.chargeMilli })).balance.freeMilli
    : freeMilli;
  await publishChange(tx, { userId, topics: ["user", "messages"] }, { admin: true, topics: ["admin"] });
  if (request.longestRun >= CONSECUTIVE_NUMBERS_ALARM) {
    deps.log.warn({ userId, messageId, longestRun: request.longestRun }, "a send goes to many consecutive numbers");
  }
  return answerOf(messageId, unitDetailsOf(request, price, availableMilli));
}

function refuseOtherCountries({ recipients }: SendRequest): void {
  if (recipients.wrong.every(({ reason }) => reason === "never-sent")) return;
  throw new AppError("WRONG_COUNTRY_CODE", { fields: { phoneNo: describeWrongNumbers(recipients) } });
}

function refuseNotSendable({ recipients, message }: SendRequest): void {
  if (recipients.wrongCount > 0) throw new AppError("NOT_SENDABLE", { fields: { phoneNo: describeWrongNumbers(recipients) } });
  if (measureText(message).partCount > CARRIER_PARTS_MAX) {
    throw new AppError("NOT_SENDABLE", { message: `This message needs more than ${CARRIER_PARTS_MAX} SMS parts. Plain characters need fewer` });
  }
}

async function priceOf(deps: Pick<Deps, "config">, tx: Tx, { recipients, message, code }: SendRequest): Promise<Price> {
  const dndPhoneNos = await findDndNumbers(tx, recipients.valid);
  const pageCount = countPages(message, deps.config.pageRule);
  // One rate for all: numbers that a longer code prices apart were refused as another country's.
  const rateMilli = rateMilliForCode(code, DEFAULT_RATES);
  const chargedCount = recipients.valid.length - dndPhoneNos.size;
  return { pageCount, rateMilli, chargedCount, dndPhoneNos, chargeMilli: chargeMilli({ recipients: chargedCount, pages: pageCount, rateMilli }) };
}

function unitDetailsOf({ recipients }: SendRequest, price: Price, availableMilli: number): UnitDetails {
  return {
    received: recipients.receivedCount,
    recipients: price.chargedCount,
    duplicates: recipients.duplicateCount,
    dnd: price.dndPhoneNos.size,
    pages: price.pageCount,
    rate: unitsForJson(price.rateMilli),
    charged: unitsForJson(price.chargeMilli),
    available: unitsForJson(availableMilli),
  };
}

function answerOf(messageId: string, unitDetails: UnitDetails): Answer<SendAnswer> {
  const data = { _id: messageId };
  if (unitDetails.dnd === 0) return { status: 200, body: { message: "Message sent", data, unitDetails } };
  const message = `Message sent; ${unitDetails.dnd.toLocaleString("en")} numbers on the do-not-disturb list were skipped and not charged`;
  return { status: 503, body: { message, data, unitDetails, dnd: true } };
}
