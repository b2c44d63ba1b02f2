import type { SendAnswer } from "@ewebal/contract";
import { fingerprintOf, type Answer } from "../../db/idempotency.ts";
import type { Tx } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { publishChange } from "../../events/index.ts";
import type { BodyReader } from "./body-reader.ts";
import type { Caller } from "./check-sender.ts";
import { deleteDraftRow } from "./draft-store.ts";
import type { SendRequest } from "./read-send.ts";
import { sendMessage } from "./send-message.ts";
import { sendOnce } from "./send-once.ts";

/**
 * Sends a draft, as it is or with other fields, by the rules of every send; a sent draft is gone.
 *
 * @param tx open transaction.
 * @param send request undefined sends the draft as it is.
 * @throws AppError `NOT_FOUND`, also when another request has just sent it; `VALIDATION` when what the draft holds cannot
 *   be sent; and as `sendMessage`. Then the draft is still there.
 */
export async function sendDraft(
  deps: Deps & { bodies: BodyReader },
  tx: Tx,
  caller: Caller,
  send: { draftId: string; key: string | undefined; request: SendRequest | undefined },
): Promise<Answer<SendAnswer>> {
  const { userId } = caller;
  const fields = send.request === undefined ? undefined : Buffer.from(send.request.fingerprint).toString("hex");
  const fingerprint = fingerprintOf({ draftId: send.draftId, fields });
  return await sendOnce(tx, { userId, scope: "send-draft-sms", key: send.key, fingerprint }, async () => {
    // Deleting first lets a second click wait here, and find nothing once this one has sent.
    const draft = await deleteDraftRow(tx, { userId, draftId: send.draftId });
    if (draft === undefined) throw new AppError("NOT_FOUND");
    const request = send.request ?? (await deps.bodies.read("send-fields", draft, draft.phoneNo.length));
    const answer = await sendMessage(deps, tx, caller, request);
    await publishChange(tx, { userId, topics: ["drafts"] });
    return answer;
  });
}
