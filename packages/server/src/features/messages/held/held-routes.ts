import { heldMessageRoutes as contract, type HeldMessageAnswer } from "@ewebal/contract";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { heldMessageDecided, publishChange } from "../../../events/index.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin } from "../../../http/session/session.ts";
import { listHeldMessages, refuseMessage, releaseMessage, type HeldMessage } from "../../delivery/index.ts";
import { presentMessage } from "../present-message.ts";

export const HELD_REASON = "held after a restore";

type Decision = {
  adminId: string;
  messageId: string;
  clientAddress: string;
  action: "release-message" | "refuse-message";
  reason?: string;
};

/** What is held after a restore, for administrators. */
export function heldRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewHeldMessages,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await listHeldMessages(deps.db, request.query);
      return { data: rows.map(presentHeld), next };
    },
  });
  app.route({
    ...contract.releaseMessage,
    onRequest: requireAdmin,
    handler: async (request) => {
      await decide(deps, { ...request.params, clientAddress: request.ip, action: "release-message" }, releaseMessage);
      return { message: "Released. What is left of it is sent" };
    },
  });
  app.route({
    ...contract.refuseMessage,
    onRequest: requireAdmin,
    handler: async (request) => {
      const reason = request.body?.reason ?? "";
      await decide(
        deps,
        { ...request.params, clientAddress: request.ip, action: "refuse-message", reason },
        refuseMessage,
      );
      return { message: "Refused. What was left of it is cancelled, and its units came back" };
    },
  });
}

async function decide(
  deps: Deps,
  { messageId, action, reason, ...who }: Decision,
  move: (tx: Tx, messageId: string, now: Date) => Promise<{ userId: string }>,
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const { userId } = await move(tx, messageId, deps.clock.now());
    await deps.recordAudit(tx, {
      ...who,
      action,
      subjectId: userId,
      before: { messageId, state: "held" },
      after: {
        state: action === "release-message" ? "released" : "cancelled",
        ...(reason !== undefined && { reason }),
      },
    });
    await publishChange(tx, heldMessageDecided({ userId, messageId }));
  });
}

function presentHeld({ heldAt, heldFrom, ...message }: HeldMessage): HeldMessageAnswer {
  return { ...presentMessage(message), reason: HELD_REASON, heldAt: heldAt.toISOString(), heldFrom };
}
