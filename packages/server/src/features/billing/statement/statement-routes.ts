import { Readable } from "node:stream";
import { billingRoutes as contract, MILLI_PER_UNIT } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { presentMovement, statementCsv } from "./present-statement.ts";
import { toMovementFilter, viewBalanceByDay, viewStatement } from "./view-statement.ts";

export function statementRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.statement,
    onRequest: requireCustomerOrAdmin,
    handler: async (request, reply) => {
      const { userId } = request.params;
      if (request.query.format !== "csv") {
        const { rows, next } = await viewStatement(deps.db, userId, request.query);
        return { data: rows.map(presentMovement), next };
      }
      const csv = reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="statement.csv"`);
      // The contract describes the JSON answer alone; the cast lets a stream bypass its serializer.
      return await (csv as FastifyReply).send(
        Readable.from(statementCsv(deps.db, userId, toMovementFilter(request.query))),
      );
    },
  });

  app.route({
    ...contract.balanceByDay,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const days = await viewBalanceByDay(deps, request.params.userId, request.query.month);
      const data = days.map(({ day, balanceMilli }) => ({ day, balance: balanceMilli / MILLI_PER_UNIT }));
      return { message: "Balance by day", data };
    },
  });
}
