/**
 * An administrator's registration: registered -> code entered -> mailbox verified. An unverified administrator cannot sign in.
 * A registration whose code or link no longer works can be replaced by another one of the same mailbox.
 */
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { clientKey } from "../../../http/rate-limits/client-address.ts";
import { assertTriesLeft, countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { writeMail } from "../../../mail/index.ts";
import {
  assertPasswordAllowed,
  getSecret,
  hashPassword,
  hasLiveToken,
  isCompanyAddress,
  issueToken,
  revokeTokens,
  turnOf,
} from "../../accounts/index.ts";
import { otpMail } from "../admin-mails.ts";
import {
  type Admin,
  findAdminByEmail,
  insertAdmin,
  lockAdmin,
  replaceRegistration,
  lockOtp,
  putOtp,
  type StoredOtp,
} from "../admin-store.ts";
import { hasInvitation, lockOwners, selectOwners } from "../team/team-store.ts";
import {
  hashOtpCode,
  makeOtpCode,
  OTP_LIFE_MS,
  OTP_WRONG_TRIES_MAX,
  REGISTRATION_LIFE_MS,
  REGISTRATION_WRONG_TRIES_MAX,
} from "./otp-code.ts";
export type AdminRegistration = {
  adminName: string;
  adminFullName: string;
  email: string;
  contact: string;
  password: string;
};

/**
 * Registers a company mailbox as an administrator and mails the code with the link to its page: without the mailbox nobody can
 * even try codes.
 *
 * @throws AppError `HOST_NOT_ALLOWED`; `EMAIL_TAKEN` for administrators and registrations that can still be finished; `VALIDATION` for a
 *   common password; `RATE_LIMITED`.
 */
export async function registerAdmin(deps: Deps, registration: AdminRegistration, clientAddress: string): Promise<void> {
  const { password, ...facts } = registration;
  if (!isCompanyAddress(deps.config, facts.email)) throw new AppError("HOST_NOT_ALLOWED");
  assertPasswordAllowed(password, [deps.config.brand.name, facts.email, facts.adminName, facts.adminFullName]);
  // Both are checked before the expensive hash.
  if ((await findAdminByEmail(deps.db, facts.email))?.isVerified === true) throw new AppError("EMAIL_TAKEN");
  await assertTriesLeft(deps, deps.db, rateRules.mailFrom, clientKey(clientAddress));
  const fresh = {
    ...facts,
    adminId: uuidv7(),
    passwordHash: await hashPassword(password, turnOf(deps, clientAddress)),
    createdAt: deps.clock.now(),
  };
  const otpKey = await getSecret(deps.db, "otp-key");
  await withTransaction(deps.db, async (tx) => {
    let adminId = fresh.adminId;
    let tries = { registeredAt: fresh.createdAt, registrationWrongTries: 0 };
    if (!(await insertAdmin(tx, fresh))) {
      const earlier = await lockAdmin(tx, { email: fresh.email });
      if (earlier === undefined) throw new AppError("EMAIL_TAKEN");
      tries = await takeOver(deps, tx, earlier);
      adminId = earlier.adminId;
      await replaceRegistration(tx, adminId, fresh);
    }
    await countTry(deps, tx, rateRules.mailToFrom, fresh.email, clientKey(clientAddress));
    await countTry(deps, tx, rateRules.mailFrom, clientKey(clientAddress));
    await countTry(deps, tx, rateRules.mailTo, fresh.email);
    const code = makeOtpCode();
    const expiresAt = new Date(fresh.createdAt.getTime() + OTP_LIFE_MS);
    await putOtp(tx, { adminId, codeHash: hashOtpCode(otpKey, adminId, code), expiresAt, ...tries });
    await revokeTokens(tx, { purpose: "admin-otp", actorId: adminId });
    const token = await issueToken(deps, tx, { purpose: "admin-otp", actorId: adminId });
    await writeMail(deps, tx, otpMail(deps.config, fresh, { token, code }));
  });
}

/**
 * @returns the wrong tries of the last day, which the new registration inherits.
 * @throws AppError `EMAIL_TAKEN` while the earlier one can still be finished.
 */
async function takeOver(
  deps: Deps,
  tx: Tx,
  earlier: Admin,
): Promise<Pick<StoredOtp, "registeredAt" | "registrationWrongTries">> {
  const otp = await lockOtp(tx, earlier.adminId);
  const now = deps.clock.now();
  if (earlier.isRemoved && (await hasInvitation(tx, earlier.email, now)))
    return { registeredAt: now, registrationWrongTries: 0 };
  // An approved administrator who verifies a new mailbox is not a registration that somebody may replace.
  if (earlier.isRemoved || earlier.isApproved) throw new AppError("EMAIL_TAKEN");
  if (earlier.isVerified || otp === undefined || isAlive(otp, now)) throw new AppError("EMAIL_TAKEN");
  if (await hasLiveToken(deps, tx, { purpose: "verify-admin", actorId: earlier.adminId }))
    throw new AppError("EMAIL_TAKEN");
  const endsAtMs = otp.registeredAt.getTime() + REGISTRATION_LIFE_MS;
  if (endsAtMs <= now.getTime()) return { registeredAt: now, registrationWrongTries: 0 };
  if (otp.registrationWrongTries >= REGISTRATION_WRONG_TRIES_MAX) {
    throw new AppError("RATE_LIMITED", { extra: { retryAfterSeconds: Math.ceil((endsAtMs - now.getTime()) / 1000) } });
  }
  return { registeredAt: otp.registeredAt, registrationWrongTries: otp.registrationWrongTries };
}

/** Whether a code may still be tried. */
export function isAlive(otp: StoredOtp, now: Date): boolean {
  const hasTries = otp.wrongTries < OTP_WRONG_TRIES_MAX && otp.registrationWrongTries < REGISTRATION_WRONG_TRIES_MAX;
  return !otp.isUsed && hasTries && otp.expiresAt.getTime() > now.getTime();
}

/**
 * Makes an administrator whose mailbox needs no proof, for the demo and for seeds. The first administrator is owner.
 *
 * @returns undefined when the address is taken.
 */
export async function addVerifiedAdmin(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  { password, ...facts }: AdminRegistration,
): Promise<{ adminId: string } | undefined> {
  const now = deps.clock.now();
  const adminId = uuidv7();
  await lockOwners(tx);
  const role = (await selectOwners(tx)).length === 0 ? "owner" : "admin";
  const isNew = await insertAdmin(tx, {
    ...facts,
    adminId,
    passwordHash: await hashPassword(password),
    createdAt: now,
    verifiedAt: now,
    role,
  });
  return isNew ? { adminId } : undefined;
}
