import type { SendAnswer } from "@ewebal/contract";
import { fingerprintOf, type Answer } from "../../../db/idempotency.ts";
import type { Tx } from "../../../db/transaction.ts";
import { AppError } from "../../../base/errors.ts";
import { draftSent, publishChange } from "../../../events/index.ts";
import type { Caller } from "../send/check-sender.ts";
import { deleteDraftRow } from "./draft-store.ts";
import type { ResolvedSend } from "../send/resolve-send.ts";
import type { SendDeps } from "../send/send-deps.ts";
import { sendMessage } from "../send/send-message.ts";
import { sendOnce } from "../send/send-once.ts";

/**
 * Sends a draft, as it is or with other fields, by the rules of every send; a sent draft is gone.
 *
 * @param tx open transaction.
 * @param draft send undefined sends the draft as it is.
 * @throws AppError `NOT_FOUND`, also when another request has just sent it; `VALIDATION` when what the draft holds cannot
 *   be sent; and as `sendMessage`. Then the draft is still there.
 */
export async function sendDraft(
  deps: SendDeps,
  tx: Tx,
  caller: Caller,
  { draftId, key, send }: { draftId: string; key: string | undefined; send: ResolvedSend | undefined },
): Promise<Answer<SendAnswer>> {
  const { userId } = caller;
  const fields = send === undefined ? undefined : Buffer.from(send.fingerprint).toString("hex");
  const fingerprint = fingerprintOf({ draftId, fields });
  return await sendOnce(tx, { userId, scope: "send-draft-sms", key, fingerprint }, async () => {
    // Deleting first lets a second click wait here, and find nothing once this one has sent.
    const draft = await deleteDraftRow(tx, { userId, draftId });
    if (draft === undefined) throw new AppError("NOT_FOUND");
    const request = send?.getRequest() ?? (await deps.bodies.read("send-fields", draft, draft.phoneNo.length));
    const answer = await sendMessage(deps, tx, caller, request);
    await publishChange(tx, draftSent(userId));
    return answer;
  });
}
