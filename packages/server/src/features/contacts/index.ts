/** What other features and the roles may call of contacts. */
export { addDemoCatalog } from "./add-demo-catalog.ts";
export { countCatalogs } from "./catalog-count-store.ts";
export { readPhonebooks } from "./read-phonebooks.ts";
export { readCatalogNumbers, streamCatalogNumbers } from "./read-catalog.ts";
export { contactRoutes } from "./routes.ts";
