import { dailyLimitRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { findCustomer } from "../../accounts/index.ts";
import { allowTransactional, changeCallLimit, readCallLimit } from "./call-limit.ts";
import { changeDailyLimit, listDailyLimits } from "./daily-limit.ts";

/** How much a customer may send to a country in a day, and how often programs may call. */
export function dailyLimitRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.dailyLimits,
    onRequest: requireCustomerOrAdmin,
    handler: async ({ params: { userId } }) => {
      const limits = await listDailyLimits(deps, deps.db, userId, deps.clock.now());
      const maySendTransactional = (await findCustomer(deps.db, userId))?.maySendTransactional === true;
      const callsPerSecond = await readCallLimit(deps.db, userId);
      return {
        message: "Daily limits",
        data: { recipientsMax: deps.config.dailyRecipientsMax, limits, callsPerSecond, maySendTransactional },
      };
    },
  });
  app.route({
    ...contract.allowTransactional,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId }, body, ip }) => {
      await allowTransactional(deps, { ...body, adminId, clientAddress: ip });
      const message = body.allowed
        ? "Transactional messages are allowed"
        : "Transactional messages are no longer allowed";
      return { message };
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
