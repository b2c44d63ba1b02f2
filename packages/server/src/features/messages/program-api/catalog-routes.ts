/** Catalogs and their contacts, by program. */
import { limits, programListRoutes as contract } from "@ewebal/contract";
import type { App } from "../../../http/app-type.ts";
import { bytesOf } from "../../../http/bounds/json-bytes.ts";
import {
  deleteCatalog,
  deleteContactByNumber,
  editCatalog,
  editContact,
  etagOf,
  listCatalogs,
  listContacts,
  makeCatalog,
  pasteIntoCatalog,
  presentAddition,
  presentCatalog,
  presentContact,
  presentMade,
  viewCatalog,
  type PasteDeps,
} from "../../contacts/index.ts";
import { programOf } from "./require-key.ts";

const CONTACTS = { scope: "contacts" } as const;

/** In a scope that takes JSON as bytes. */
export function addContactsRoute(app: App, deps: PasteDeps): void {
  app.route({
    ...contract.addContacts,
    config: CONTACTS,
    handler: async (request, reply) => {
      const { userId } = programOf(request);
      const key = request.headers["idempotency-key"];
      const paste = { bytes: bytesOf(request), onlyGood: false, key, isStrict: true };
      const at = { userId, catalogId: request.params.catalogId };
      const { status, body } = presentAddition(await pasteIntoCatalog(deps, at, "add-contacts", paste));
      return await reply.code(status).send(body);
    },
  });
}

export function catalogRoutes(app: App, deps: PasteDeps): void {
  catalogListRoutes(app, deps);
  oneCatalogRoutes(app, deps);
  contactRoutes(app, deps);
}

function catalogListRoutes(app: App, deps: PasteDeps): void {
  app.route({
    ...contract.listCatalogs,
    config: CONTACTS,
    handler: async (request) => {
      const { rows, next } = await listCatalogs(deps.db, programOf(request).userId, request.query);
      return { data: rows.map(presentCatalog), next };
    },
  });
  app.route({
    ...contract.createCatalog,
    config: CONTACTS,
    handler: async (request, reply) => {
      const { userId } = programOf(request);
      const { catalogName: name, code, columns } = request.body;
      const key = request.headers["idempotency-key"];
      const { status, body } = presentMade(await makeCatalog(deps, userId, { name, code, columns }, key));
      return await reply.code(status).send(body);
    },
  });
}

function oneCatalogRoutes(app: App, deps: PasteDeps): void {
  app.route({
    ...contract.viewCatalog,
    config: CONTACTS,
    handler: async (request, reply) => {
      const key = { userId: programOf(request).userId, ...request.params };
      const catalog = await viewCatalog(deps.db, key, limits.listedPhoneNosMax);
      return await reply.header("etag", etagOf(catalog)).send({ message: "Catalog", data: presentCatalog(catalog) });
    },
  });
  app.route({
    ...contract.editCatalog,
    config: CONTACTS,
    handler: async (request) => {
      const key = { userId: programOf(request).userId, ...request.params };
      const { catalogName: name, columns } = request.body;
      await editCatalog(deps, key, { name, columns });
      return { message: "Saved" };
    },
  });
  app.route({
    ...contract.deleteCatalog,
    config: CONTACTS,
    handler: async (request) => {
      await deleteCatalog(deps, { userId: programOf(request).userId, ...request.params });
      return { message: "Deleted Successfully" };
    },
  });
}

function contactRoutes(app: App, deps: PasteDeps): void {
  app.route({
    ...contract.listContacts,
    config: CONTACTS,
    handler: async (request, reply) => {
      const key = { userId: programOf(request).userId, ...request.params };
      const { rows, next, etag } = await listContacts(deps.db, key, request.query);
      return await reply.header("etag", etag).send({ data: rows.map(presentContact), next, etag });
    },
  });
  app.route({
    ...contract.editContact,
    config: CONTACTS,
    handler: async (request) => {
      const key = { userId: programOf(request).userId, ...request.params };
      return { message: "Saved", data: presentContact(await editContact(deps, key, request.body)) };
    },
  });
  app.route({
    ...contract.deleteContact,
    config: CONTACTS,
    handler: async (request) => {
      const key = { userId: programOf(request).userId, ...request.params };
      await deleteContactByNumber(deps, key, request.body.phoneNo);
      return { message: "Deleted Successfully" };
    },
  });
}
