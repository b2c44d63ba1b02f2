import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { administratorsChanged, publishChange } from "../../../events/index.ts";
import { writeMail } from "../../../mail/index.ts";
import { findTokenOwner, listSecrets, issueToken, revokeTokens, useToken } from "../../accounts/index.ts";
import { lockOwners } from "../team/team-store.ts";
import { letIn } from "../team/let-in.ts";
import { verifyAdminMail } from "../admin-mails.ts";
import { hashOtpCode, isSameHash, OTP_WRONG_TRIES_MAX } from "./otp-code.ts";
import { isAlive } from "./register-admin.ts";
import { lockAdmin, markAdminVerified, countWrongOtp, lockOtp, markOtpUsed } from "../admin-store.ts";

type OtpOutcome =
  | { kind: "right" }
  | { kind: "linkInvalid" }
  | { kind: "dead"; adminId: string }
  | { kind: "wrong"; adminId: string; triesLeft: number };

/**
 * Checks the code of the OTP mail; the right one causes the verification mail.
 *
 * @throws AppError `LINK_INVALID`; `OTP_INVALID` for a code that is old, used or guessed at too often; `OTP_WRONG` with
 *   `triesLeft`.
 */
export async function verifyOtp(deps: Deps, token: string, code: string): Promise<void> {
  // A code does not name its key, so all keys are tried: one may have been replaced since the mail.
  const otpKeys = (await listSecrets(deps.db, "otp-key")).map(({ key }) => key);
  // A wrong try must stay counted, so the refusal is thrown after the commit.
  const outcome = await withTransaction(deps.db, async (tx) => await tryOtp(deps, tx, { token, code, otpKeys }));
  if (outcome.kind === "linkInvalid") throw new AppError("LINK_INVALID");
  if (outcome.kind === "right") return;
  const account = { kind: "admin" as const, id: outcome.adminId };
  if (outcome.kind === "dead") throw new AppError("OTP_INVALID", { account });
  throw new AppError("OTP_WRONG", { account, extra: { triesLeft: outcome.triesLeft } });
}

async function tryOtp(
  deps: Deps,
  tx: Tx,
  guess: { token: string; code: string; otpKeys: Buffer[] },
): Promise<OtpOutcome> {
  const adminId = await findTokenOwner(deps, tx, { purpose: "admin-otp", token: guess.token });
  const admin = adminId === undefined ? undefined : await lockAdmin(tx, { adminId });
  if (admin === undefined) return { kind: "linkInvalid" };
  const otp = await lockOtp(tx, admin.adminId);
  const now = deps.clock.now();
  if (otp === undefined || !isAlive(otp, now)) return { kind: "dead", adminId: admin.adminId };
  if (!guess.otpKeys.some((key) => isSameHash(otp.codeHash, hashOtpCode(key, admin.adminId, guess.code)))) {
    await countWrongOtp(tx, admin.adminId);
    return { kind: "wrong", adminId: admin.adminId, triesLeft: OTP_WRONG_TRIES_MAX - otp.wrongTries - 1 };
  }
  await markOtpUsed(tx, admin.adminId, now);
  await revokeTokens(tx, { purpose: "verify-admin", actorId: admin.adminId });
  const verifyToken = await issueToken(deps, tx, { purpose: "verify-admin", actorId: admin.adminId });
  await writeMail(deps, tx, verifyAdminMail(deps.config, admin, verifyToken));
  return { kind: "right" };
}

/**
 * Uses a verification link. The administrator may then sign in, or waits for an owner; see `let-in.ts`.
 *
 * @returns whether they may sign in.
 * @throws AppError `LINK_INVALID`.
 */
export async function verifyAdmin(deps: Deps, token: string, clientAddress: string): Promise<{ isIn: boolean }> {
  return await withTransaction(deps.db, async (tx) => {
    const adminId = await useToken(deps, tx, { purpose: "verify-admin", token });
    if (adminId === undefined) throw new AppError("LINK_INVALID");
    await lockOwners(tx);
    const admin = await lockAdmin(tx, { adminId });
    if (admin === undefined || admin.isRemoved) throw new AppError("LINK_INVALID");
    await markAdminVerified(tx, adminId, deps.clock.now());
    const isIn = await letIn(deps, tx, admin, clientAddress);
    await publishChange(tx, administratorsChanged());
    return { isIn };
  });
}
