/** An administrator's own record. */
import { adminAccountRoutes, adminRoutes } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { clearSessionCookie } from "../../../http/session/session-cookie.ts";
import { requireAdmin, requireFreshSecondFactor } from "../../../http/session/session.ts";
import { presentAdmin } from "../present.ts";
import { updateAdminProfile, viewAdmin } from "./update-admin-profile.ts";

export function profileRoutes(app: App, deps: Deps): void {
  app.route({
    ...adminRoutes.viewOneAdmin,
    onRequest: requireAdmin,
    handler: async (request) => ({
      message: "Administrator",
      data: presentAdmin(await viewAdmin(deps, request.params.adminId)),
    }),
  });

  app.route({
    ...adminAccountRoutes.updateAdminProfile,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request, reply) => {
      const { admin, isEmailNew } = await updateAdminProfile(deps, request.params.adminId, request.body, request.ip);
      if (isEmailNew) clearSessionCookie(reply, deps.config);
      const message = isEmailNew
        ? "Saved. Verify the new email with the mail we sent to it, then sign in again"
        : "Your profile is updated";
      return { message, data: presentAdmin(admin) };
    },
  });
}
