import type { SendAnswer } from "@ewebal/contract";
import type { Answer } from "../../../db/idempotency.ts";
import type { Caller } from "./check-sender.ts";
import type { SendInput } from "../read-body/read-send.ts";
import { resolveSend } from "./resolve-send.ts";
import type { SendDeps } from "./send-deps.ts";
import { sendMessage } from "./send-message.ts";
import { sendOnce } from "./send-once.ts";

/** `key`: the caller's `Idempotency-Key`. */
type SendBytes = { bytes: Buffer; key: string | undefined };
type TimedInput = SendInput & { time?: { sendAt: string; timeZone: string } };

/**
 * One send at once, from the bytes of its JSON to its answer, for the dashboard.
 *
 * @throws AppError `VALIDATION`, then the first check that fails.
 */
export async function sendNow(deps: SendDeps, caller: Caller, { bytes, key }: SendBytes): Promise<Answer<SendAnswer>> {
  // Reading moves the bytes of a large body to a thread; their length is gone afterwards.
  const { byteLength } = bytes;
  return await sendRead(deps, caller, {
    input: await deps.bodies.read("send-json", bytes, byteLength),
    byteLength,
    key,
  });
}

/** The same for programs, which may name a time: then 201, and the units are held until it comes. */
export async function sendForProgram(
  deps: SendDeps,
  caller: Caller,
  { bytes, key }: SendBytes,
): Promise<Answer<SendAnswer>> {
  const { byteLength } = bytes;
  return await sendRead(deps, caller, {
    input: await deps.bodies.read("program-json", bytes, byteLength),
    byteLength,
    key,
  });
}

async function sendRead(
  deps: SendDeps,
  caller: Caller,
  send: { input: TimedInput; byteLength: number; key: string | undefined },
): Promise<Answer<SendAnswer>> {
  const { userId } = caller;
  const { input } = send;
  const time = input.time && { sendAt: new Date(input.time.sendAt), timeZone: input.time.timeZone };
  const resolved = await resolveSend(deps, userId, input, send.byteLength);
  const key = { userId, scope: "send-bulk-sms", key: send.key, fingerprint: resolved.fingerprint } as const;
  return await deps.inTurn(resolved.byteLength, (tx) =>
    sendOnce(tx, key, () => sendMessage(deps, tx, caller, resolved.getRequest(), time)),
  );
}

/** 503 with `dnd` is a success that skipped listed numbers. */
export function isDndAnswer(answer: Answer<SendAnswer>): answer is Answer<SendAnswer & { dnd: true }> {
  return answer.body.dnd === true;
}

/** The answer of scheduling: `dnd` is left out where no listed number will be skipped. */
export function withDnd({ dnd, ...body }: SendAnswer): Omit<SendAnswer, "dnd"> & { dnd?: true } {
  return dnd === true ? { ...body, dnd } : body;
}
