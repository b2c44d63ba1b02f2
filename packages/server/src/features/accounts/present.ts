import { unitsForJson, type UserAnswer } from "@ewebal/contract";
import type { User } from "./users/user-store.ts";
import type { UserSummary } from "./users/view-users.ts";

/** @param freeMilli what the customer can spend, in thousandths of a unit. */
export function presentUser(user: User, summary: UserSummary, freeMilli: number): UserAnswer {
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
    senderID: summary.senderNames,
    createdAt: user.createdAt.toISOString(),
    ...(user.lastSignInAt !== undefined && { lastSignInAt: user.lastSignInAt.toISOString() }),
    sms: sms.newestIds,
    draft: draft.newestIds,
    phonebook: phonebook.newestIds,
    transfers: transfers.newestIds,
    counts: { sms: sms.count, draft: draft.count, phonebook: phonebook.count, transfers: transfers.count },
  };
}
