/** What the roles may call of the site. */
export { siteRoutes } from "./routes.ts";
