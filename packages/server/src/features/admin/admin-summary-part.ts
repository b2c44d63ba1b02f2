import type { UserSummaryPart } from "../accounts/index.ts";
import { selectAdminEmails } from "./admin-store.ts";

/** A customer is an administrator as well when both proved the same mailbox. */
export const adminSummaryPart: UserSummaryPart = async (db, users) => {
  const verified = users.filter(({ isVerified }) => isVerified);
  const emails = await selectAdminEmails(
    db,
    verified.map(({ email }) => email),
  );
  return new Map(verified.map(({ userId, email }) => [userId, { isAdmin: emails.has(email) }]));
};
