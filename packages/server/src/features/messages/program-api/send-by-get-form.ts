/**
 * The GET form: the call that carries everything in its URL, as specified. Four rules make it bearable: it needs an approved
 * IP address, takes an API key in the password's place, is never logged, and answers the same URL within 60 s with the first
 * outcome, so that a browser or a proxy that asks twice sends once.
 */
import { createHash } from "node:crypto";
import { AppError } from "../../../base/errors.ts";
import { forgetOutcomeBefore } from "../../../db/idempotency.ts";
import { findProgramOwner, isAddressAllowed, requireScope } from "../../accounts/index.ts";
import { countSend } from "../limits/call-limit.ts";
import type { SendOutcome } from "../send/present-send.ts";
import type { SendChoices } from "../read-body/read-send.ts";
import { sendMessage, sendOnce } from "../send/send-message.ts";
import type { SendDeps } from "../send/send.ts";

const REPEAT_MS = 60_000;

type GetForm = SendChoices & {
  email: string;
  password: string;
  senderName: string;
  message: string;
  phoneNo: string;
  code: string;
};

/**
 * A key in the password's place binds the call by its own addresses and scopes as well.
 *
 * @throws AppError `AUTH_REQUIRED` unless key or password are the account's; then as any send.
 */
export async function sendByGetForm(deps: SendDeps, form: GetForm, clientAddress: string): Promise<SendOutcome> {
  const { email, password, ...fields } = form;
  const { userId, program } = await findProgramOwner(deps, { email, password, clientAddress });
  await countSend(deps, userId);
  if (program !== undefined) {
    if (!isAddressAllowed(program, clientAddress)) throw new AppError("ADDRESS_NOT_APPROVED");
    requireScope(program, "messages:send");
  }
  const mode = program?.mode ?? "live";
  const request = await deps.bodies.read("send-fields", { ...fields, mode }, fields.phoneNo.length);
  const key = createHash("sha256").update(mode).update(request.fingerprint).digest("base64url");
  const scope = "send-by-form";
  return await deps.inTurn(fields.phoneNo.length, async (tx) => {
    await forgetOutcomeBefore(tx, { actorId: userId, scope, key }, REPEAT_MS);
    return await sendOnce(tx, { userId, scope, key, fingerprint: request.fingerprint }, () =>
      sendMessage(deps, tx, { userId, via: "form", mode, clientAddress }, request),
    );
  });
}
