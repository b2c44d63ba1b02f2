import { v7 as uuidv7 } from "uuid";
import type { z } from "zod";
import type { messageSchemas } from "@ewebal/contract";
import { AppError } from "../../../base/errors.ts";
import { fingerprintOf } from "../../../db/idempotency.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { findAccountNumber } from "../../accounts/index.ts";
import { choicesOf } from "../read-body/read-send.ts";
import type { Caller } from "./check-send.ts";
import { mergeTexts } from "./merge-send.ts";
import type { SendOutcome } from "./present-send.ts";
import { sendMessage, sendOnce } from "./send-message.ts";
import type { SendDeps } from "./send.ts";

type TestBody = z.infer<typeof messageSchemas.sendTest.body>;

/** Account numbers are Nigerian: the registration form takes no others. */
const ACCOUNT_CODE = "234";

/**
 * Sends a text to the account's own number, with these values in its fields, by the rules and at the price of every send.
 *
 * @throws AppError `RATE_LIMITED` for the eleventh within an hour, `FIELD_MISSING`, and as `sendMessage`.
 */
export async function sendTest(
  deps: SendDeps,
  caller: Caller,
  { body, key }: { body: TestBody; key: string | undefined },
): Promise<SendOutcome> {
  const { userId } = caller;
  const { senderName, message, fields, optOutLink, class: messageClass, dnd } = body;
  const phoneNo = await findAccountNumber(deps.db, userId);
  if (phoneNo === undefined) throw new AppError("AUTH_REQUIRED");
  // Kept without the code; written whole, so that nothing is told of a 0 that nobody dropped.
  const recipients = [{ to: phoneNo.replace(/^(?=[1-9]\d{9}$)/, ACCOUNT_CODE), fields }];
  const given = { senderName, message, code: ACCOUNT_CODE, recipients, optOutLink, ...choicesOf(body) };
  const request = await mergeTexts(deps, await deps.bodies.read("send-fields", given, message.length));
  const choices = { optOutLink, class: messageClass, dnd };
  const fingerprint = fingerprintOf({ senderName, message, fields: JSON.stringify(fields), ...choices });
  // A rule of the product, which holds with RATE_LIMITS=off, too.
  const counting = { ...deps, config: { isRateLimited: true } };
  return await deps.inTurn(0, (tx) =>
    sendOnce(tx, { userId, scope: "send-test", key: key ?? uuidv7(), fingerprint }, async () => {
      await countTry(counting, tx, rateRules.testSend, userId);
      return await sendMessage(deps, tx, caller, request);
    }),
  );
}
