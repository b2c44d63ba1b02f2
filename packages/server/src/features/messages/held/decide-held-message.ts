import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { heldMessageDecided, publishChange } from "../../../events/index.ts";
import { refuseMessage, releaseMessage } from "../../delivery/index.ts";

type Decision = { adminId: string; messageId: string; clientAddress: string };

/**
 * An administrator lets what is left of a held message go out, or a message in review.
 *
 * @throws AppError `NOT_FOUND`; `ALREADY_DECIDED`; `STATE_CONFLICT` for a message that was never held.
 */
export async function releaseHeldMessage(deps: Deps, { messageId, ...who }: Decision): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const { userId, wasReview } = await releaseMessage(tx, messageId, deps.clock.now());
    const states = { before: { messageId, state: wasReview ? "review" : "held" }, after: { state: "released" } };
    await deps.recordAudit(tx, { ...who, ...states, action: "release-message", subjectId: userId });
    await publishChange(tx, heldMessageDecided({ userId, messageId }));
  });
}

/**
 * An administrator cancels what is left of a held message, or a message in review; its units come back.
 *
 * @throws AppError `NOT_FOUND`; `ALREADY_DECIDED`; `STATE_CONFLICT` for a message that was never held.
 */
export async function refuseHeldMessage(
  deps: Deps,
  { messageId, reason, ...who }: Decision & { reason: string },
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const { userId, wasReview } = await refuseMessage(tx, messageId, deps.clock.now());
    const states = {
      before: { messageId, state: wasReview ? "review" : "held" },
      after: { state: "cancelled", reason },
    };
    await deps.recordAudit(tx, { ...who, ...states, action: "refuse-message", subjectId: userId });
    await publishChange(tx, heldMessageDecided({ userId, messageId }));
  });
}
