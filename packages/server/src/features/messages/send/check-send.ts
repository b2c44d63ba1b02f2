/**
 * The checks of every send, in the order of the specification: the first that fails answers, and nothing of a refused send is
 * stored. Before this come the session (guards) and the form (`read-send.ts`).
 *
 *   address 403 -> class 403 -> sender name 409 -> country code 400 -> account limit 402 -> units 401 -> route and content 550
 */
import {
  chargeMilli,
  type ContentRule,
  countPages,
  meansSender,
  type MemberRole,
  MILLI_PER_UNIT,
  SCHEDULE_AHEAD_DAYS_MAX,
  unitsForJson,
  type AnchoredRepeat,
  type ProgramKeyMode,
  testNumbers,
  type UnitDetails,
} from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { readBalance, unitsRequired } from "../../../ledger/index.ts";
import { findCustomer, type Customer, type UnitUse } from "../../accounts/index.ts";
import {
  findDndNumbers,
  findOptedOut,
  hasInboundNumber,
  hasRoute,
  readDndPrefixes,
  type Follower,
  type QueueMessageInput,
} from "../../delivery/index.ts";
import { readPriceAt } from "../../rates/index.ts";
import { hasSenderName, selectAddresses } from "../whitelists/whitelist-store.ts";
import { normalizeAddress } from "../../../http/rate-limits/client-address.ts";
import type { DailyUse } from "../limits/daily-limit-store.ts";
import { checkDailyLimit, checkUnitCap } from "../limits/daily-limit.ts";
import { CARRIER_PARTS_MAX, isOfTooManyParts } from "../read-body/merge-texts.ts";
import { describeWrongNumbers } from "../read-body/read-send.ts";
import { selectContentRules } from "../rules/content-rule-store.ts";
import { checkClass, classOf, decideSend, type Verdict } from "./may-be-sent.ts";
import type { PricedRequest } from "./merge-send.ts";

/** Real lists have gaps. A run as long as this is somebody trying all numbers in order, or a test. */
const CONSECUTIVE_NUMBERS_ALARM = 200;

const DAY_MS = 24 * 3_600_000;

/** Who sends, and how the call came in. */
export type Caller = {
  userId: string;
  /**
   * A session is the dashboard's; `program`, `twilio` and `smpp` came with a key, whose addresses and scopes were looked at before;
   * `form` is the GET form; a message that repeats sends by itself, from no address.
   */
  via: "dashboard" | "program" | "twilio" | "smpp" | "form" | "repeat";
  /** Of the key that came with the call; absent: live. */
  mode?: ProgramKeyMode;
  clientAddress: string;
  /** Who acts for the account, when it is not its own user. */
  member?: { personId: string; role: MemberRole };
  /** Who, beside the customer's webhooks, is told what becomes of the recipients; see delivery/feed/report-feed.ts. */
  followers?: readonly Follower[];
};

export type Price = {
  /** The most that one recipient pays. */
  pageCount: number;
  /** Where texts differ: how many recipients pay how many pages. */
  pageCounts?: Record<string, number>;
  rateMilli: number;
  chargeMilli: number;
  chargedCount: number;
  /** Without those that opted out. */
  dndPhoneNos: Set<number>;
  /** Numbers on the do-not-disturb list that get a transactional message all the same; charged. */
  reachedDndPhoneNos: ReadonlySet<number>;
  /** They want no more messages from this customer: neither sent to nor charged. */
  optedOutPhoneNos: ReadonlySet<number>;
};

type MessageContents = Pick<
  QueueMessageInput,
  | "senderName"
  | "body"
  | "code"
  | "phoneNos"
  | "dndPhoneNos"
  | "optedOutPhoneNos"
  | "reachedDndPhoneNos"
  | "class"
  | "reachesDnd"
  | "isAnswer"
  | "pageCount"
  | "priceMilli"
  | "merge"
>;

/** What an accepted send is written with. */
export type CheckedSend = {
  userName: string;
  followedEvents: number;
  price: Price;
  now: Date;
  /** Counted towards the daily limit after everything else is written, just before the units are held. */
  dailyUse: DailyUse;
  /** Of a sub-account that may spend so much in a day; counted with it. */
  unitUse: UnitUse | undefined;
  verdict: Verdict;
};

/** A send that passed, and its message, which nobody has written yet. */
export type CheckedMessage = { message: QueueMessageInput; checked: CheckedSend };

