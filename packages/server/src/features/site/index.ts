/** What the roles may call of the site. */
export { openDocuments } from "./documents.ts";
export { siteRoutes } from "./routes.ts";
