import { AppError } from "../../../base/errors.ts";
import type { ProgramKey } from "../../accounts/index.ts";
import { selectOneRecipientMessages } from "../../delivery/index.ts";
import { steerMessage } from "../history/steer-message.ts";
import type { SendDeps } from "../send/send.ts";
import { fateOf, messageIdOf, presentTwilioMessage } from "./present-twilio.ts";
import { TwilioError } from "./twilio-errors.ts";
import { deleteTwilioMessage, findTwilioMessage } from "./twilio-store.ts";

type TwilioKey = { program: ProgramKey; sid: string };

const ENDED: ReadonlySet<string> = new Set(["delivered", "undelivered", "failed", "canceled"]);

/** @throws AppError `NOT_FOUND` for what another customer sent, or a key of the other mode, or was not sent by this path. */
export async function getForTwilio(deps: Pick<SendDeps, "db">, { program, sid }: TwilioKey) {
  const { row, message } = await getBoth(deps, { program, sid });
  return presentTwilioMessage(row, message, program.publicName ?? "");
}

/** Cancels what has not left. @throws AppError `NOT_FOUND`, `STATE_CONFLICT`. */
export async function cancelForTwilio(deps: SendDeps, key: TwilioKey) {
  const { row } = await getBoth(deps, key);
  await steerMessage(deps, row, "cancel");
  return await getForTwilio(deps, key);
}

/** Takes a message that has ended out of the history. @throws AppError `NOT_FOUND`; TwilioError while it is under way. */
export async function deleteForTwilio(deps: SendDeps, key: TwilioKey): Promise<void> {
  const { row, message } = await getBoth(deps, key);
  if (!ENDED.has(fateOf(message).status))
    throw new TwilioError(20009, "Cannot delete this message because its delivery has not been completed", 409);
  await steerMessage(deps, row, "delete");
  await deleteTwilioMessage(deps.db, row);
}

async function getBoth(deps: Pick<SendDeps, "db">, { program, sid }: TwilioKey) {
  const { userId, mode } = program;
  const messageId = messageIdOf(sid);
  if (messageId !== undefined) {
    const row = await findTwilioMessage(deps.db, { userId, mode, messageId });
    const message = (await selectOneRecipientMessages(deps.db, { userId, messageIds: [messageId] })).get(messageId);
    if (row !== undefined && message !== undefined) return { row, message };
  }
  throw new AppError("NOT_FOUND", { message: "The requested resource was not found" });
}