/** What an edited message has already: units held, and recipients counted towards the daily limit. */
export type Taken = { heldMilli: number; countedRecipients: number };

export type CheckOptions = {
  /** What the send gives back when it is accepted; it counts as free. */
  taken?: Taken;
  /** The time that it is scheduled for; absent: now. */
  leavesAt?: Date | undefined;
  /** Looked up for many sends at once; absent: looked up for this one. */
  listed?: ListedNumbers;
};

/** Numbers of one or many sends that are on the do-not-disturb list, and on the customer's list of opt-outs. */
export type ListedNumbers = { dnd: ReadonlySet<number>; optedOut: ReadonlySet<number> };

export async function findListedNumbers(
  tx: Queryable,
  userId: string,
  phoneNos: ArrayLike<number>,
): Promise<ListedNumbers> {
  const optedOut = await findOptedOut(tx, userId, phoneNos);
  return { optedOut, dnd: await findDndNumbers(tx, phoneNos) };
}

/**
 * Checks the daily limit and the units without locking them. Counting and holding come last, and they decide.
 *
 * @throws AppError the first check that fails.
 */
export async function checkSend(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  request: PricedRequest,
  { taken = NOTHING_TAKEN, leavesAt, listed }: CheckOptions = {},
): Promise<CheckedSend> {
  const { userId } = caller;
  const customer = await findCustomer(tx, userId);
  if (customer === undefined) throw new AppError("AUTH_REQUIRED");
  // A customer may be blocked while a million numbers are read; a block ends sessions, and a key has none.
  if (customer.isBlocked) throw new AppError("BLOCKED");
  await checkAddress(tx, caller, customer);
  checkClass(customer, request);
  const isForTest = isTest(caller);
  if (isForTest) refuseByTestNumber(request.recipients.valid, "rateLimited");
  else await checkSender(tx, userId, request);
  refuseOtherCountries(request);
  const found = listed ?? (await findListedNumbers(tx, userId, request.recipients.valid));
  const price = await priceOf(deps, tx, { customer, request }, isForTest ? listTestNumbers(found) : found);
  const now = deps.clock.now();
  // A test counts towards nothing and costs nothing.
  const newCount = isForTest ? 0 : Math.max(0, price.chargedCount - taken.countedRecipients);
  if (isForTest) refuseByTestNumber(request.recipients.valid, "limitReached");
  const dailyUse = await checkDailyLimit(deps, tx, { userId, code: request.code, recipients: newCount, now });
  const newMilli = isForTest ? 0 : Math.max(0, price.chargeMilli - taken.heldMilli);
  const unitUse = await checkUnitCap(tx, { userId, capMilli: customer.capMilliPerDay, amountMilli: newMilli, now });
  const { freeMilli } = await readBalance(tx, userId);
  if (!isForTest && freeMilli + taken.heldMilli < price.chargeMilli) throw unitsRequired(freeMilli + taken.heldMilli);
  refuseNotSendable(request);
  if (isForTest) refuseByTestNumber(request.recipients.valid, "notSendable");
  const waitsAbove = caller.member?.role === "sender" ? (customer.approvalAbove ?? undefined) : undefined;
  const asked = { userId, request, chargedCount: price.chargedCount, leavesAt: leavesAt ?? now, isForTest, waitsAbove };
  const verdict = await decideSend(deps, tx, asked);
  if (!isForTest && !(await hasRoute(tx, request.code, classOf(request)))) throw new AppError("NO_ROUTE");
  if (request.longestRun >= CONSECUTIVE_NUMBERS_ALARM) {
    deps.log.warn({ userId, longestRun: request.longestRun }, "a send goes to many consecutive numbers");
  }
  const { userName, followedEvents } = customer;
  return { userName, followedEvents, price, now, dailyUse, unitUse, verdict };
}

/** What a test key sends reaches the carrier of tests alone; see docs/decisions/021-test-mode.md. */
export function isTest({ mode }: Pick<Caller, "mode">): boolean {
  return mode === "test";
}

const NOTHING_TAKEN: Taken = { heldMilli: 0, countedRecipients: 0 };

function refuseOtherCountries({ recipients }: PricedRequest): void {
  if (recipients.wrong.every(({ reason }) => reason === "never-sent")) return;
  throw new AppError("WRONG_COUNTRY_CODE", { fields: { phoneNo: describeWrongNumbers(recipients) } });
}

