import fastifyMultipart from "@fastify/multipart";
import { contactRoutes as contract } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { App } from "../../../http/app-type.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import type { ContactDeps } from "../catalogs/catalogs.ts";
import { presentAddition } from "../present-made.ts";
import { getWrongRows } from "./wrong-rows.ts";
import { uploadToCatalog, uploadToNewCatalog } from "./upload-numbers.ts";

/** Adding the numbers of a file to catalogs. */
export async function uploadRoutes(app: App, deps: ContactDeps): Promise<void> {
  app.route({
    ...contract.wrongRows,
    onRequest: requireCustomer,
    handler: async ({ params }, reply) => {
      const csv = await getWrongRows(deps, params);
      // The contract has no JSON for it; the serializer is passed by.
      const plain = reply as unknown as FastifyReply;
      void plain.header("content-disposition", 'attachment; filename="wrong-rows.csv"');
      return await plain.type("text/csv; charset=utf-8").serializer(String).send(csv);
    },
  });
  await app.register(async (scope: App) => {
    await scope.register(fastifyMultipart);
    scope.route({
      ...contract.uploadToNewTel,
      onRequest: requireCustomer,
      handler: async (request, reply) => {
        const upload = { onlyGood: request.query.onlyGood === "true", key: request.headers["idempotency-key"] };
        const addition = await uploadToNewCatalog(deps, request.params.userId, request, upload);
        const { status, body } = presentAddition(addition);
        return await reply.code(status).send(body);
      },
    });
    scope.route({
      ...contract.uploadToExistingTel,
      onRequest: requireCustomer,
      handler: async (request, reply) => {
        const upload = { onlyGood: request.query.onlyGood === "true", key: request.headers["idempotency-key"] };
        const addition = await uploadToCatalog(deps, request.params, request, upload);
        const { status, body } = presentAddition(addition);
        return await reply.code(status).send(body);
      },
    });
  });
}
