import { timingSafeEqual } from "node:crypto";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { getSecretsKeys } from "../../../secrets/secrets-key.ts";
import { hashCode } from "./start-verification.ts";
import {
  lockVerification,
  markVerified,
  takeTry,
  type VerificationKey,
  type VerificationMode,
} from "./verification-store.ts";

type Judged = { kind: "verified" } | { kind: "wrong"; triesLeft: number };

/**
 * Checks the code that a person typed. Of several checks at once with the right code one succeeds, and wrong ones at once each cost a try.
 *
 * @throws AppError `CODE_WRONG` with `triesLeft`; `CODE_EXPIRED`; `ALREADY_DECIDED` after success; `NOT_FOUND` for what is another's, or was
 *   started with a key of the other mode.
 */
export async function checkVerification(
  deps: Pick<Deps, "db" | "clock" | "config">,
  key: VerificationKey & { mode: VerificationMode },
  code: string,
): Promise<void> {
  const secretsKeys = await getSecretsKeys(deps.config);
  const judged = await withTransaction(deps.db, async (tx): Promise<Judged> => {
    const found = await lockVerification(tx, key);
    if (found === undefined) throw new AppError("NOT_FOUND");
    if (found.state === "verified") throw new AppError("ALREADY_DECIDED");
    const now = deps.clock.now();
    if (found.state === "ended" || found.expiresAt <= now || found.triesLeft === 0) throw new AppError("CODE_EXPIRED");
    const isRight = secretsKeys.some((secret) =>
      timingSafeEqual(hashCode(secret, found.verificationId, code), found.codeHash),
    );
    if (!isRight) {
      await takeTry(tx, key);
      return { kind: "wrong", triesLeft: found.triesLeft - 1 };
    }
    await markVerified(tx, key, now);
    return { kind: "verified" };
  });
  // Thrown once the try is committed: a refusal inside would give it back.
  if (judged.kind === "wrong")
    throw new AppError("CODE_WRONG", { message: "This code is incorrect", extra: { triesLeft: judged.triesLeft } });
}
