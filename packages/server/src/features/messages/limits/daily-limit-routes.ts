import { dailyLimitRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { changeCallLimit, readCallLimit } from "./call-limit.ts";
import { changeDailyLimit, listDailyLimits } from "./daily-limit.ts";

/** How much a customer may send to a country in a day, and how often programs may call. */
export function dailyLimitRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.dailyLimits,
    onRequest: requireCustomerOrAdmin,
    handler: async ({ params: { userId } }) => {
      const limits = await listDailyLimits(deps, deps.db, userId, deps.clock.now());
      const callsPerSecond = await readCallLimit(deps.db, userId);
      return {
        message: "Daily limits",
        data: { recipientsMax: deps.config.dailyRecipientsMax, limits, callsPerSecond },
      };
    },
  });
  app.route({
    ...contract.setCallLimit,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId }, body, ip }) => {
      await changeCallLimit(deps, { ...body, adminId, clientAddress: ip });
      return { message: "The limit of calls is changed" };
    },
  });
  app.route({
    ...contract.setDailyLimit,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId }, body, ip }) => {
      await changeDailyLimit(deps, { ...body, adminId, clientAddress: ip });
      return { message: "The daily limit is changed" };
    },
  });
}
