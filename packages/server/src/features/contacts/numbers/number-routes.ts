import { contactRoutes as contract } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { App } from "../../../http/app-type.ts";
import { bytesOf, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import type { ContactDeps } from "../catalogs/catalogs.ts";
import { presentAddition } from "../present-made.ts";
import { createPasteDeps, pasteIntoCatalog, pasteIntoNewCatalog, type Paste } from "./paste-numbers.ts";

/** Adding pasted numbers to catalogs. */
export async function numberRoutes(app: App, deps: ContactDeps): Promise<void> {
  await app.register(async (scope: App) => pastingRoutes(scope, deps));
}

function pastingRoutes(app: App, contactDeps: ContactDeps): void {
  const deps = createPasteDeps(contactDeps);
  app.addHook("onClose", async () => await deps.bodies.close());
  takeJsonAsBytes(app);
  app.route({
    ...contract.insertToNewTel,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const addition = await pasteIntoNewCatalog(deps, request.params.userId, pasteOf(request));
      const { status, body } = presentAddition(addition);
      return await reply.code(status).send(body);
    },
  });
  app.route({
    ...contract.insertToExistingTel,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const addition = await pasteIntoCatalog(deps, request.params, "insert-to-existing-tel", pasteOf(request));
      const { status, body } = presentAddition(addition);
      return await reply.code(status).send(body);
    },
  });
  app.route({
    ...contract.addContacts,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const addition = await pasteIntoCatalog(deps, request.params, "add-contacts", pasteOf(request));
      const { status, body } = presentAddition(addition);
      return await reply.code(status).send({ ...body, data: { ...body.data, message: body.message } });
    },
  });
}

type PasteRequest = FastifyRequest & {
  body: unknown;
  query: { onlyGood?: string | undefined };
  headers: { "idempotency-key"?: string | undefined };
};

function pasteOf(request: PasteRequest): Paste {
  return {
    bytes: bytesOf(request),
    onlyGood: request.query.onlyGood === "true",
    key: request.headers["idempotency-key"],
  };
}
