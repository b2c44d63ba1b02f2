/** The administrators' side, area by area. */
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { announcementRoutes } from "./announcements/announcement-routes.ts";
import { auditRoutes } from "./audit/audit-routes.ts";
import { creditRoutes } from "./credit/credit-routes.ts";
import { marginRoutes } from "./margin/margin-routes.ts";
import { overviewRoutes } from "./overview/overview-routes.ts";
import { profileRoutes } from "./profile/profile-routes.ts";
import { signInRoutes } from "./sign-in/sign-in-routes.ts";
import { teamRoutes } from "./team/team-routes.ts";
import { apiKeyAdminRoutes, messageRoutes, userRoutes } from "./users/user-routes.ts";

export function adminRoutes(app: App, deps: Deps): void {
  signInRoutes(app, deps);
  profileRoutes(app, deps);
  teamRoutes(app, deps);
  userRoutes(app, deps);
  apiKeyAdminRoutes(app, deps);
  messageRoutes(app, deps);
  creditRoutes(app, deps);
  announcementRoutes(app, deps);
  overviewRoutes(app, deps);
  marginRoutes(app, deps);
  auditRoutes(app, deps);
}