function refuseNotSendable({ recipients, message, merged }: PricedRequest): void {
  if (recipients.wrongCount > 0)
    throw new AppError("NOT_SENDABLE", { fields: { phoneNo: describeWrongNumbers(recipients) } });
  if (merged === undefined ? isOfTooManyParts(message) : merged.hasTooManyParts) {
    throw new AppError("NOT_SENDABLE", {
      message: `This message needs more than ${CARRIER_PARTS_MAX} SMS parts. Plain characters need fewer`,
    });
  }
}

async function priceOf(
  deps: Pick<Deps, "config" | "clock">,
  tx: Tx,
  { customer: { userId, hasOwnPrices }, request }: { customer: Customer; request: PricedRequest },
  listed: ListedNumbers,
): Promise<Price> {
  const { recipients, message, code, merged } = request;
  const optedOutPhoneNos = pickListed(recipients.valid, listed.optedOut);
  const dndPhoneNos = pickListed(recipients.valid, listed.dnd);
  for (const phoneNo of optedOutPhoneNos) dndPhoneNos.delete(phoneNo);
  const reachedDndPhoneNos = await takeReached(tx, request, dndPhoneNos);
  // One rate for all: numbers that a longer code prices apart were refused as another country's.
  const question = { userId, hasOwnPrices, code, class: classOf(request), at: deps.clock.now() };
  const rateMilli = await readPriceAt(tx, question);
  const chargedCount = recipients.valid.length - dndPhoneNos.size - optedOutPhoneNos.size;
  const common = { rateMilli, chargedCount, dndPhoneNos, reachedDndPhoneNos, optedOutPhoneNos };
  if (merged === undefined) {
    const pageCount = countPages(message, deps.config.pageRule);
    return {
      ...common,
      pageCount,
      chargeMilli: chargeMilli({ recipients: chargedCount, pages: pageCount, rateMilli }),
    };
  }
  const counts = countByPages(recipients.valid, merged.pageCounts, new Set([...dndPhoneNos, ...optedOutPhoneNos]));
  const priced = [...counts].map(([pages, count]) => chargeMilli({ recipients: count, pages, rateMilli }));
  return {
    ...common,
    pageCount: merged.pageCounts.reduce((most, pages) => Math.max(most, pages), 1),
    ...(merged.haveTextsDiffered && { pageCounts: Object.fromEntries(counts) }),
    chargeMilli: priced.reduce((sum, one) => sum + one, 0),
  };
}

function pickListed(numbers: Float64Array, listed: ReadonlySet<number>): Set<number> {
  const picked = new Set<number>();
  if (listed.size > 0) for (const number of numbers) if (listed.has(number)) picked.add(number);
  return picked;
}

/** Moves those numbers out of the listed ones that a transactional message reaches all the same. */
async function takeReached(tx: Tx, request: PricedRequest, dndPhoneNos: Set<number>): Promise<ReadonlySet<number>> {
  const reached = new Set<number>();
  if (dndPhoneNos.size === 0 || !reachesDnd(request)) return reached;
  const prefixes = await readDndPrefixes(tx);
  for (const phoneNo of dndPhoneNos) {
    // That of test mode is listed whatever a carrier reaches.
    if (phoneNo === testNumbers.dnd || !prefixes.some((prefix) => String(phoneNo).startsWith(prefix))) continue;
    reached.add(phoneNo);
    dndPhoneNos.delete(phoneNo);
  }
  return reached;
}

function reachesDnd(request: PricedRequest): boolean {
  return classOf(request) === "transactional" && request.dnd !== "skip";
}

/** How many of those who are charged pay how many pages. */
function countByPages(
  numbers: Float64Array,
  pageCounts: Uint8Array,
  dndPhoneNos: ReadonlySet<number>,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [index, number] of numbers.entries()) {
    if (dndPhoneNos.has(number)) continue;
    const pages = pageCounts[index] ?? 0;
    counts.set(pages, (counts.get(pages) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([one], [other]) => one - other));
}

/** What a message holds of the request that it is made of, and its price. */
export function contentsOf(request: PricedRequest, price: Price): MessageContents {
  return {
    senderName: request.senderName,
    body: request.message,
    code: request.code,
    phoneNos: request.recipients.valid,
    dndPhoneNos: price.dndPhoneNos,
    optedOutPhoneNos: price.optedOutPhoneNos,
    reachedDndPhoneNos: price.reachedDndPhoneNos,
    class: classOf(request),
    reachesDnd: reachesDnd(request),
    isAnswer: request.isAnswer === true,
    pageCount: price.pageCount,
    priceMilli: price.pageCount * price.rateMilli,
    ...(request.merged && { merge: request.merged }),
  };
}

