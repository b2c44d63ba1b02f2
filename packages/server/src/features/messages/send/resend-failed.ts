import { TEXT_NOT_KEPT, type resendableStates } from "@ewebal/contract";
import { AppError } from "../../../base/errors.ts";
import { fingerprintOf } from "../../../db/idempotency.ts";
import { getMessage, readNumbersInStates } from "../../delivery/index.ts";
import { choicesOf, type SendChoices } from "../read-body/read-send.ts";
import type { Caller } from "./check-send.ts";
import { isCodeMessage } from "../verifications/verification-store.ts";
import { mergeTexts } from "./merge-send.ts";
import type { SendOutcome } from "./present-send.ts";
import { sendMessage, sendOnce } from "./send-message.ts";
import { BYTES_PER_NUMBER, choicesOfMessage, type SendDeps } from "./send.ts";

type ResendRequest = SendChoices & {
  messageId: string;
  states: readonly (typeof resendableStates)[number][];
  key: string | undefined;
};

/**
 * Sends the text and the sender name of a message again, as a new message at today's price, to those of its recipients that
 * are in the given states at this moment. The rules are those of every send.
 *
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` when there is no such recipient; and as `sendMessage`.
 */
export async function resendFailed(deps: SendDeps, caller: Caller, request: ResendRequest): Promise<SendOutcome> {
  const { userId } = caller;
  const { messageId, key } = request;
  const states = [...new Set(request.states)].toSorted();
  // What a test sent is sent again by a test alone.
  const { counts } = await getMessage(deps.db, { userId, messageId, mode: "live" });
  const byteLength = states.reduce((sum, state) => sum + counts[state], 0) * BYTES_PER_NUMBER;
  const fingerprint = fingerprintOf({ messageId, states: states.join(","), ...choicesOf(request) });
  return await deps.inTurn(byteLength, (tx) =>
    sendOnce(tx, { userId, scope: "resend-failed", key, fingerprint }, async () => {
      if (await isCodeMessage(tx, { userId, messageId }))
        throw new AppError("STATE_CONFLICT", { message: "The code of this message is gone. Send a new one" });
      const before = await getMessage(tx, { userId, messageId });
      const { senderName, body, code, isMerged, hasOptOutLink } = before;
      if (body === TEXT_NOT_KEPT)
        throw new AppError("STATE_CONFLICT", { message: "The text of this message is no longer kept" });
      const { phoneNo, personal } = await readNumbersInStates(tx, { userId, messageId, isMerged }, states);
      if (phoneNo === "")
        throw new AppError("STATE_CONFLICT", { message: "No recipient of this message is left to send to again" });
      const choices = request.class === undefined ? choicesOfMessage(before) : choicesOf(request);
      const fields = { senderName, message: body, code, phoneNo, ...choices, knownKeys: personal?.keys };
      const read = await deps.bodies.read("send-fields", fields, phoneNo.length);
      return await sendMessage(
        deps,
        tx,
        caller,
        await mergeTexts(deps, { ...read, personal, optOutLink: hasOptOutLink }),
      );
    }),
  );
}
