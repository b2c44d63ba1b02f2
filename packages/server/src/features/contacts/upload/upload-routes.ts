import fastifyMultipart from "@fastify/multipart";
import { contactRoutes as contract } from "@ewebal/contract";
import type { App } from "../../../http/app-type.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import type { ContactDeps } from "../catalogs/catalogs.ts";
import { presentAddition } from "../present-made.ts";
import { uploadToCatalog, uploadToNewCatalog } from "./upload-numbers.ts";

/** Adding the numbers of a file to catalogs. */
export async function uploadRoutes(app: App, deps: ContactDeps): Promise<void> {
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
