import type { SendAnswer } from "@ewebal/contract";
import { answerOnce, type Answer } from "../../../db/idempotency.ts";
import type { Tx } from "../../../db/transaction.ts";

/** What tells one request from another. Without a key every request is one of its own. */
export type SendKey = {
  userId: string;
  scope: "send-bulk-sms" | "send-draft-sms" | "schedule-sms" | "resend-failed" | "send-by-form";
  key: string | undefined;
  fingerprint: Uint8Array;
};

/**
 * Does the work together with its key and its answer, so that a repeated request gets the first answer again and sends
 * nothing.
 *
 * @param tx open transaction, in which the work does everything it does.
 * @throws AppError `IDEMPOTENCY_CONFLICT` if the key was used for something else, and what the work throws; then the key is free.
 */
export async function sendOnce(
  tx: Tx,
  { userId, scope, key, fingerprint }: SendKey,
  work: () => Promise<Answer<SendAnswer>>,
): Promise<Answer<SendAnswer>> {
  if (key === undefined) return await work();
  return await answerOnce(tx, { actorId: userId, scope, key, fingerprint: Buffer.from(fingerprint) }, work);
}
