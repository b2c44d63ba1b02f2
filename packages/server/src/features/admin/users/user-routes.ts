/** What administrators do to a customer. The path names the customer; who acts is the session's administrator. */
import { adminMessageRoutes, adminUserRoutes as contract, apiKeyRoutes } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireFreshSecondFactor, sessionOf } from "../../../http/session/session.ts";
import { customerOwner, listAllApiKeys, presentOwnedApiKey } from "../../accounts/index.ts";
import { viewAnyDraft, viewAnyMessage } from "../../messages/index.ts";
import { administrators } from "../sign-in/admin-passwords.ts";
import { type FlagRequest, flagUser, revokeUserApiKey, turnOffTwoFactor } from "./flag-user.ts";
import { updateUser } from "./update-user.ts";

export function userRoutes(app: App, deps: Deps): void {
  const actOf = (request: FastifyRequest & { params: { userId: string } }): FlagRequest => ({
    adminId: sessionOf(request).actorId,
    userId: request.params.userId,
    clientAddress: request.ip,
  });

  app.route({
    ...contract.updateUser,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request, reply) => {
      const { userName, waiting } = await updateUser(deps, { ...actOf(request), changes: request.body });
      if (waiting !== undefined) {
        const message = `${userName} is updated. Waiting for a second administrator: ${waiting.names.join(", ")}`;
        return await reply.code(202).send({ message, data: { _id: waiting.approvalId } });
      }
      return { message: `${userName} is updated` };
    },
  });
  app.route({
    ...contract.blockUser,
    onRequest: requireAdmin,
    handler: async (request) => await flagUser.block(deps, actOf(request)),
  });
  app.route({
    ...contract.unblockUser,
    onRequest: requireAdmin,
    handler: async (request) => await flagUser.unblock(deps, actOf(request)),
  });
  app.route({
    ...contract.approveUser,
    onRequest: requireAdmin,
    handler: async (request) => await flagUser.approve(deps, actOf(request)),
  });
  app.route({
    ...contract.unapproveUser,
    onRequest: requireAdmin,
    handler: async (request) => await flagUser.unapprove(deps, actOf(request)),
  });
  secondFactorRoutes(app, deps);
}

/** For who has lost phone and recovery codes; one's own goes with password and code. */
function secondFactorRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.turnOffTwoFactor,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request) => {
      const { actorId: adminId } = sessionOf(request);
      return await turnOffTwoFactor(deps, customerOwner, {
        adminId,
        subjectId: request.params.userId,
        clientAddress: request.ip,
      });
    },
  });
  app.route({
    ...contract.turnOffTwoFactorOfAdmin,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request) => {
      const { adminId, otherId: subjectId } = request.params;
      return await turnOffTwoFactor(deps, administrators, { adminId, subjectId, clientAddress: request.ip });
    },
  });
}

/** Distribute API: who has keys for programs, when each was last used, and how to revoke one. */
export function apiKeyAdminRoutes(app: App, deps: Deps): void {
  app.route({
    ...apiKeyRoutes.viewApiKeys,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await listAllApiKeys(deps.db, request.query);
      return { data: rows.map(presentOwnedApiKey), next };
    },
  });

  app.route({
    ...apiKeyRoutes.revokeUserApiKey,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request) => {
      const { adminId, keyId } = request.params;
      await revokeUserApiKey(deps, { adminId, keyId, clientAddress: request.ip });
      return { message: "The key is revoked, and a mail tells the customer" };
    },
  });
}

/** The administrators' look at single messages and drafts; their lists are the messages feature's own. */
export function messageRoutes(app: App, deps: Deps): void {
  app.route({
    ...adminMessageRoutes.viewAnySms,
    onRequest: requireAdmin,
    handler: async (request) => ({ message: "Message", data: await viewAnyMessage(deps.db, request.params.messageId) }),
  });
  app.route({
    ...adminMessageRoutes.viewAnyDraft,
    onRequest: requireAdmin,
    handler: async (request) => ({ message: "Draft", data: await viewAnyDraft(deps.db, request.params.draftId) }),
  });
}
