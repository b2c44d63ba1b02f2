import type { WhitelistRequestAnswer } from "@ewebal/contract";
import type { Gift } from "./give-sender-names.ts";
import type { WhitelistRequest } from "./whitelist-store.ts";

/** As its customer sees it: that it is checked twice, and not why, because the reason may name other customers. */
export function presentRequest(request: WhitelistRequest): WhitelistRequestAnswer {
  return {
    _id: request.requestId,
    userID: request.userId,
    email: request.email,
    ...(request.senderName !== null && { senderName: request.senderName }),
    ...(request.address !== null && { ip: request.address }),
    state: request.state,
    ...(request.reason !== "" && { reason: request.reason }),
    flagged: request.warnings.length > 0 || request.lookAlike !== null,
    createdAt: request.createdAt.toISOString(),
  };
}

/** As administrators see it. */
export function presentRequestForAdmin(request: WhitelistRequest): WhitelistRequestAnswer {
  const lookAlike = request.lookAlike === null ? [] : [`Looks like ${request.lookAlike} of another customer`];
  const waiting =
    request.approvedFirstBy === null
      ? []
      : [`Approved by ${request.approvedFirstBy}; waits for a second administrator`];
  return { ...presentRequest(request), warnings: [...request.warnings, ...lookAlike, ...waiting] };
}

type WaitingAnswer = { message: string; data: { _id: string } };

export function presentWaitingRequest(approvalId: string): WaitingAnswer {
  return { message: "This sender name waits for a second administrator", data: { _id: approvalId } };
}

/** 202: at least one of the names waits for a second administrator. */
export function presentGift({
  newNames,
  waiting,
}: Gift): { status: 200; body: { message: string } } | { status: 202; body: WaitingAnswer } {
  const given = `Approved: ${newNames.join(", ")}`;
  if (waiting === undefined) {
    const message = newNames.length > 0 ? given : "The customer has this sender name already";
    return { status: 200, body: { message } };
  }
  const message = `${newNames.length > 0 ? `${given}. ` : ""}Waiting for a second administrator: ${waiting.names.join(", ")}`;
  return { status: 202, body: { message, data: { _id: waiting.approvalId } } };
}
