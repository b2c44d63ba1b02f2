/** An administrator's own account, the way between the two dashboards, and the record of what administrators did. */
import { Readable } from "node:stream";
import { adminAccountRoutes as contract } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { clearSessionCookie, setSessionCookie } from "../../../http/session/session-cookie.ts";
import { logSecurityEvent, securityFactsOf } from "../../../http/monitoring/security-log.ts";
import { requireAdmin, requireCustomer, requireFreshSecondFactor, sessionOf } from "../../../http/session/session.ts";
import { originOf, readFactorHeader } from "../../accounts/index.ts";
import { viewAuditState } from "../audit/check-audit.ts";
import { auditFiles, exportAudit } from "../audit/export-audit.ts";
import { listAuditEntries } from "../audit/list-audit-entries.ts";
import { presentAdmin } from "../present.ts";
import { switchToAdmin, switchToUser } from "../sign-in/switch-mode.ts";
import { updateAdminProfile } from "./update-admin-profile.ts";

export function accountRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.updateAdminProfile,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request, reply) => {
      const { admin, isEmailNew } = await updateAdminProfile(deps, request.params.adminId, request.body, request.ip);
      if (isEmailNew) clearSessionCookie(reply, deps.config);
      const message = isEmailNew
        ? "Saved. Verify the new email with the mail we sent to it, then sign in again"
        : "Your profile is updated";
      return { message, data: presentAdmin(admin) };
    },
  });

  app.route({
    ...contract.switchToAdmin,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const session = await switchToAdmin(
        deps,
        sessionOf(request),
        { password: request.body?.password, code: request.body?.code ?? readFactorHeader(request) },
        originOf(request),
      );
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
    handler: async (request, reply) => {
      const { format, ...query } = request.query;
      if (format === undefined) return await listAuditEntries(deps.db, query);
      logSecurityEvent(request.log, { event: "audit-exported", ...securityFactsOf(request) });
      const file = reply
        .type(auditFiles[format].type)
        .header("content-disposition", `attachment; filename="${auditFiles[format].name}"`);
      // The contract's answers are JSON; a file passes its serializer by.
      return await (file as FastifyReply).send(Readable.from(exportAudit(deps.db, query, format)));
    },
  });

  app.route({
    ...contract.viewAuditState,
    onRequest: requireAdmin,
    handler: async () => {
      const { isWhole, checkedAt, entries } = await viewAuditState(deps);
      return {
        message: isWhole ? "The audit is whole" : "The audit is not what was written",
        data: { isWhole, checkedAt: checkedAt.toISOString(), entries },
      };
    },
  });
}
