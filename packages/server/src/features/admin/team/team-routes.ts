/** The owners' calls about administrators. The path names whom it is about; who acts is the session's administrator. */
import { administratorsRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireFreshSecondFactor } from "../../../http/session/session.ts";
import { setRole } from "./change-role.ts";
import { inviteAdmin } from "./invite-admin.ts";
import {
  type AdminAct,
  approveAdministrator,
  blockAdministrator,
  listAdministrators,
  removeAdministrator,
  unblockAdministrator,
} from "./manage-administrators.ts";

export function administratorsRoutes(app: App, deps: Deps): void {
  const onRequest = [requireAdmin, requireFreshSecondFactor];
  app.route({
    ...contract.viewAdmins,
    onRequest: requireAdmin,
    handler: async (request) => await listAdministrators(deps.db, request.query),
  });

  type ActRequest = { params: Pick<AdminAct, "adminId" | "otherId">; ip: string };
  const handle = (act: (deps: Deps, act: AdminAct) => Promise<string>) => async (request: ActRequest) => ({
    message: await act(deps, { ...request.params, clientAddress: request.ip }),
  });
  app.route({ ...contract.approveAdmin, onRequest, handler: handle(approveAdministrator) });
  app.route({ ...contract.blockAdmin, onRequest, handler: handle(blockAdministrator) });
  app.route({ ...contract.unblockAdmin, onRequest, handler: handle(unblockAdministrator) });
  app.route({ ...contract.removeAdmin, onRequest, handler: handle(removeAdministrator) });

  app.route({
    ...contract.setAdminRole,
    onRequest,
    handler: async (request, reply) => {
      const { message, approvalId } = await setRole(deps, {
        ...request.params,
        ...request.body,
        clientAddress: request.ip,
      });
      return approvalId === undefined
        ? { message }
        : await reply.code(202).send({ message, data: { _id: approvalId } });
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
