import type { resendableStates } from "@ewebal/contract";
import { fingerprintOf } from "../../../db/idempotency.ts";
import { AppError } from "../../../base/errors.ts";
import { getMessage, readNumbersInStates } from "../../delivery/index.ts";
import type { Caller } from "./check-send.ts";
import { BYTES_PER_NUMBER, sendMessage, sendOnce, type SendDeps, type SendOutcome } from "./send.ts";

export type ResendRequest = {
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
  const { counts } = await getMessage(deps.db, { userId, messageId });
  const byteLength = states.reduce((sum, state) => sum + counts[state], 0) * BYTES_PER_NUMBER;
  const fingerprint = fingerprintOf({ messageId, states: states.join(",") });
  return await deps.inTurn(byteLength, (tx) =>
    sendOnce(tx, { userId, scope: "resend-failed", key, fingerprint }, async () => {
      const { senderName, body, code } = await getMessage(tx, { userId, messageId });
      const phoneNo = await readNumbersInStates(tx, { userId, messageId }, states);
      if (phoneNo === "")
        throw new AppError("STATE_CONFLICT", { message: "No recipient of this message is left to send to again" });
      const read = await deps.bodies.read("send-fields", { senderName, message: body, code, phoneNo }, phoneNo.length);
      return await sendMessage(deps, tx, caller, read);
    }),
  );
}
