/** The owners' calls about administrators. The path names whom it is about; who acts is the session's administrator. */
import { administratorsRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireFreshSecondFactor } from "../../../http/session/session.ts";
import { setRole } from "./change-role.ts";
import {
  type AdminAct,
  approveAdministrator,
  blockAdministrator,
  listAdministrators,
  removeAdministrator,
  unblockAdministrator,
  inviteAdmin,
} from "./manage-administrators.ts";
import { presentAct, presentListedAdmin, presentRoleOutcome } from "./present-team.ts";

export function teamRoutes(app: App, deps: Deps): void {
  const onRequest = [requireAdmin, requireFreshSecondFactor];
  app.route({
    ...contract.viewAdmins,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await listAdministrators(deps.db, request.query);
      return { data: rows.map(presentListedAdmin), next };
    },
  });

  const actOf = (request: { params: Pick<AdminAct, "adminId" | "otherId">; ip: string }): AdminAct => ({
    ...request.params,
    clientAddress: request.ip,
  });
  app.route({
    ...contract.approveAdmin,
    onRequest,
    handler: async (request) => presentAct("approve", await approveAdministrator(deps, actOf(request))),
  });
  app.route({
    ...contract.blockAdmin,
    onRequest,
    handler: async (request) => presentAct("block", await blockAdministrator(deps, actOf(request))),
  });
  app.route({
    ...contract.unblockAdmin,
    onRequest,
    handler: async (request) => presentAct("unblock", await unblockAdministrator(deps, actOf(request))),
  });
  app.route({
    ...contract.removeAdmin,
    onRequest,
    handler: async (request) => presentAct("remove", await removeAdministrator(deps, actOf(request))),
  });

  app.route({
    ...contract.setAdminRole,
    onRequest,
    handler: async (request, reply) => {
      const outcome = await setRole(deps, { ...actOf(request), ...request.body });
      const { status, body } = presentRoleOutcome(outcome);
      return await reply.code(status).send(body);
    },
  });

  app.route({
    ...contract.inviteAdmin,
    onRequest,
    handler: async (request, reply) => {
      const { email, role } = request.body;
      await inviteAdmin(deps, { adminId: request.params.adminId, email, role, clientAddress: request.ip });
      return await reply.code(201).send({ message: `${email} is invited. A mail was sent` });
    },
  });
}
