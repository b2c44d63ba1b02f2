/** What waits for a second administrator: the list, and the two decisions. */
import { approvalRoutes as contract, type ApprovalAnswer } from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { requireAdmin, requireFreshSecondFactor, sessionOf } from "../../http/session/session.ts";
import { type ApprovalKinds, decideApproval, listApprovals, type ListedApproval } from "./decide-approval.ts";

function presentApproval(approval: ListedApproval): ApprovalAnswer {
  const { approvalId, kind, askedByName, askedByEmail, what, mayDecide, createdAt } = approval;
  const by = `${askedByName}, ${askedByEmail}`;
  return { _id: approvalId, kind, by, what, mayDecide, createdAt: createdAt.toISOString() };
}

/** @param kinds how each kind takes effect; the features that ask give them. */
export function approvalRoutes(app: App, deps: Deps & { kinds: ApprovalKinds }): void {
  app.route({
    ...contract.viewApprovals,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await listApprovals(deps.db, sessionOf(request).actorId, request.query);
      return { data: rows.map(presentApproval), next };
    },
  });
  app.route({
    ...contract.approve,
    // It does what asks for a fresh second factor itself.
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request) => ({
      message: await decideApproval(deps, { ...request.params, state: "approved", clientAddress: request.ip }),
    }),
  });
  app.route({
    ...contract.decline,
    onRequest: requireAdmin,
    handler: async (request) => ({
      message: await decideApproval(deps, { ...request.params, state: "declined", clientAddress: request.ip }),
    }),
  });
}
