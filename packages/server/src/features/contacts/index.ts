/** What other features and the roles may call of contacts. */
export { addDemoCatalog } from "./numbers/add-numbers.ts";
export { countCatalogs } from "./catalogs/catalog-store.ts";
export {
  type ContactDeps,
  createContactDeps,
  deleteCatalog,
  editCatalog,
  etagOf,
  listCatalogs,
  makeCatalog,
  readPhonebooks,
  readCatalogNumbers,
  streamCatalogNumbers,
  viewCatalog,
} from "./catalogs/catalogs.ts";
export { presentCatalog, presentContact } from "./catalogs/present-catalog.ts";
export { presentAddition, presentMade } from "./present-made.ts";
export { deleteContactByNumber, forgetContact, readNumber } from "./numbers/delete-contact.ts";
export { editContact } from "./numbers/edit-contact.ts";
export { listContacts } from "./numbers/list-contacts.ts";
export { createPasteDeps, pasteIntoCatalog, type PasteDeps } from "./numbers/paste-numbers.ts";
export { assertNumbersTaken } from "./numbers/take-numbers.ts";
export { readContactFile } from "./upload/read-contact-file.ts";
export { withReceivedForm, type FormSource } from "./upload/receive-form.ts";
export { contactRoutes } from "./catalogs/catalog-routes.ts";
export { cleanUpWrongRowsQueue } from "./upload/wrong-rows.ts";
