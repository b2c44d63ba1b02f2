/** A send, as the customer's programs are told of it. */
import type { Tx } from "../../../db/transaction.ts";
import { followsAny, recordEvents } from "../../../outbox/index.ts";
import type { Follower } from "../../delivery/index.ts";
import type { Caller, CheckedMessage } from "./check-send.ts";
import type { SendOutcome } from "./present-send.ts";

/** Tells the customer's programs of messages of one customer that were queued. */
export async function tellAccepted(
  tx: Tx,
  accepted: readonly CheckedMessage[],
  outcomes: readonly SendOutcome[],
): Promise<void> {
  const [first] = accepted;
  if (first === undefined || !followsAny(first.checked.followedEvents, "message.accepted")) return;
  // A call has one key, so all of them are tests or none is.
  const { userId, isTest } = first.message;
  const references = new Map(accepted.map(({ message }) => [message.messageId, message.reference]));
  const data = outcomes.map(({ messageId, units }) => {
    const reference = references.get(messageId);
    return { messageId, ...(reference !== undefined && { reference }), unitDetails: units };
  });
  await recordEvents(tx, { userId, type: "message.accepted", data, mode: isTest === true ? "test" : "live" });
}

/** Who is told what becomes of a send's recipients. */
export function followersFor({ followers = [] }: Caller, followedEvents: number): Follower[] {
  const isWatched = followsAny(followedEvents, "message.finished", "recipients.updated");
  return isWatched ? ["webhooks", ...followers] : [...followers];
}
