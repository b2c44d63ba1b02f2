import type { contactRoutes, RouteContract } from "@ewebal/contract";
import type { RouteAddress } from "../../lib/api/api.ts";

function address<R extends RouteContract>(method: R["method"], url: R["url"]): RouteAddress<R> {
  return { method, url };
}

/**
 * Method and address of the calls for contacts. The contract's routes would bring their schemas along, and zod (23 kB)
 * with them, to pages that must be light; here only their types come. The compiler compares each address with the contract.
 */
export const contactAddresses = {
  createCatalog: address<typeof contactRoutes.createCatalog>("POST", "/api/:userId/create-catalog"),
  populateCatalogs: address<typeof contactRoutes.populateCatalogs>("GET", "/api/:userId/populate-catalogs"),
  findOneCatalog: address<typeof contactRoutes.findOneCatalog>("GET", "/api/:userId/find-one-catalog"),
  contacts: address<typeof contactRoutes.contacts>("GET", "/api/:userId/:catalogId/contacts"),
  editCatalog: address<typeof contactRoutes.editCatalog>("PATCH", "/api/:userId/:catalogId/edit-catalog"),
  deleteCatalog: address<typeof contactRoutes.deleteCatalog>("DELETE", "/api/:userId/:catalogId/delete-catalog"),
  insertToNewTel: address<typeof contactRoutes.insertToNewTel>("POST", "/api/:userId/insert-to-new-tel"),
  insertToExistingTel: address<typeof contactRoutes.insertToExistingTel>(
    "POST",
    "/api/:userId/:catalogId/insert-to-existing-tel",
  ),
  addContacts: address<typeof contactRoutes.addContacts>("POST", "/api/:userId/:catalogId/add-contacts"),
  uploadToNewTel: address<typeof contactRoutes.uploadToNewTel>("POST", "/api/:userId/upload-to-new-tel"),
  uploadToExistingTel: address<typeof contactRoutes.uploadToExistingTel>(
    "POST",
    "/api/:userId/:catalogId/upload-to-existing-tel",
  ),
  deleteContact: address<typeof contactRoutes.deleteContact>("DELETE", "/api/:catalogId/:index/delete-contact"),
  exportContacts: address<typeof contactRoutes.exportContacts>("GET", "/api/:userId/:catalogId/export-contacts"),
  contactsTemplate: address<typeof contactRoutes.contactsTemplate>("GET", "/api/contacts-template"),
};
