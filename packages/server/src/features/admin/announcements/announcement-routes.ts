import { announcementRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { type Guard, requireAdmin, requireCustomer, requireSession, sessionOf } from "../../../http/session/session.ts";
import { presentAnnouncement } from "../present.ts";
import {
  clearAnnouncement,
  dismissAnnouncement,
  editAnnouncement,
  listAnnouncements,
  makeAnnouncement,
} from "./announcements.ts";

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
      const { kind, accountId } = sessionOf(request);
      const reader = kind === "user" ? { userId: accountId } : {};
      const { rows, next } = await listAnnouncements(deps, request.query, reader);
      return { data: rows.map(presentAnnouncement), next };
    },
  });
  app.route({
    ...contract.editGeneralAnnouncement,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { adminId, announcementId } = request.params;
      const edit = { announcementId, ...request.body };
      const announcement = await editAnnouncement(deps, edit, { adminId, clientAddress: request.ip });
      return {
        message: "The announcement is changed on the users' dashboards",
        data: presentAnnouncement(announcement),
      };
    },
  });
  app.route({
    ...contract.dismissAnnouncement,
    onRequest: requireCustomer,
    handler: async (request) => {
      await dismissAnnouncement(deps, { ...request.params, ...request.body });
      return { message: "The announcement is off your dashboard until it is edited" };
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
