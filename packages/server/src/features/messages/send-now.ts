import type { SendAnswer } from "@ewebal/contract";
import type { Answer } from "../../db/idempotency.ts";
import type { Caller } from "./check-sender.ts";
import { resolveSend } from "./resolve-send.ts";
import type { SendDeps } from "./send-deps.ts";
import { sendMessage } from "./send-message.ts";
import { sendOnce } from "./send-once.ts";

/**
 * One send at once, from the bytes of its JSON to its answer, for the dashboard and for programs.
 *
 * @param send key: the caller's `Idempotency-Key`.
 * @throws AppError `VALIDATION`, then the first check that fails.
 */
export async function sendNow(deps: SendDeps, caller: Caller, send: { bytes: Buffer; key: string | undefined }): Promise<Answer<SendAnswer>> {
  const { userId } = caller;
  // Reading moves the bytes of a large body to a thread; their length is gone afterwards.
  const { byteLength } = send.bytes;
  const read = await deps.bodies.read("send-json", send.bytes, byteLength);
  const resolved = await resolveSend(deps, userId, read, byteLength);
  const key = { userId, scope: "send-bulk-sms", key: send.key, fingerprint: resolved.fingerprint } as const;
  return await deps.inTurn(resolved.byteLength, (tx) => sendOnce(tx, key, () => sendMessage(deps, tx, caller, resolved.getRequest())));
}

/** 503 with `dnd` is a success that skipped listed numbers. */
export function isDndAnswer(answer: Answer<SendAnswer>): answer is Answer<SendAnswer & { dnd: true }> {
  return answer.body.dnd === true;
}
