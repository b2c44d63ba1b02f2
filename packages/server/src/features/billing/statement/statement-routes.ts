import { Readable } from "node:stream";
import { billingRoutes as contract, MILLI_PER_UNIT, type ListQuery } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { presentMovement, statementCsv } from "./present-statement.ts";
import {
  findSenders,
  toMovementFilter,
  viewBalanceByDay,
  viewStatement,
  type StatementFilter,
} from "./view-statement.ts";

export function statementRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.statement,
    onRequest: requireCustomerOrAdmin,
    handler: async ({ params, query }, reply) => await answerStatement(deps, reply, params.userId, query),
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

/** A page of the statement, or all of it as a file. The contract describes the JSON answer alone; the cast lets a stream bypass its serializer. */
export async function answerStatement(
  { db }: Pick<Deps, "db">,
  reply: unknown,
  userId: string,
  query: ListQuery & StatementFilter & { format?: "csv" | undefined },
) {
  if (query.format !== "csv") {
    const { rows, next } = await viewStatement(db, userId, query);
    const senders = await findSenders(db, userId, rows);
    return { data: rows.map((row) => presentMovement(row, senders.get(row.reference))), next };
  }
  const csv = (reply as FastifyReply)
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="statement.csv"`);
  return await csv.send(Readable.from(statementCsv(db, userId, toMovementFilter(query))));
}
