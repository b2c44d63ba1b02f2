/** Signing in and out, and the list of the places where a person is signed in. */
import { accountRoutes, sessionRoutes as contract } from "@ewebal/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { clearSessionCookie, deviceMarkOf, setSessionCookie } from "../../../http/session/session-cookie.ts";
import {
  requireCustomer,
  requireSelf,
  requireSelfBeforeSetUp,
  sessionBeforeSetUpOf,
  sessionOf,
} from "../../../http/session/session.ts";
import { presentAccess, presentSession } from "../present.ts";
import { listAccess } from "./account-access.ts";
import { endOneSession, endOtherSessions, listSessions, signOut } from "./manage-sessions.ts";
import type { SessionOrigin } from "./sessions.ts";
import { signInUser } from "./sign-in.ts";

/** Where the caller of a sign-in is, for the list of sessions, the mail about new devices and the security log. */
export function originOf(request: FastifyRequest): SessionOrigin {
  return { clientAddress: request.ip, userAgent: request.headers["user-agent"], requestId: request.id };
}

export function sessionRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.sessions,
    onRequest: requireSelf,
    handler: async (request) => {
      const { rows, next } = await listSessions(deps, sessionOf(request), request.query);
      return { data: rows.map(presentSession), next };
    },
  });

  app.route({
    ...contract.accountAccess,
    onRequest: requireCustomer,
    handler: async (request) => {
      const { rows, next } = await listAccess(deps, request.params.userId, request.query);
      return { data: rows.map(presentAccess), next };
    },
  });

  app.route({
    ...contract.endSession,
    onRequest: requireSelf,
    handler: async (request) => {
      await endOneSession(deps, sessionOf(request), request.params.sessionId);
      return { message: "That device is signed out" };
    },
  });

  app.route({
    ...contract.endOtherSessions,
    onRequest: requireSelf,
    handler: async (request) => ({
      message: "Every other device is signed out",
      data: { ended: await endOtherSessions(deps, sessionOf(request)) },
    }),
  });
}

export function signInRoutes(app: App, deps: Deps): void {
  app.route({
    ...accountRoutes.signInUser,
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
  app.route({ ...accountRoutes.signOut, onRequest: requireSelfBeforeSetUp, handler: endThisSession });
  app.route({ ...accountRoutes.loginStatusFalse, onRequest: requireSelfBeforeSetUp, handler: endThisSession });
}
