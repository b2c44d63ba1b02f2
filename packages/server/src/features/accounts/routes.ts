/** Accounts: registering, proving the mailbox, signing in and out, passwords, and the customer's own record. */
import { accountRoutes as contract, idSchema } from "@ewebal/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../base/deps.ts";
import { AppError } from "../../base/errors.ts";
import type { App } from "../../http/app-type.ts";
import { clearSessionCookie, deviceMarkOf, setSessionCookie } from "../../http/session/session-cookie.ts";
import {
  type Guard,
  requireAdmin,
  requireCustomer,
  requireCustomerOrAdmin,
  requireFreshSecondFactor,
  requireSelf,
  requireSelfBeforeSetUp,
  sessionBeforeSetUpOf,
  sessionOf,
} from "../../http/session/session.ts";
import { apiKeyRoutes } from "./api-keys/api-key-routes.ts";
import { changeOwnPassword, requestReset, resetPassword } from "./passwords/change-password.ts";
import { customers, type PasswordOwner } from "./passwords/password-owner.ts";
import { registerUser, resendVerification, verifyUser } from "./registration/register-user.ts";
import { secondFactorRoutes } from "./second-factor/second-factor-routes.ts";
import { signOut } from "./sessions/manage-sessions.ts";
import { sessionRoutes } from "./sessions/session-routes.ts";
import { originOf } from "./sessions/sessions.ts";
import { signInUser } from "./sessions/sign-in.ts";
import { changePersonalInfo } from "./users/change-user.ts";
import { type UserSummaryPart, viewUser, viewUsers } from "./users/view-users.ts";

/**
 * @param summaryParts what other features say about a customer; see view-users.ts.
 * @param otherOwners who else can have a new password by mail.
 */
export function accountRoutes(
  app: App,
  deps: Deps,
  summaryParts: readonly UserSummaryPart[],
  otherOwners: readonly PasswordOwner[],
): void {
  registrationRoutes(app, deps);
  signingRoutes(app, deps);
  sessionRoutes(app, deps);
  apiKeyRoutes(app, deps);
  // In the order in which rows are locked elsewhere: an administrator before the customer who is the same person.
  const owners = [...otherOwners, customers];
  secondFactorRoutes(app, deps, owners);
  passwordRoutes(app, deps, owners);
  recordRoutes(app, deps, summaryParts);
}

function registrationRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.createUser,
    handler: async (request, reply) => {
      const { userId } = await registerUser(deps, request.body, request.ip);
      const message = "Registration successful. Please check your mail to verify your account";
      return await reply.code(201).send({ message, data: { message, _id: userId } });
    },
  });

  app.route({
    ...contract.resendVerification,
    handler: async (request) => {
      await resendVerification(deps, request.body.email, request.ip);
      return { message: "If this address waits for verification, a mail is on its way" };
    },
  });

  app.route({
    ...contract.verifyUser,
    // Mail scanners ask with HEAD first; only GET may use the link up.
    exposeHeadRoute: false,
    handler: async (request) => {
      await verifyUser(deps, request.params.token);
      return { message: "Your account is verified. You can log in" };
    },
  });
}

function signingRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.signInUser,
    handler: async (request, reply) => {
      const session = await signInUser(deps, {
        ...request.body,
        ...originOf(request),
        deviceMark: deviceMarkOf(request, deps.config),
      });
      setSessionCookie(reply, deps.config, session);
      return await reply.code(201).send({ message: "Login successful", data: session.token });
    },
  });

  const endThisSession = async (request: FastifyRequest, reply: FastifyReply): Promise<{ message: string }> => {
    await signOut(deps, sessionBeforeSetUpOf(request));
    clearSessionCookie(reply, deps.config);
    return { message: "Logged Out Successfully" };
  };
  app.route({ ...contract.signOut, onRequest: requireSelfBeforeSetUp, handler: endThisSession });
  app.route({ ...contract.loginStatusFalse, onRequest: requireSelfBeforeSetUp, handler: endThisSession });
}

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

function recordRoutes(app: App, deps: Deps, summaryParts: readonly UserSummaryPart[]): void {
  app.route({
    ...contract.viewOneUser,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => ({ message: "User", data: await viewUser(deps, summaryParts, request.params.userId) }),
  });

  app.route({
    ...contract.updatePersonalInfo,
    onRequest: requireCustomer,
    handler: async (request) => {
      const { userId } = request.params;
      await changePersonalInfo(deps, userId, request.body);
      return { message: "Your information is updated", data: await viewUser(deps, summaryParts, userId) };
    },
  });

  app.route({
    ...contract.viewAllUsers,
    onRequest: requireAdmin,
    handler: async (request) => await viewUsers(deps, summaryParts, request.query),
  });
}
