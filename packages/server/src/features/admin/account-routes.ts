/** An administrator's own account, the way between the two dashboards, and the record of what administrators did. */
import { adminAccountRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { clearSessionCookie, setSessionCookie } from "../../http/session-cookie.ts";
import { requireAdmin, requireCustomer, sessionOf } from "../../http/session.ts";
import { originOf } from "../accounts/index.ts";
import { listAuditEntries } from "./list-audit-entries.ts";
import { presentAdmin } from "./present.ts";
import { switchToAdmin, switchToUser } from "./switch-mode.ts";
import { updateAdminProfile } from "./update-admin-profile.ts";

export function accountRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.updateAdminProfile,
    onRequest: requireAdmin,
    handler: async (request, reply) => {
      const { admin, isEmailNew } = await updateAdminProfile(deps, request.params.adminId, request.body, request.ip);
      if (isEmailNew) clearSessionCookie(reply, deps.config);
      const message = isEmailNew ? "Saved. Verify the new email with the mail we sent to it, then sign in again" : "Your profile is updated";
      return { message, data: presentAdmin(admin) };
    },
  });

  app.route({
    ...contract.switchToAdmin,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const session = await switchToAdmin(deps, sessionOf(request), originOf(request));
      if (sessionOf(request).via === "cookie") setSessionCookie(reply, deps.config, session);
      return await reply.code(201).send({ message: "Successfully switched to admin mode", data: session.token });
    },
  });

  app.route({
    ...contract.switchToUser,
    onRequest: requireAdmin,
    handler: async (request, reply) => {
      const session = await switchToUser(deps, sessionOf(request), originOf(request));
      if (sessionOf(request).via === "cookie") setSessionCookie(reply, deps.config, session);
      return await reply.code(201).send({ message: "Successfully switched to user mode", data: session.token });
    },
  });

  app.route({
    ...contract.viewAuditEntries,
    onRequest: requireAdmin,
    handler: async (request) => await listAuditEntries(deps.db, request.query),
  });
}
