import { fingerprintOf } from "../../../db/idempotency.ts";
import { AppError } from "../../../base/errors.ts";
import { draftSent, publishChange } from "../../../events/index.ts";
import type { Caller } from "../send/check-send.ts";
import { resolveSend, sendMessage, sendOnce, type SendBytes, type SendDeps, type SendOutcome } from "../send/send.ts";
import { deleteDraftRow, findDraftLength } from "./draft-store.ts";

const EMPTY_OBJECT = Buffer.from("{}");

/**
 * Sends a draft, as it is or with other fields, by the rules of every send; a sent draft is gone.
 *
 * @param request bytes without any field send the draft as it is.
 * @throws AppError `NOT_FOUND`, also when another request has just sent it; `VALIDATION` when what the draft holds cannot
 *   be sent; and as `sendMessage`. Then the draft is still there.
 */
export async function sendDraft(
  deps: SendDeps,
  caller: Caller,
  { draftId, bytes, key }: SendBytes & { draftId: string },
): Promise<SendOutcome> {
  const { userId } = caller;
  const { byteLength } = bytes;
  const isAsItIs = byteLength === 0 || bytes.equals(EMPTY_OBJECT);
  const send = isAsItIs
    ? undefined
    : await resolveSend(deps, userId, await deps.bodies.read("send-json", bytes, byteLength), byteLength);
  // A draft that is gone has no length, and a repeated send still gets its first outcome.
  const sentBytes = send?.byteLength ?? (await findDraftLength(deps.db, { userId, draftId })) ?? 0;
  const fields = send === undefined ? undefined : Buffer.from(send.fingerprint).toString("hex");
  const fingerprint = fingerprintOf({ draftId, fields });
  return await deps.inTurn(sentBytes, (tx) =>
    sendOnce(tx, { userId, scope: "send-draft-sms", key, fingerprint }, async () => {
      // Deleting first lets a second click wait here, and find nothing once this one has sent.
      const draft = await deleteDraftRow(tx, { userId, draftId });
      if (draft === undefined) throw new AppError("NOT_FOUND");
      const request = send?.getRequest() ?? (await deps.bodies.read("send-fields", draft, draft.phoneNo.length));
      const outcome = await sendMessage(deps, tx, caller, request);
      await publishChange(tx, draftSent(userId));
      return outcome;
    }),
  );
}
