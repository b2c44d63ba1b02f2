/** What other features and the roles may call of contacts. */
export { addDemoCatalog } from "./numbers/add-numbers.ts";
export { countCatalogs } from "./catalogs/catalog-store.ts";
export { readPhonebooks, readCatalogNumbers, streamCatalogNumbers } from "./catalogs/catalogs.ts";
export { assertNumbersTaken } from "./numbers/take-numbers.ts";
export { readContactFile } from "./upload/read-contact-file.ts";
export { withReceivedForm, type FormSource } from "./upload/receive-form.ts";
export { contactRoutes } from "./catalogs/catalog-routes.ts";
export { cleanUpWrongRowsQueue } from "./upload/wrong-rows.ts";
