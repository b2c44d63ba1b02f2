import { contactRoutes as contract } from "@ewebal/contract";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAnyCustomer, requireCustomer, sessionOf } from "../../../http/session/session.ts";
import { attachmentNamed, catalogCsv, CONTACTS_TEMPLATE } from "./catalog-csv.ts";
import {
  createContactDeps,
  deleteCatalog,
  editCatalog,
  etagOf,
  getCatalog,
  listCatalogs,
  makeCatalog,
  viewCatalog,
  type ContactDeps,
} from "./catalogs.ts";
import { deleteContact } from "../numbers/delete-contact.ts";
import { editContact } from "../numbers/edit-contact.ts";
import { listContacts } from "../numbers/list-contacts.ts";
import { numberRoutes } from "../numbers/number-routes.ts";
import { uploadRoutes } from "../upload/upload-routes.ts";
import { presentMade } from "../present-made.ts";
import { presentCatalog, presentContact } from "./present-catalog.ts";

/** Catalogs and their contacts. */
export async function contactRoutes(app: App, deps: Deps): Promise<void> {
  const contactDeps = createContactDeps(deps);
  readingRoutes(app, deps);
  fileRoutes(app, deps);
  changingRoutes(app, contactDeps);
  await numberRoutes(app, contactDeps);
  await uploadRoutes(app, contactDeps);
}

function readingRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.populateCatalogs,
    onRequest: requireCustomer,
    handler: async (request) => {
      const { rows, next } = await listCatalogs(deps.db, request.params.userId, request.query);
      return { data: rows.map(presentCatalog), next };
    },
  });
  app.route({
    ...contract.findOneCatalog,
    onRequest: requireAnyCustomer,
    handler: async (request, reply) => {
      const key = { userId: sessionOf(request).accountId, catalogId: catalogNamedBy(request) };
      const catalog = await viewCatalog(deps.db, key, request.query.contacts);
      return await reply.header("etag", etagOf(catalog)).send({ message: "Catalog", data: presentCatalog(catalog) });
    },
  });
  app.route({
    ...contract.contacts,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { rows, next, etag } = await listContacts(deps.db, request.params, request.query);
      return await reply.header("etag", etag).send({ data: rows.map(presentContact), next, etag });
    },
  });
}

/** The path holds the customer's own id, and the query the catalog's; or the path holds the catalog's. */
function catalogNamedBy(
  request: FastifyRequest & { params: { userId: string }; query: { catalogId?: string | undefined } },
): string {
  const isOwn = request.params.userId === sessionOf(request).accountId;
  const { catalogId } = request.query;
  if (isOwn && catalogId === undefined) throw fieldError("catalogId", "is required");
  if (!isOwn && catalogId !== undefined) throw new AppError("FORBIDDEN");
  return catalogId ?? request.params.userId;
}

function fileRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.exportContacts,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const catalog = await getCatalog(deps.db, request.params);
      void reply.header("content-disposition", attachmentNamed(catalog.name));
      return await sendCsv(reply, Readable.from(catalogCsv(deps.db, catalog)));
    },
  });
  app.route({
    ...contract.contactsTemplate,
    handler: async (_request, reply) => {
      void reply.header("content-disposition", attachmentNamed("contacts-template"));
      return await sendCsv(reply, CONTACTS_TEMPLATE);
    },
  });
}

async function sendCsv(reply: unknown, csv: Readable | string): Promise<FastifyReply> {
  // The contract has no JSON for it; the serializer is passed by.
  const plain = reply as FastifyReply;
  return await plain.type("text/csv; charset=utf-8").serializer(String).send(csv);
}

function changingRoutes(app: App, deps: ContactDeps): void {
  app.route({
    ...contract.createCatalog,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { catalogName: name, code, columns } = request.body;
      const catalog = { name, code, columns };
      const key = request.headers["idempotency-key"];
      const { status, body } = presentMade(await makeCatalog(deps, request.params.userId, catalog, key));
      return await reply.code(status).send(body);
    },
  });
  app.route({
    ...contract.editCatalog,
    onRequest: requireCustomer,
    handler: async ({ params, body }) => {
      await editCatalog(deps, params, { name: body.catalogName, columns: body.columns });
      return { message: "Saved" };
    },
  });
  app.route({
    ...contract.deleteCatalog,
    onRequest: requireCustomer,
    handler: async ({ params }) => {
      await deleteCatalog(deps, params);
      return { message: "Deleted Successfully" };
    },
  });
  app.route({
    ...contract.editContact,
    onRequest: requireCustomer,
    handler: async ({ params, body }) => ({
      message: "Saved",
      data: presentContact(await editContact(deps, params, body)),
    }),
  });
  app.route({
    ...contract.deleteContact,
    onRequest: requireAnyCustomer,
    handler: async (request) => {
      const key = { userId: sessionOf(request).accountId, catalogId: request.params.catalogId };
      const seen = { ifMatch: request.headers["if-match"], phoneNo: request.query.phoneNo };
      await deleteContact(deps, key, request.params.index, seen);
      return { message: "Deleted Successfully" };
    },
  });
}