/** @param availableMilli what is free afterwards. */
export function unitDetailsOf(
  { recipients, merged }: PricedRequest,
  { price, verdict }: Pick<CheckedSend, "price" | "verdict">,
  availableMilli: number,
): UnitDetails {
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
    ...(price.pageCounts && price.chargedCount > 0 && { pageCounts: price.pageCounts }),
    ...(merged !== undefined && merged.missingCount > 0 && { missing: merged.missingCount }),
    ...(price.optedOutPhoneNos.size > 0 && { optedOut: price.optedOutPhoneNos.size }),
    ...(verdict.deferredUntil && { deferredUntil: verdict.deferredUntil.toISOString() }),
  };
}

/**
 * The GET form, which has a password in its address, may be used from approved addresses only. The dashboard may be used from anywhere,
 * until the customer has an approved address and has switched the restriction on for the dashboard as well. A key has addresses of its own.
 *
 * @throws AppError `ADDRESS_NOT_APPROVED`.
 */
async function checkAddress(db: Queryable, caller: Caller, customer: Customer): Promise<void> {
  if (caller.via !== "form" && (caller.via !== "dashboard" || !customer.isAddressRestricted)) return;
  const approved = await selectAddresses(db, caller.userId);
  if (caller.via === "dashboard" && approved.length === 0) return;
  const address = normalizeAddress(caller.clientAddress);
  if (address === undefined || !approved.includes(address)) throw new AppError("ADDRESS_NOT_APPROVED");
}

/** @throws AppError `SENDER_NOT_APPROVED` unless the name is one of the customer's, letter by letter. */
export async function checkSenderName(db: Queryable, userId: string, senderName: string): Promise<void> {
  if (!(await hasSenderName(db, userId, senderName))) throw new AppError("SENDER_NOT_APPROVED");
}

/** A reply leaves from the number that was written to: that needs no approval, as long as it is the customer's. */
async function checkSender(tx: Tx, userId: string, { senderName, isReply }: PricedRequest): Promise<void> {
  if (isReply !== true) return await checkSenderName(tx, userId, senderName);
  if (await hasInboundNumber(tx, { userId, number: senderName })) return;
  throw new AppError("SENDER_NOT_APPROVED", { message: "The number that was written to is not yours any more" });
}

/** Whether a customer may still send as this name: asked when a scheduled message's time has come. */
export async function maySendAs(
  db: Queryable,
  { userId, senderName }: { userId: string; senderName: string },
): Promise<boolean> {
  if (!(await hasSenderName(db, userId, senderName))) return false;
  const rules = await selectContentRules(db);
  return !rules.some((rule) => rule.action === "refuse" && isForEverywhere(rule) && meansSender(rule, senderName));
}

function isForEverywhere({ where, countries, networks }: ContentRule): boolean {
  return where === "sender" && countries.length === 0 && networks.length === 0;
}

/** When a scheduled message is sent, and the zone in which its customer thinks of that moment. */
export type SendTime = { sendAt: Date; timeZone: string; repeat?: AnchoredRepeat | undefined };

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

// What the numbers of test mode force before a send is accepted; what they force afterwards is the carrier's (`delivery/carriers/test`).
const TEST_REFUSALS = {
  limitReached: () => new AppError("LIMIT_REACHED", { message: "The number forces this: a sending limit is reached" }),
  rateLimited: () =>
    new AppError("RATE_LIMITED", {
      message: "The number forces this: too many calls",
      extra: { retryAfterSeconds: 1 },
    }),
  notSendable: () => new AppError("NOT_SENDABLE", { message: "The number forces this: the message cannot be sent" }),
} as const;

/** One such number in a list refuses the whole call, at the place in the order of checks where a live call would be refused. */
function refuseByTestNumber(phoneNos: Float64Array, outcome: keyof typeof TEST_REFUSALS): void {
  if (phoneNos.includes(testNumbers[outcome])) throw TEST_REFUSALS[outcome]();
}

/** The lists as they are, and the numbers that are always on one. */
function listTestNumbers({ dnd, optedOut }: ListedNumbers): ListedNumbers {
  return { dnd: new Set([...dnd, testNumbers.dnd]), optedOut: new Set([...optedOut, testNumbers.optedOut]) };
}
