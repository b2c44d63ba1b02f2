/**
 * The checks of every send, in the order of the specification: the first that fails answers, and nothing of a refused send is
 * stored. Before this come the session (guards) and the form (`read-send.ts`).
 *
 *   address 403 -> sender name 409 -> country code 400 -> account limit 402 -> units 401 -> route and content 550
 */
import {
  chargeMilli,
  countPages,
  measureText,
  MILLI_PER_UNIT,
  SCHEDULE_AHEAD_DAYS_MAX,
  unitsForJson,
  type UnitDetails,
} from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { readBalance, unitsRequired } from "../../../ledger/index.ts";
import { findCustomer, type Customer } from "../../accounts/index.ts";
import { findDndNumbers, hasRoute, type QueueMessageInput } from "../../delivery/index.ts";
import { readRateAt } from "../../rates/index.ts";
import { hasSenderName, selectAddresses } from "../whitelists/whitelist-store.ts";
import { normalizeAddress } from "../whitelists/sending-address.ts";
import type { DailyUse } from "../limits/daily-limit-store.ts";
import { checkDailyLimit } from "../limits/daily-limit.ts";
import { describeWrongNumbers, type SendRequest } from "../read-body/read-send.ts";

/** A report comes for each part, and an integer tells this many apart; 1,600 plain characters are 11 parts, 1,600 emoji 49. */
export const CARRIER_PARTS_MAX = 31;
/** Real lists have gaps. A run as long as this is somebody trying all numbers in order, or a test. */
const CONSECUTIVE_NUMBERS_ALARM = 200;

const DAY_MS = 24 * 3_600_000;

/** Who sends, and how the call came in. */
export type Caller = {
  userId: string;
  /** A key or the GET form is a program's; a session is the dashboard's. */
  via: "dashboard" | "program";
  clientAddress: string;
};

export type Price = {
  pageCount: number;
  rateMilli: number;
  chargeMilli: number;
  chargedCount: number;
  dndPhoneNos: Set<number>;
};

type MessageContents = Pick<
  QueueMessageInput,
  "senderName" | "body" | "code" | "phoneNos" | "dndPhoneNos" | "pageCount" | "priceMilli"
>;

/** What an accepted send is written with. */
export type CheckedSend = {
  userName: string;
  price: Price;
  now: Date;
  /** Counted towards the daily limit after everything else is written, just before the units are held. */
  dailyUse: DailyUse;
};

/** What an edited message has already: units held, and recipients counted towards the daily limit. */
export type Taken = { heldMilli: number; countedRecipients: number };

/**
 * Checks the daily limit and the units without locking them. Counting and holding come last, and they decide.
 *
 * @param taken what the send gives back when it is accepted; it counts as free.
 * @throws AppError the first check that fails.
 */
export async function checkSend(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  request: SendRequest,
  taken: Taken = NOTHING_TAKEN,
): Promise<CheckedSend> {
  const { userId } = caller;
  const customer = await findCustomer(tx, userId);
  if (customer === undefined) throw new AppError("AUTH_REQUIRED");
  // A customer may be blocked while a million numbers are read; a block ends sessions, and a key has none.
  if (customer.isBlocked) throw new AppError("BLOCKED");
  await checkAddress(tx, caller, customer);
  await checkSenderName(tx, userId, request.senderName);
  refuseOtherCountries(request);
  const price = await priceOf(deps, tx, request);
  const now = deps.clock.now();
  const newCount = Math.max(0, price.chargedCount - taken.countedRecipients);
  const dailyUse = await checkDailyLimit(deps, tx, { userId, code: request.code, recipients: newCount, now });
  const { freeMilli } = await readBalance(tx, userId);
  if (freeMilli + taken.heldMilli < price.chargeMilli) throw unitsRequired(freeMilli + taken.heldMilli);
  refuseNotSendable(request);
  if (!(await hasRoute(tx, request.code))) throw new AppError("NO_ROUTE");
  if (request.longestRun >= CONSECUTIVE_NUMBERS_ALARM) {
    deps.log.warn({ userId, longestRun: request.longestRun }, "a send goes to many consecutive numbers");
  }
  return { userName: customer.userName, price, now, dailyUse };
}

const NOTHING_TAKEN: Taken = { heldMilli: 0, countedRecipients: 0 };

function refuseOtherCountries({ recipients }: SendRequest): void {
  if (recipients.wrong.every(({ reason }) => reason === "never-sent")) return;
  throw new AppError("WRONG_COUNTRY_CODE", { fields: { phoneNo: describeWrongNumbers(recipients) } });
}

