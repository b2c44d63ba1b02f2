/**
 * What becomes of a send, and when: the one decision that every way in passes (page, draft, catalog, schedule, edit, resend, reply, test,
 * GET call, program). What it decides for a moment the engine decides again, for whole lanes, at the moment itself (`engine/quiet-lanes.ts`).
 */
import { meansSender, TextSearch, type ContentRule, type MessageClass } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Customer } from "../../accounts/index.ts";
import { hasHandedOver, openingFor, readQuietHours } from "../../delivery/index.ts";
import { networkOf } from "../read-body/merge-texts.ts";
import { selectContentRules } from "../rules/content-rule-store.ts";
import { isForCode, refusedBy } from "../rules/content-rules.ts";
import type { PricedRequest } from "./merge-send.ts";

/** A reply waits for no quiet hours this long after the message that it answers. */
export const ANSWER_MS = 24 * 3_600_000;

/** @property note why an administrator looks at it; undefined where only an approver does. */
export type Review = { note: string | undefined; awaitsApproval: boolean };

export type Verdict = {
  /** When the first of it leaves, where it waits for quiet hours to end. */
  deferredUntil: Date | undefined;
  /** Set where somebody looks at it before it is sent: an approver of the account, then an administrator. */
  review: Review | undefined;
  warnings: { pattern: string; note: string }[];
};

/** @returns the class of a send: promotional unless it says otherwise. */
export function classOf({ class: messageClass }: Pick<PricedRequest, "class">): MessageClass {
  return messageClass ?? "promotional";
}

/**
 * Whether the customer may send messages of this class, and the class what is asked of it.
 *
 * @throws AppError `CLASS_NOT_ALLOWED`; `VALIDATION` for DND numbers that a promotional message is to reach.
 */
export function checkClass(customer: Customer, request: PricedRequest): void {
  if (classOf(request) === "transactional") {
    if (!customer.maySendTransactional && request.secret === undefined) throw new AppError("CLASS_NOT_ALLOWED");
  } else if (request.dnd === "send") {
    throw fieldError("dnd", "can be send only with the class transactional");
  }
}

type Asked = {
  userId: string;
  request: PricedRequest;
  /** Distinct numbers that are charged. */
  chargedCount: number;
  /** The time that it is scheduled for, or now. */
  leavesAt: Date;
  /** A test leaves at any hour: it reaches nobody. */
  isForTest?: boolean;
  /** More recipients than this wait for an approver; undefined: none do. */
  waitsAbove?: number | undefined;
};

/** @throws AppError `NOT_SENDABLE` with the note of the rule that it breaks. */
export async function decideSend(deps: Pick<Deps, "config">, tx: Tx, asked: Asked): Promise<Verdict> {
  const { request, leavesAt } = asked;
  const lane = { code: request.code, class: classOf(request), waitsForHours: waitsForHours(request) };
  const hours = lane.waitsForHours && asked.isForTest !== true ? await readQuietHours(deps, tx) : [];
  const broken = findBroken(request, await selectContentRules(tx));
  const refused = broken.find(({ action }) => action === "refuse");
  if (refused !== undefined) throw refusedBy(refused);
  const why = broken
    .filter(({ action }) => action === "review")
    .map(({ pattern, note }) => note || `It has "${pattern}"`);
  why.push(...(await findLargeSend(deps, tx, asked)));
  return {
    deferredUntil: openingFor(hours, lane, leavesAt),
    review: reviewFor(asked, why),
    warnings: broken.filter(({ action }) => action === "warn").map(({ pattern, note }) => ({ pattern, note })),
  };
}

function reviewFor({ chargedCount, waitsAbove }: Asked, why: readonly string[]): Review | undefined {
  if (chargedCount === 0) return undefined;
  const awaitsApproval = waitsAbove !== undefined && chargedCount > waitsAbove;
  if (why.length === 0 && !awaitsApproval) return undefined;
  return { note: why.length === 0 ? undefined : why.join("; "), awaitsApproval };
}

function waitsForHours(request: PricedRequest): boolean {
  return classOf(request) === "promotional" && request.isAnswer !== true;
}

/** Merged texts were looked through when they were made. */
function findBroken(request: PricedRequest, rules: readonly ContentRule[]): ContentRule[] {
  const own = rules.filter((rule) => isForCode(rule, request.code));
  if (own.length === 0) return [];
  const senders = own.filter((rule) => rule.where === "sender" && meansSender(rule, request.senderName));
  if (request.merged?.brokenRules !== undefined)
    return [...senders.filter((rule) => reaches(rule, request)), ...request.merged.brokenRules];
  // Without networks first: which of a million numbers are a network's is asked for what the text breaks alone.
  const search = new TextSearch(own.map((rule) => ({ ...rule, networks: [] })));
  search.look(request.message, () => "");
  const texts = own.filter((_, index) => search.found.has(index));
  return [...senders, ...texts].filter((rule) => reaches(rule, request));
}

/** Whether any recipient is of a network that the rule is for. */
function reaches({ networks }: ContentRule, { recipients }: PricedRequest): boolean {
  if (networks.length === 0) return true;
  const wanted = new Set(networks.map((name) => name.toLowerCase()));
  return recipients.valid.some((phoneNo) => wanted.has(networkOf(phoneNo).toLowerCase()));
}

async function findLargeSend(
  { config }: Pick<Deps, "config">,
  tx: Tx,
  { userId, chargedCount }: Asked,
): Promise<string[]> {
  const { first, any } = config.reviewAbove;
  if (any !== undefined && chargedCount > any) return [`More than ${any.toLocaleString("en")} recipients`];
  if (first === undefined || chargedCount <= first || (await hasHandedOver(tx, userId))) return [];
  return [`The account's first message, to more than ${first.toLocaleString("en")} recipients`];
}
