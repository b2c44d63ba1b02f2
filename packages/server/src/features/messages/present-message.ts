import {
  findLikelyNetwork,
  MILLI_PER_UNIT,
  outcomeReasons,
  type BreakdownAnswer,
  type DraftAnswer,
  type HeldMessageAnswer,
  type MessageAnswer,
  type RecipientAnswer,
} from "@ewebal/contract";
import type { HeldMessage, Message, Recipient, ViewedBreakdown } from "../delivery/index.ts";
import type { Draft } from "./drafts/draft-store.ts";

export function presentMessage(message: Message): MessageAnswer {
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
    state: message.state,
    counts: message.counts,
    units: {
      charged: message.units.chargedMilli / MILLI_PER_UNIT,
      reserved: message.units.reservedMilli / MILLI_PER_UNIT,
      returned: message.units.returnedMilli / MILLI_PER_UNIT,
    },
    createdAt: message.createdAt.toISOString(),
    ...(message.sendAt !== undefined && { sendAt: message.sendAt.toISOString() }),
    ...(message.timeZone !== undefined && { timeZone: message.timeZone }),
    ...(message.hiddenAt !== undefined && { hiddenAt: message.hiddenAt.toISOString() }),
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
  const { senderName, message, code, phoneNo, userName } = draft;
  const times = { createdAt: draft.createdAt.toISOString(), updatedAt: draft.updatedAt.toISOString() };
  return { _id: draft.draftId, userID: draft.userId, userName, senderName, message, code, phoneNo, ...times };
}

export function presentSavedDraft(draftId: string): { message: string; data: { _id: string } } {
  return { message: "Saved to your drafts", data: { _id: draftId } };
}

export function presentHeldMessage({ heldAt, heldFrom, ...message }: HeldMessage): HeldMessageAnswer {
  return { ...presentMessage(message), reason: "held after a restore", heldAt: heldAt.toISOString(), heldFrom };
}
