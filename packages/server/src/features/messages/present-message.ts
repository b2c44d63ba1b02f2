import {
  findLikelyNetwork,
  MILLI_PER_UNIT,
  type DraftAnswer,
  type HeldMessageAnswer,
  type MessageAnswer,
  type RecipientAnswer,
} from "@ewebal/contract";
import type { HeldMessage, Message, Recipient } from "../delivery/index.ts";
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
    createdAt: message.createdAt.toISOString(),
    ...(message.sendAt !== undefined && { sendAt: message.sendAt.toISOString() }),
    ...(message.timeZone !== undefined && { timeZone: message.timeZone }),
    ...(message.hiddenAt !== undefined && { hiddenAt: message.hiddenAt.toISOString() }),
  };
}

export function presentRecipient(recipient: Recipient): RecipientAnswer {
  const phoneNo = String(recipient.phoneNo);
  const network = findLikelyNetwork(phoneNo)?.name ?? "";
  return {
    phoneNo,
    state: recipient.state,
    network,
    reason: recipient.reason,
    updatedAt: recipient.updatedAt.toISOString(),
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
