/** Accounts: registering, signing in and out, passwords, second factors, API keys, and the customer's own record. */
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { apiKeyRoutes } from "./api-keys/api-key-routes.ts";
import { customers, type PasswordOwner } from "./passwords/password-owner.ts";
import { passwordRoutes } from "./passwords/password-routes.ts";
import { registrationRoutes } from "./registration/registration-routes.ts";
import { secondFactorRoutes } from "./second-factor/second-factor-routes.ts";
import { sessionRoutes, signInRoutes } from "./sessions/session-routes.ts";
import { userRoutes } from "./users/user-routes.ts";
import type { UserSummaryPart } from "./users/view-users.ts";

/**
 * @param summaryParts what other features say about a customer; see view-users.ts.
 * @param otherOwners the other kinds of people who can get a new password by mail.
 */
export function accountRoutes(
  app: App,
  deps: Deps,
  summaryParts: readonly UserSummaryPart[],
  otherOwners: readonly PasswordOwner[],
): void {
  registrationRoutes(app, deps);
  signInRoutes(app, deps);
  sessionRoutes(app, deps);
  apiKeyRoutes(app, deps);
  // In lock order: an administrator before the customer who is the same person.
  const owners = [...otherOwners, customers];
  secondFactorRoutes(app, deps, owners);
  passwordRoutes(app, deps, owners);
  userRoutes(app, deps, summaryParts);
}
