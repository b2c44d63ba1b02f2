/** What administrators did: the list, the files, and whether the chain is whole. */
import { Readable } from "node:stream";
import { adminAccountRoutes as contract } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { logSecurityEvent, securityFactsOf } from "../../../http/monitoring/security-log.ts";
import { requireAdmin } from "../../../http/session/session.ts";
import { viewAuditState } from "./check-audit.ts";
import { eachAuditEntry, listAuditEntries } from "./list-audit-entries.ts";
import { auditFile, auditFiles, presentAuditEntry, presentAuditState } from "./present-audit.ts";

export function auditRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewAuditEntries,
    onRequest: requireAdmin,
    handler: async (request, reply) => {
      const { format, ...query } = request.query;
      if (format === undefined) {
        const { rows, next } = await listAuditEntries(deps.db, query);
        return { data: rows.map(presentAuditEntry), next };
      }
      logSecurityEvent(request.log, { event: "audit-exported", ...securityFactsOf(request) });
      const file = reply
        .type(auditFiles[format].type)
        .header("content-disposition", `attachment; filename="${auditFiles[format].name}"`);
      // The contract describes JSON answers; the cast lets the file bypass their serializer.
      return await (file as FastifyReply).send(Readable.from(auditFile(eachAuditEntry(deps.db, query), format)));
    },
  });

  app.route({
    ...contract.viewAuditState,
    onRequest: requireAdmin,
    handler: async () => presentAuditState(await viewAuditState(deps)),
  });
}
