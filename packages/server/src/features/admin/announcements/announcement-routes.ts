import { announcementRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { type Guard, requireAdmin, requireSession, sessionOf } from "../../../http/session/session.ts";
import { presentAnnouncement } from "../present.ts";
import { clearAnnouncement, listAnnouncements, makeAnnouncement } from "./announcements.ts";

/** The specification names two ids and not their order: one of them must be the administrator's own. */
const requireOwnIdOfTwo: Guard = async (request) => {
  const session = sessionOf(request);
  const ids = Object.values(request.params as Record<string, string>);
  if (session.kind !== "admin" || !ids.includes(session.actorId)) throw new AppError("FORBIDDEN");
};

export function announcementRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.makeGeneralAnnouncement,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { adminId } = request.params;
      const announcement = await makeAnnouncement(deps, request.body, { adminId, clientAddress: request.ip });
      return { message: "The announcement is on the users' dashboards", data: presentAnnouncement(announcement) };
    },
  });
  app.route({
    ...contract.viewGeneralAnnouncement,
    onRequest: requireSession,
    handler: async (request) => {
      const { rows, next } = await listAnnouncements(deps, request.query);
      return { data: rows.map(presentAnnouncement), next };
    },
  });
  app.route({
    ...contract.clearGeneralAnnouncement,
    onRequest: requireOwnIdOfTwo,
    handler: async (request) => {
      const adminId = sessionOf(request).actorId;
      const { adminId: first, announcementId: second } = request.params;
      await clearAnnouncement(deps, first === adminId ? second : first, { adminId, clientAddress: request.ip });
      return { message: "The announcement is cleared" };
    },
  });
}
