/** What the calls of accounts answer. */
import {
  unitsForJson,
  type AccountAccessAnswer,
  type ApiKeyAnswer,
  type LoggedCallAnswer,
  type MadeKeyAnswer,
  type OwnedApiKeyAnswer,
  type SessionAnswer,
  type UsageDayAnswer,
  type UserAnswer,
} from "@ewebal/contract";
import type { ApiKey, OwnedApiKey } from "./api-keys/api-key-store.ts";
import type { MadeKey } from "./api-keys/api-keys.ts";
import type { ListedCall, UsageDay } from "./request-log/request-log-store.ts";
import type { AccountAccess } from "./sessions/account-access-store.ts";
import type { OwnSession } from "./sessions/manage-sessions.ts";
import type { Asker, UserRecord } from "./users/view-users.ts";

export function presentRegistration(userId: string) {
  const message = "Registration successful. Please check your mail to verify your account";
  return { message, data: { message, _id: userId } };
}

/** @param asker who of the account's people asks; undefined for administrators. */
export function presentUser({ user, summary, freeMilli }: UserRecord, asker?: Asker): UserAnswer {
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
    hasTwoFactor: asker?.member?.hasTwoFactor ?? user.hasTwoFactor,
    ...(user.maySendTransactional && { maySendTransactional: true as const }),
    senderID: summary.senderNames,
    ...presentAsker(asker),
    ...(user.closedAt !== null && { closedAt: user.closedAt.toISOString() }),
    createdAt: user.createdAt.toISOString(),
    ...(user.lastSignInAt !== null && { lastSignInAt: user.lastSignInAt.toISOString() }),
    sms: sms.newestIds,
    draft: draft.newestIds,
    phonebook: phonebook.newestIds,
    transfers: transfers.newestIds,
    counts: { sms: sms.count, draft: draft.count, phonebook: phonebook.count, transfers: transfers.count },
  };
}

function presentAsker(asker: Asker | undefined): Pick<UserAnswer, "member" | "accounts" | "acting"> {
  if (asker === undefined) return {};
  const { member, accounts, acting } = asker;
  return {
    ...(acting !== undefined && {
      acting: { adminName: acting.adminName, reason: acting.reason, endsAt: acting.endsAt.toISOString() },
    }),
    ...(member !== undefined && {
      member: {
        _id: member.userId,
        role: member.role,
        userName: member.userName,
        fullName: member.fullName,
        email: member.email,
      },
    }),
    ...(accounts.length > 1 && { accounts: accounts.map(({ userId, ...account }) => ({ _id: userId, ...account })) }),
  };
}

export function presentAccess({ accessId, adminName, reason, beganAt, endsAt }: AccountAccess): AccountAccessAnswer {
  return { _id: accessId, adminName, reason, beganAt: beganAt.toISOString(), endsAt: endsAt.toISOString() };
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

export function presentApiKey({ keyId, kind, publicName, binds, perSecond, ...key }: ApiKey): ApiKeyAnswer {
  const { name, mode, scopes, addresses, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = key;
  return {
    _id: keyId,
    name,
    kind,
    mode,
    scopes,
    addresses,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    ...(lastUsedAt !== null && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(lastUsedFrom !== null && { lastUsedFrom }),
    ...(publicName !== null && (kind === "twilio" ? { sid: publicName } : { systemId: publicName })),
    ...(binds !== null && { binds }),
    ...(perSecond !== null && { perSecond }),
  };
}

const SECRET_NAMES = { api: "key", twilio: "token", smpp: "password" } as const;

/** With its secret, under the name that its kind has for it. */
export function presentMadeKey(made: MadeKey): MadeKeyAnswer {
  return { ...presentApiKey(made), [SECRET_NAMES[made.kind]]: made.key };
}

export function presentCall({ callId, keyId, durationMs, calledAt, code, ...call }: ListedCall): LoggedCallAnswer {
  const times = { ms: durationMs, createdAt: calledAt.toISOString() };
  return { _id: callId, keyID: keyId, ...call, ...(code !== null && { code }), ...times };
}

export function presentUsageDay({ keyId, ...day }: UsageDay): UsageDayAnswer {
  return { keyID: keyId, ...day };
}

export function presentOwnedApiKey(key: OwnedApiKey): OwnedApiKeyAnswer {
  return { ...presentApiKey(key), userID: key.userId, userName: key.userName, email: key.email };
}
