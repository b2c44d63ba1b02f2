/** Accounts: registering, signing in and out, passwords, second factors, API keys, and the customer's own record. */
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { apiKeyRoutes } from "./api-keys/api-key-routes.ts";
import type { PasswordOwner } from "./passwords/password-owner.ts";
import { subAccountRoutes } from "./sub-accounts/sub-account-routes.ts";
import { memberRoutes } from "./members/member-routes.ts";
import { passkeyRoutes } from "./passkeys/passkey-routes.ts";
import { secondFactorRoutes } from "./second-factor/second-factor-routes.ts";
import { sessionRoutes, signInRoutes } from "./sessions/session-routes.ts";
import { type AccountFinder, customerFinder } from "./sessions/sign-in.ts";
import { type UserSummaryPart, viewAsker, viewUser, viewUsers } from "./users/view-users.ts";
import { accountRoutes as contract, adminUserRoutes, idSchema } from "@ewebal/contract";
import { presentRegistration, presentUser } from "./present.ts";
import { registerUser, resendVerification, verifyUser } from "./registration/register-user.ts";
import {
  requireAdmin,
  requireCustomer,
  requireCustomerOrAdmin,
  type Guard,
  requireFreshSecondFactor,
  requireSelf,
  sessionOf,
} from "../../http/session/session.ts";
import { changePersonalInfo } from "./users/change-user.ts";
import { AppError } from "../../base/errors.ts";
import { changeOwnPassword, requestReset, resetPassword } from "./passwords/change-password.ts";

/** New passwords: with a mailed link, or with the present one. */

/** A path that holds an id is about oneself; anything else can only be a mailed link. */
const isOwnId = (id: string): boolean => idSchema.safeParse(id).success;

const requireSelfOrLink: Guard = async (request) => {
  const { id } = request.params as { id: string };
  if (!isOwnId(id)) return;
  await requireSelf(request);
  await requireFreshSecondFactor(request);
};

function passwordRoutes(app: App, deps: Deps, owners: readonly PasswordOwner[]): void {
  app.route({
    ...contract.resetUserPassword,
    handler: async (request) => {
      await requestReset(deps, owners, request.body.email, request.ip);
      // The error catalogue's reading of success: 401, "Visit mail for Reset Password Verification".
      throw new AppError("VISIT_MAIL");
    },
  });

  app.route({
    ...contract.changeUserPassword,
    onRequest: requireSelfOrLink,
    handler: async (request) => {
      const { password, currentPassword, endApiKeys: endsApiKeys } = request.body;
      const { id } = request.params;
      const message = "Your password is changed";
      if (!isOwnId(id)) {
        const role = await resetPassword(deps, owners, { token: id, password, clientAddress: request.ip, endsApiKeys });
        return { message, data: { role } };
      }
      const session = sessionOf(request);
      await changeOwnPassword(deps, owners, {
        session,
        currentPassword,
        password,
        clientAddress: request.ip,
        endsApiKeys,
      });
      return { message, data: { role: session.kind } };
    },
  });
}

/** Customers' records: one's own, and the administrators' list of all. */
function userRoutes(app: App, deps: Deps, summaryParts: readonly UserSummaryPart[]): void {
  app.route({
    ...contract.viewOneUser,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const record = await viewUser(deps, summaryParts, request.params.userId);
      const session = sessionOf(request);
      const asker = session.kind === "user" ? await viewAsker(deps, session) : undefined;
      return { message: "User", data: presentUser(record, asker) };
    },
  });

  app.route({
    ...contract.updatePersonalInfo,
    onRequest: requireCustomer,
    handler: async (request) => {
      const { userId } = request.params;
      await changePersonalInfo(deps, userId, request.body);
      return { message: "Your information is updated", data: presentUser(await viewUser(deps, summaryParts, userId)) };
    },
  });

  app.route({
    ...adminUserRoutes.viewAllUsers,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await viewUsers(deps, summaryParts, request.query);
      return { data: rows.map((record) => presentUser(record)), next };
    },
  });
}

/** Registering, and the link that proves the mailbox. */
function registrationRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.createUser,
    handler: async (request, reply) => {
      const { userId } = await registerUser(deps, request.body, request.ip);
      return await reply.code(201).send(presentRegistration(userId));
    },
  });

  app.route({
    ...contract.resendVerification,
    handler: async (request) => {
      await resendVerification(deps, request.body.email, request.ip);
      return { message: "If this address still needs verification, a mail is on its way" };
    },
  });

  app.route({
    ...contract.verifyUser,
    // Mail scanners send HEAD requests first; only GET may use the link.
    exposeHeadRoute: false,
    handler: async (request) => {
      await verifyUser(deps, request.params.token);
      return { message: "Your account is verified. You can log in" };
    },
  });
}

/**
 * @param summaryParts what other features say about a customer; see view-users.ts.
 * @param otherFinders the other kinds of people who have passwords and passkeys.
 */
export function accountRoutes(
  app: App,
  deps: Deps,
  summaryParts: readonly UserSummaryPart[],
  otherFinders: readonly AccountFinder[],
): void {
  registrationRoutes(app, deps);
  signInRoutes(app, deps);
  sessionRoutes(app, deps);
  apiKeyRoutes(app, deps);
  // In lock order: an administrator before the customer who is the same person.
  const finders = [...otherFinders, customerFinder];
  const owners = finders.map(({ owner }) => owner);
  secondFactorRoutes(app, deps, owners);
  passkeyRoutes(app, deps, finders);
  memberRoutes(app, deps);
  subAccountRoutes(app, deps);
  passwordRoutes(app, deps, owners);
  userRoutes(app, deps, summaryParts);
}
