import { Readable } from "node:stream";
import { billingRoutes as contract } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { statementCsv, viewStatement } from "./view-statement.ts";

export function billingRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.statement,
    onRequest: requireCustomerOrAdmin,
    handler: async (request, reply) => {
      const { userId } = request.params;
      if (request.query.format !== "csv") return await viewStatement(deps.db, userId, request.query);
      const csv = reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="statement.csv"`);
      // The contract's answer is the JSON one; a stream passes its serializer by.
      return await (csv as FastifyReply).send(Readable.from(statementCsv(deps.db, userId)));
    },
  });
}
