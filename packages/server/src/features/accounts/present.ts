/** What the calls of accounts answer. */
import {
  unitsForJson,
  type ApiKeyAnswer,
  type OwnedApiKeyAnswer,
  type SessionAnswer,
  type UserAnswer,
} from "@ewebal/contract";
import type { ApiKey, OwnedApiKey } from "./api-keys/api-key-store.ts";
import type { OwnSession } from "./sessions/manage-sessions.ts";
import type { UserRecord } from "./users/view-users.ts";

export function presentRegistration(userId: string) {
  const message = "Registration successful. Please check your mail to verify your account";
  return { message, data: { message, _id: userId } };
}

export function presentUser({ user, summary, freeMilli }: UserRecord): UserAnswer {
  const { sms, draft, phonebook, transfers } = summary;
  return {
    _id: user.userId,
    userName: user.userName,
    fullName: user.fullName,
    email: user.email,
    phoneNo: user.phoneNo,
    units: unitsForJson(freeMilli),
    role: summary.isAdmin ? "admin" : "user",
    loginStatus: user.isSignedIn,
    verified: user.isVerified,
    blocked: user.isBlocked,
    isApproved: user.isApproved,
    hasTwoFactor: user.hasTwoFactor,
    ...(user.maySendTransactional && { maySendTransactional: true as const }),
    senderID: summary.senderNames,
    createdAt: user.createdAt.toISOString(),
    ...(user.lastSignInAt !== null && { lastSignInAt: user.lastSignInAt.toISOString() }),
    sms: sms.newestIds,
    draft: draft.newestIds,
    phonebook: phonebook.newestIds,
    transfers: transfers.newestIds,
    counts: { sms: sms.count, draft: draft.count, phonebook: phonebook.count, transfers: transfers.count },
  };
}

export function presentSession({ sessionId, device, ...session }: OwnSession): SessionAnswer {
  return {
    _id: sessionId,
    createdAt: session.createdAt.toISOString(),
    lastActiveAt: session.lastActiveAt.toISOString(),
    address: session.clientAddress,
    device,
    isCurrent: session.isCurrent,
  };
}

export function presentApiKey({ keyId, name, createdAt, expiresAt, lastUsedAt }: ApiKey): ApiKeyAnswer {
  const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
  return { _id: keyId, name, ...times, ...(lastUsedAt !== null && { lastUsedAt: lastUsedAt.toISOString() }) };
}

export function presentOwnedApiKey(key: OwnedApiKey): OwnedApiKeyAnswer {
  return { ...presentApiKey(key), userID: key.userId, userName: key.userName, email: key.email };
}
