import {
  findLikelyNetwork,
  listRepeatTimes,
  MILLI_PER_UNIT,
  outcomeReasons,
  type AnchoredRepeat,
  type BreakdownAnswer,
  type DraftAnswer,
  type HeldMessageAnswer,
  type MessageAnswer,
  type OneMessageAnswer,
  type RecipientAnswer,
} from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import {
  deferralOf,
  readQuietHours,
  type ClickTotals,
  type HeldMessage,
  type Message,
  type Recipient,
  type ViewedBreakdown,
} from "../delivery/index.ts";
import { selectFullNames } from "../accounts/index.ts";
import type { Draft } from "./drafts/draft-store.ts";

/** Messages with what quiet hours make of them at this moment: `deferred`, and until when. */
export async function presentMessages(
  deps: Pick<Deps, "config" | "clock" | "db">,
  messages: readonly Message[],
): Promise<MessageAnswer[]> {
  const mayWait = messages.some(({ state }) => state === "sending" || state === "scheduled");
  const hours = mayWait ? await readQuietHours(deps, deps.db) : [];
  const now = deps.clock.now();
  const names = await selectFullNames(deps.db, [...new Set(messages.flatMap(({ sentBy }) => sentBy ?? []))]);
  return messages.map((message) => presentMessage(message, deferralOf(hours, message, now), names));
}

/** As `presentMessages`. */
export async function presentMessageNow(
  deps: Pick<Deps, "config" | "clock" | "db">,
  message: Message,
): Promise<MessageAnswer> {
  const [answer] = await presentMessages(deps, [message]);
  return answer ?? presentMessage(message, undefined);
}

/** @param names of the members who sent. */
function presentMessage(
  message: Message,
  deferredUntil: Date | undefined,
  names: ReadonlyMap<string, string> = new Map(),
): MessageAnswer {
  const sentBy = message.sentBy === undefined ? undefined : names.get(message.sentBy);
  return {
    _id: message.messageId,
    userID: message.userId,
    userName: message.userName,
    senderName: message.senderName,
    message: message.body,
    code: message.code,
    phoneNo: message.firstPhoneNos.join(","),
    recipients: message.recipientCount,
    pages: message.pageCount,
    price: message.priceMilli / MILLI_PER_UNIT,
    state: deferredUntil !== undefined && message.state === "sending" ? "deferred" : message.state,
    class: message.class,
    mode: message.mode,
    ...(message.class === "transactional" && !message.reachesDnd && { dnd: "skip" as const }),
    ...(deferredUntil && { deferredUntil: deferredUntil.toISOString() }),
    counts: message.counts,
    units: {
      charged: message.units.chargedMilli / MILLI_PER_UNIT,
      reserved: message.units.reservedMilli / MILLI_PER_UNIT,
      returned: message.units.returnedMilli / MILLI_PER_UNIT,
    },
    ...(message.hasOptOutLink && { optOutLink: true }),
    ...(message.isMerged && { isMerged: true }),
    createdAt: message.createdAt.toISOString(),
    ...(message.sendAt !== undefined && { sendAt: message.sendAt.toISOString() }),
    ...(message.timeZone !== undefined && { timeZone: message.timeZone }),
    ...presentRepeat(message),
    ...(message.validUntil !== undefined && { validUntil: message.validUntil.toISOString() }),
    ...(message.reference !== undefined && { reference: message.reference }),
    ...(message.origin !== undefined && { origin: message.origin }),
    ...(sentBy !== undefined && { sentBy }),
    ...(message.awaitsApproval && message.state === "review" && { awaitsApproval: true as const }),
    ...(message.hiddenAt !== undefined && { hiddenAt: message.hiddenAt.toISOString() }),
  };
}

/** Only what waits for its next time repeats. */
function presentRepeat({ repeat, sendAt, timeZone, state }: Message): Pick<MessageAnswer, "repeat" | "nextTimes"> {
  if (repeat === undefined || sendAt === undefined || timeZone === undefined || state !== "scheduled") return {};
  const { at: _at, ...asked } = repeat;
  return { repeat: asked, nextTimes: listNextTimes(repeat, { sendAt, timeZone }) };
}

const NEXT_TIMES = 3;

/** In UTC; the first is `sendAt`. */
export function listNextTimes(repeat: AnchoredRepeat, time: { sendAt: Date; timeZone: string }): string[] {
  return listRepeatTimes(repeat, time.timeZone, time.sendAt, NEXT_TIMES).map((next) => next.toISOString());
}

/** @param pageCounts where texts differ. */
export async function presentOneMessage(
  deps: Pick<Deps, "config" | "clock" | "db">,
  message: Message,
  clicks: ClickTotals,
  pageCounts: readonly { pages: number; count: number }[] = [],
): Promise<OneMessageAnswer> {
  const counts = pageCounts.map(({ pages, count }) => [String(pages), count] as const);
  return {
    ...(await presentMessageNow(deps, message)),
    clicks,
    ...(counts.length > 0 && { pageCounts: Object.fromEntries(counts) }),
  };
}

export function presentRecipient(recipient: Recipient): RecipientAnswer {
  const phoneNo = recipient.phoneNo === null ? "" : String(recipient.phoneNo);
  const network = findLikelyNetwork(phoneNo)?.name ?? "";
  return {
    phoneNo,
    state: recipient.state,
    network,
    reason: recipient.reason,
    text: recipient.text,
    pages: recipient.pageCount,
    ...(recipient.reference !== undefined && { reference: recipient.reference }),
    ...(recipient.clicks !== undefined && { clicks: recipient.clicks }),
    ...(recipient.advice !== "" && { advice: recipient.advice }),
    ...(recipient.carrierCode !== "" && { carrierCode: recipient.carrierCode }),
    updatedAt: recipient.updatedAt.toISOString(),
  };
}

export function presentBreakdown(viewed: ViewedBreakdown): BreakdownAnswer {
  const { countedAt, againInSeconds, points, failures, ...rest } = viewed;
  return {
    ...rest,
    ...(countedAt !== undefined && { countedAt: countedAt.toISOString() }),
    ...(againInSeconds !== undefined && { againInSeconds }),
    points: points.map(({ at, ...outcomes }) => ({ at: new Date(at * 1_000).toISOString(), ...outcomes })),
    failures: failures.map(({ kind, count, carrierCodes }) => {
      const { reason, advice } = outcomeReasons[kind];
      return { reason, ...(advice !== "" && { advice }), count, carrierCodes };
    }),
  };
}

export function presentDraft(draft: Draft): DraftAnswer {
  const { senderName, message, code, phoneNo, userName, class: messageClass, dnd, validUntil } = draft;
  const times = { createdAt: draft.createdAt.toISOString(), updatedAt: draft.updatedAt.toISOString() };
  const recipients = draft.recipients ?? undefined;
  const link = draft.optOutLink === true && { optOutLink: true as const };
  const choices = {
    ...(messageClass && { class: messageClass }),
    ...(dnd && { dnd }),
    ...(validUntil && { validUntil }),
  };
  const fields = { senderName, message, code, phoneNo, ...(recipients && { recipients }), ...link, ...choices };
  return { _id: draft.draftId, userID: draft.userId, userName, ...fields, ...times };
}

export function presentSavedDraft(draftId: string): { message: string; data: { _id: string } } {
  return { message: "Saved to your drafts", data: { _id: draftId } };
}

export function presentHeldMessage({ heldAt, heldFrom, ...message }: HeldMessage): HeldMessageAnswer {
  return {
    ...presentMessage(message, undefined),
    reason: "held after a restore",
    heldAt: heldAt.toISOString(),
    heldFrom,
  };
}
