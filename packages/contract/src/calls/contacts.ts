/** A customer's catalogs and their numbers. */
import type { contactSchemas } from "../schemas/contacts.ts";
import type { Calls } from "./call.ts";

export const contactCalls: Calls<typeof contactSchemas> = {
  createCatalog: { method: "POST", url: "/api/:userId/create-catalog" },
  populateCatalogs: { method: "GET", url: "/api/:userId/populate-catalogs" },
  findOneCatalog: { method: "GET", url: "/api/:userId/find-one-catalog" },
  contacts: { method: "GET", url: "/api/:userId/:catalogId/contacts" },
  editCatalog: { method: "PATCH", url: "/api/:userId/:catalogId/edit-catalog" },
  deleteCatalog: { method: "DELETE", url: "/api/:userId/:catalogId/delete-catalog" },
  insertToNewTel: { method: "POST", url: "/api/:userId/insert-to-new-tel" },
  insertToExistingTel: { method: "POST", url: "/api/:userId/:catalogId/insert-to-existing-tel" },
  addContacts: { method: "POST", url: "/api/:userId/:catalogId/add-contacts" },
  editContact: { method: "PATCH", url: "/api/:userId/:catalogId/edit-contact" },
  uploadToNewTel: { method: "POST", url: "/api/:userId/upload-to-new-tel" },
  uploadToExistingTel: { method: "POST", url: "/api/:userId/:catalogId/upload-to-existing-tel" },
  wrongRows: { method: "GET", url: "/api/:userId/:wrongRowsId/wrong-rows" },
  deleteContact: { method: "DELETE", url: "/api/:catalogId/:index/delete-contact" },
  exportContacts: { method: "GET", url: "/api/:userId/:catalogId/export-contacts" },
  contactsTemplate: { method: "GET", url: "/api/contacts-template" },
};
