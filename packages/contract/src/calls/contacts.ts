/** A customer's catalogs and their numbers. */
import type { contactSchemas } from "../schemas/contacts.ts";
import type { Calls } from "./call.ts";

export const contactCalls: Calls<typeof contactSchemas> = {
  createCatalog: { method: "POST", url: "/api/:userId/create-catalog", leastRole: "sender" },
  populateCatalogs: { method: "GET", url: "/api/:userId/populate-catalogs", leastRole: "viewer" },
  findOneCatalog: { method: "GET", url: "/api/:userId/find-one-catalog", leastRole: "viewer" },
  contacts: { method: "GET", url: "/api/:userId/:catalogId/contacts", leastRole: "viewer" },
  editCatalog: { method: "PATCH", url: "/api/:userId/:catalogId/edit-catalog", leastRole: "sender" },
  deleteCatalog: { method: "DELETE", url: "/api/:userId/:catalogId/delete-catalog", leastRole: "sender" },
  insertToNewTel: { method: "POST", url: "/api/:userId/insert-to-new-tel", leastRole: "sender" },
  insertToExistingTel: { method: "POST", url: "/api/:userId/:catalogId/insert-to-existing-tel", leastRole: "sender" },
  addContacts: { method: "POST", url: "/api/:userId/:catalogId/add-contacts", leastRole: "sender" },
  editContact: { method: "PATCH", url: "/api/:userId/:catalogId/edit-contact", leastRole: "sender" },
  uploadToNewTel: { method: "POST", url: "/api/:userId/upload-to-new-tel", leastRole: "sender" },
  uploadToExistingTel: { method: "POST", url: "/api/:userId/:catalogId/upload-to-existing-tel", leastRole: "sender" },
  wrongRows: { method: "GET", url: "/api/:userId/:wrongRowsId/wrong-rows", leastRole: "viewer" },
  deleteContact: { method: "DELETE", url: "/api/:catalogId/:index/delete-contact", leastRole: "sender" },
  exportContacts: { method: "GET", url: "/api/:userId/:catalogId/export-contacts", leastRole: "viewer" },
  contactsTemplate: { method: "GET", url: "/api/contacts-template" },
};
