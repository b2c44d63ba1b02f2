/** A person's own sessions. */
import { sessionRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireSelf, sessionOf } from "../../../http/session/session.ts";
import { endOneSession, endOtherSessions, listSessions } from "./manage-sessions.ts";

export function sessionRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.sessions,
    onRequest: requireSelf,
    handler: async (request) => await listSessions(deps, sessionOf(request), request.query),
  });

  app.route({
    ...contract.endSession,
    onRequest: requireSelf,
    handler: async (request) => {
      await endOneSession(deps, sessionOf(request), request.params.sessionId);
      return { message: "Signed out there" };
    },
  });

  app.route({
    ...contract.endOtherSessions,
    onRequest: requireSelf,
    handler: async (request) => ({
      message: "Signed out everywhere else",
      data: { ended: await endOtherSessions(deps, sessionOf(request)) },
    }),
  });
}
