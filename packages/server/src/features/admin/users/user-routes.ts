/** What administrators do to a customer. The path names the customer; who acts is the session's administrator. */
import { adminMessageRoutes, adminUserRoutes as contract, apiKeyRoutes } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireFreshSecondFactor, sessionOf } from "../../../http/session/session.ts";
import { customerOwner, listAllApiKeys, presentOwnedApiKey } from "../../accounts/index.ts";
import {
  presentDraft,
  presentMessageNow,
  readSenderNames,
  viewAnyDraft,
  viewAnyMessage,
} from "../../messages/index.ts";
import { presentFlag, presentUpdate } from "../present.ts";
import { administrators } from "../sign-in/admin-passwords.ts";
import { type FlagRequest, flagUser, revokeUserApiKey, turnOffTwoFactor, updateUser } from "./manage-users.ts";

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
      const { senderID, ...changes } = request.body;
      const senderNames = senderID === undefined ? undefined : readSenderNames("senderID", senderID);
      const { status, body } = presentUpdate(await updateUser(deps, { ...actOf(request), changes, senderNames }));
      return await reply.code(status).send(body);
    },
  });
  app.route({
    ...contract.blockUser,
    onRequest: requireAdmin,
    handler: async (request) => presentFlag("block-user", await flagUser(deps, "block-user", actOf(request))),
  });
  app.route({
    ...contract.unblockUser,
    onRequest: requireAdmin,
    handler: async (request) => presentFlag("unblock-user", await flagUser(deps, "unblock-user", actOf(request))),
  });
  app.route({
    ...contract.approveUser,
    onRequest: requireAdmin,
    handler: async (request) => presentFlag("approve-user", await flagUser(deps, "approve-user", actOf(request))),
  });
  app.route({
    ...contract.unapproveUser,
    onRequest: requireAdmin,
    handler: async (request) => presentFlag("unapprove-user", await flagUser(deps, "unapprove-user", actOf(request))),
  });
  secondFactorRoutes(app, deps);
}

const TWO_FACTOR_OFF = "Two-factor sign-in is off. A mail tells the person, who is signed out everywhere";

/** For people who have lost their phone and their recovery codes. One turns one's own off with password and code. */
function secondFactorRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.turnOffTwoFactor,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request) => {
      const { actorId: adminId } = sessionOf(request);
      await turnOffTwoFactor(deps, customerOwner, {
        adminId,
        subjectId: request.params.userId,
        clientAddress: request.ip,
      });
      return { message: TWO_FACTOR_OFF };
    },
  });
  app.route({
    ...contract.turnOffTwoFactorOfAdmin,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request) => {
      const { adminId, otherId: subjectId } = request.params;
      await turnOffTwoFactor(deps, administrators, { adminId, subjectId, clientAddress: request.ip });
      return { message: TWO_FACTOR_OFF };
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
    handler: async ({ params: { messageId } }) => ({
      message: "Message",
      data: await presentMessageNow(deps, await viewAnyMessage(deps.db, messageId)),
    }),
  });
  app.route({
    ...adminMessageRoutes.viewAnyDraft,
    onRequest: requireAdmin,
    handler: async ({ params: { draftId } }) => ({
      message: "Draft",
      data: presentDraft(await viewAnyDraft(deps.db, draftId)),
    }),
  });
}
