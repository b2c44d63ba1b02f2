/** What other features and the roles may call of contacts. */
export { addDemoCatalog } from "./catalogs/add-demo-catalog.ts";
export { countCatalogs } from "./catalogs/catalog-count-store.ts";
export { readPhonebooks } from "./catalogs/read-phonebooks.ts";
export { readCatalogNumbers, streamCatalogNumbers } from "./catalogs/read-catalog.ts";
export { contactRoutes } from "./catalogs/catalog-routes.ts";
