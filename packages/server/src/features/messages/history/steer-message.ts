import type { ProgramKeyMode } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import {
  messageCancelled,
  messageDeleted,
  messagePaused,
  messageResumed,
  publishChange,
  scheduledMessageDeleted,
  type Change,
} from "../../../events/index.ts";
import {
  cancelMessage,
  deleteScheduledMessage,
  hideMessage,
  pauseMessage,
  resumeMessage,
} from "../../delivery/index.ts";

/** `mode`: only a message of this mode; absent: of either. */
type MessageKey = { userId: string; messageId: string; mode?: ProgramKeyMode };
type Action = {
  act: (tx: Tx, key: MessageKey, now: Date) => Promise<void>;
  changed: (key: MessageKey) => Change;
};

/** What a customer may do with a message of theirs. */
const ACTIONS = {
  pause: { act: pauseMessage, changed: messagePaused },
  resume: { act: resumeMessage, changed: messageResumed },
  cancel: { act: cancelMessage, changed: messageCancelled },
  delete: { act: hideMessage, changed: messageDeleted },
  "delete-scheduled": { act: deleteScheduledMessage, changed: scheduledMessageDeleted },
} satisfies Record<string, Action>;

/**
 * Pauses, resumes, cancels or deletes a message, or deletes one that waits for its time. Every open page of the customer shows
 * it at once.
 *
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` when the message's state does not allow the action.
 */
export async function steerMessage(
  deps: Pick<Deps, "db" | "clock">,
  key: MessageKey,
  action: keyof typeof ACTIONS,
): Promise<void> {
  const { act, changed }: Action = ACTIONS[action];
  await withTransaction(deps.db, async (tx) => {
    await act(tx, key, deps.clock.now());
    await publishChange(tx, changed(key));
  });
}
