import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { isUniqueViolation } from "../../../db/sql-state.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { administratorsChanged, publishChange } from "../../../events/index.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { writeMail } from "../../../mail/index.ts";
import {
  checkOwnPassword,
  endSessionsOf,
  isCompanyAddress,
  issueToken,
  revokeTokens,
  type UserSummaryPart,
} from "../../accounts/index.ts";
import { adminEmailChangedMail, verifyNewEmailMail } from "../admin-mails.ts";
import {
  type Admin,
  type AdminFacts,
  findAdmin,
  lockAdmin,
  selectAdminEmails,
  updateAdminFacts,
} from "../admin-store.ts";
import { administrators } from "../sign-in/admin-passwords.ts";

/**
 * An administrator changes their own record. Nobody can sign in with a new e-mail until its link is used, because the address
 * decides which customer account belongs to them.
 *
 * @returns the record as it is now, and whether every session has ended.
 * @param facts password: the administrator's own, for a new e-mail.
 * @throws AppError `HOST_NOT_ALLOWED`; `PASSWORD_REQUIRED`; `PASSWORD_WRONG`, throttled like a sign-in; `EMAIL_TAKEN`; `RATE_LIMITED`.
 */
export async function updateAdminProfile(
  deps: Deps,
  adminId: string,
  { password, ...facts }: AdminFacts & { password?: string | undefined },
  clientAddress: string,
): Promise<{ admin: Admin; isEmailNew: boolean }> {
  if ((await findAdmin(deps.db, adminId))?.email !== facts.email) {
    if (!isCompanyAddress(deps.config, facts.email)) throw new AppError("HOST_NOT_ALLOWED");
    if (password === undefined) throw new AppError("PASSWORD_REQUIRED");
    await checkOwnPassword(deps, administrators, { actorId: adminId, password, clientAddress });
  }
  return await withTransaction(deps.db, async (tx) => {
    const before = await lockAdmin(tx, { adminId });
    if (before === undefined) throw new AppError("AUTH_REQUIRED");
    const isEmailNew = facts.email !== before.email;
    // Another call of the same person may have changed the e-mail since the password was checked.
    if (isEmailNew && password === undefined) throw new AppError("PASSWORD_REQUIRED");
    const admin = await store(deps, tx, before, { ...facts, isVerified: !isEmailNew });
    if (isEmailNew) await proveNewEmail(deps, tx, { before, after: admin });
    await deps.recordAudit(tx, {
      adminId,
      action: "update-admin-profile",
      subjectId: adminId,
      ...changedFacts(before, admin),
      clientAddress,
    });
    await publishChange(tx, administratorsChanged());
    return { admin, isEmailNew };
  });
}

async function store(deps: Deps, tx: Tx, before: Admin, facts: AdminFacts & { isVerified: boolean }): Promise<Admin> {
  try {
    return await updateAdminFacts(tx, before.adminId, { ...facts, updatedAt: deps.clock.now() });
  } catch (error) {
    if (isUniqueViolation(error, "admin_email_key")) throw new AppError("EMAIL_TAKEN", { cause: error });
    throw error;
  }
}

async function proveNewEmail(deps: Deps, tx: Tx, { before, after }: Record<"before" | "after", Admin>): Promise<void> {
  const { adminId } = after;
  await countTry(deps, tx, rateRules.mailToFrom, after.email, adminId);
  await countTry(deps, tx, rateRules.mailTo, after.email);
  // A link in the old mailbox must not open the account of the new one.
  for (const purpose of ["verify-admin", "reset-admin-password"] as const)
    await revokeTokens(tx, { purpose, actorId: adminId });
  const token = await issueToken(deps, tx, { purpose: "verify-admin", actorId: adminId });
  await writeMail(deps, tx, verifyNewEmailMail(deps.config, after, token));
  await writeMail(deps, tx, adminEmailChangedMail(deps.config, before, after.email));
  await endSessionsOf(tx, { kind: "admin", actorId: adminId });
}

const factNames = ["adminName", "adminFullName", "email", "contact"] as const;

function changedFacts(before: Admin, after: Admin): { before: Partial<AdminFacts>; after: Partial<AdminFacts> } {
  const changed = factNames.filter((name) => before[name] !== after[name]);
  const pick = (admin: Admin): Partial<AdminFacts> => Object.fromEntries(changed.map((name) => [name, admin[name]]));
  return { before: pick(before), after: pick(after) };
}

/** @throws AppError `NOT_FOUND`. */
export async function viewAdmin(deps: Pick<Deps, "db">, adminId: string): Promise<Admin> {
  const admin = await findAdmin(deps.db, adminId);
  if (admin === undefined) throw new AppError("NOT_FOUND");
  return admin;
}

/** A customer is also an administrator when both verified the same mailbox. */
export const adminSummaryPart: UserSummaryPart = async (db, users) => {
  const verified = users.filter(({ isVerified }) => isVerified);
  const emails = await selectAdminEmails(
    db,
    verified.map(({ email }) => email),
  );
  return new Map(verified.map(({ userId, email }) => [userId, { isAdmin: emails.has(email) }]));
};