function refuseNotSendable({ recipients, message }: SendRequest): void {
  if (recipients.wrongCount > 0)
    throw new AppError("NOT_SENDABLE", { fields: { phoneNo: describeWrongNumbers(recipients) } });
  // Some carriers' long messages have references of 16 bits, which leave less room in each part.
  if (measureText(message, { concatReferenceBits: 16 }).partCount > CARRIER_PARTS_MAX) {
    throw new AppError("NOT_SENDABLE", {
      message: `This message needs more than ${CARRIER_PARTS_MAX} SMS parts. Plain characters need fewer`,
    });
  }
}

async function priceOf(
  deps: Pick<Deps, "config" | "clock">,
  tx: Tx,
  { recipients, message, code }: SendRequest,
): Promise<Price> {
  const dndPhoneNos = await findDndNumbers(tx, recipients.valid);
  const pageCount = countPages(message, deps.config.pageRule);
  // One rate for all: numbers that a longer code prices apart were refused as another country's.
  const rateMilli = await readRateAt(tx, code, deps.clock.now());
  const chargedCount = recipients.valid.length - dndPhoneNos.size;
  return {
    pageCount,
    rateMilli,
    chargedCount,
    dndPhoneNos,
    chargeMilli: chargeMilli({ recipients: chargedCount, pages: pageCount, rateMilli }),
  };
}

/** What a message holds of the request that it is made of, and its price. */
export function contentsOf(request: SendRequest, price: Price): MessageContents {
  return {
    senderName: request.senderName,
    body: request.message,
    code: request.code,
    phoneNos: request.recipients.valid,
    dndPhoneNos: price.dndPhoneNos,
    pageCount: price.pageCount,
    priceMilli: price.pageCount * price.rateMilli,
  };
}

/** @param availableMilli what is free afterwards. */
export function unitDetailsOf({ recipients }: SendRequest, price: Price, availableMilli: number): UnitDetails {
  return {
    received: recipients.receivedCount,
    recipients: price.chargedCount,
    duplicates: recipients.duplicateCount,
    dnd: price.dndPhoneNos.size,
    pages: price.pageCount,
    rate: price.rateMilli / MILLI_PER_UNIT,
    charged: unitsForJson(price.chargeMilli),
    available: unitsForJson(availableMilli),
    ...(recipients.repaired && { repaired: recipients.repaired }),
  };
}

/**
 * Programs may call from approved addresses only. The dashboard may be used from anywhere, until the customer has an
 * approved address and has switched the restriction on for the dashboard as well.
 *
 * @throws AppError `ADDRESS_NOT_APPROVED`.
 */
export async function checkAddress(db: Queryable, caller: Caller, customer: Customer): Promise<void> {
  if (caller.via === "dashboard" && !customer.isAddressRestricted) return;
  const approved = await selectAddresses(db, caller.userId);
  if (caller.via === "dashboard" && approved.length === 0) return;
  const address = normalizeAddress(caller.clientAddress);
  if (address === undefined || !approved.includes(address)) throw new AppError("ADDRESS_NOT_APPROVED");
}

/** @throws AppError `SENDER_NOT_APPROVED` unless the name is one of the customer's, letter by letter. */
export async function checkSenderName(db: Queryable, userId: string, senderName: string): Promise<void> {
  if (!(await hasSenderName(db, userId, senderName))) throw new AppError("SENDER_NOT_APPROVED");
}

/** Whether a customer may still send as this name: asked when a scheduled message's time has come. */
export async function maySendAs(
  db: Queryable,
  { userId, senderName }: { userId: string; senderName: string },
): Promise<boolean> {
  return await hasSenderName(db, userId, senderName);
}

/** When a scheduled message is sent, and the zone in which its customer thinks of that moment. */
export type SendTime = { sendAt: Date; timeZone: string };

/**
 * Allows any moment from now on, to the second: a message that is due when it is stored goes out at once.
 *
 * @throws AppError `VALIDATION`.
 */
export function checkSendAt(deps: Pick<Deps, "clock">, sendAt: Date): void {
  const aheadMs = sendAt.getTime() - deps.clock.now().getTime();
  if (aheadMs <= 0) throw fieldError("sendAt", "must be in the future");
  if (aheadMs > SCHEDULE_AHEAD_DAYS_MAX * DAY_MS)
    throw fieldError("sendAt", `is more than ${SCHEDULE_AHEAD_DAYS_MAX} days ahead`);
}
