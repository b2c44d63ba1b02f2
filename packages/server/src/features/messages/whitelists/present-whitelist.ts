import type { WhitelistRequestAnswer } from "@ewebal/contract";
import type { WhitelistRequest } from "./whitelist-store.ts";

/** As its customer sees it: that it will be looked at twice, not why, because the reason may speak of other customers. */
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
