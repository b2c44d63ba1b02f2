/** What other features and the roles may call of contacts. */
export { addDemoCatalog } from "./numbers/add-numbers.ts";
export { countCatalogs } from "./catalogs/catalog-store.ts";
export { readPhonebooks, readCatalogNumbers, streamCatalogNumbers } from "./catalogs/catalogs.ts";
export { contactRoutes } from "./catalogs/catalog-routes.ts";
