import { Readable } from "node:stream";
import fastifyMultipart from "@fastify/multipart";
import { optOutRoutes as contract, type OptOutAnswer } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { App } from "../../../http/app-type.ts";
import { CSV_START, csvLine } from "../../../http/csv-line.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import { listOptOuts, type OptOut } from "../../delivery/index.ts";
import { addToOptOuts, importOptOuts, removeFromOptOuts, type Added } from "./change-opt-outs.ts";

const ROWS_PER_READ = 2_000;

/** A customer's list of who wants no more messages. */
export async function optOutRoutes(app: App, deps: Deps): Promise<void> {
  app.route({
    ...contract.optOuts,
    onRequest: requireCustomer,
    handler: async ({ params, query }, reply) => await answerOptOuts(deps, reply, params.userId, query),
  });
  app.route({
    ...contract.addOptOuts,
    onRequest: requireCustomer,
    handler: async ({ params, body }, reply) => {
      const added = await addToOptOuts(deps, params.userId, body.phoneNo, "page");
      return await reply.code(201).send(presentAdded(added));
    },
  });
  app.route({
    ...contract.removeOptOuts,
    onRequest: requireCustomer,
    handler: async ({ params, body }) => presentRemoved(await removeFromOptOuts(deps, params.userId, body.phoneNo)),
  });
  await app.register(async (scope: App) => {
    await scope.register(fastifyMultipart);
    scope.route({
      ...contract.importOptOuts,
      onRequest: requireCustomer,
      handler: async (request, reply) => {
        const added = await importOptOuts(deps, request.params.userId, request);
        return await reply.code(201).send(presentAdded(added));
      },
    });
  });
}

type ListQuery = { limit: number; after?: string | undefined; search?: string | undefined; format?: "csv" | undefined };

/** A page of the list, or all of it as a file. The contract's answer is the JSON one; a stream passes its serializer by. */
export async function answerOptOuts(
  { db }: Pick<Deps, "db">,
  reply: unknown,
  userId: string,
  { format, ...query }: ListQuery,
) {
  if (format === "csv") {
    const file = (reply as FastifyReply)
      .type("text/csv; charset=utf-8")
      .header("content-disposition", 'attachment; filename="opt-outs.csv"');
    return await file.send(Readable.from(optOutsCsv(db, userId, query.search)));
  }
  const { rows, next } = await listOptOuts(db, { userId, ...query });
  return { data: rows.map(presentOptOut), next };
}

async function* optOutsCsv(db: Queryable, userId: string, search: string | undefined): AsyncGenerator<string> {
  yield CSV_START + csvLine(["Number", "Source", "Added"]);
  let after: string | undefined;
  do {
    const { rows, next } = await listOptOuts(db, { userId, search, limit: ROWS_PER_READ, after });
    yield rows
      .map(presentOptOut)
      .map(({ phoneNo, source, createdAt }) => csvLine([phoneNo, source, createdAt]))
      .join("");
    after = next ?? undefined;
  } while (after !== undefined);
}

function presentOptOut({ phoneNo, source, createdAt }: OptOut): OptOutAnswer {
  return { phoneNo: String(phoneNo), source, createdAt: createdAt.toISOString() };
}

export function presentAdded(data: Added): { message: string; data: Added } {
  return { message: `${data.added.toLocaleString("en")} added to the list`, data };
}

export function presentRemoved(data: { removed: number }): { message: string; data: { removed: number } } {
  return { message: `${data.removed.toLocaleString("en")} taken off the list`, data };
}
