import { dailyLimitRoutes as contract } from "@ewebal/contract";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { callLimitChanged, customerChanged, publishChange } from "../../../events/index.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { findCallLimit, findCustomer, updateCallLimit } from "../../accounts/index.ts";
import { callsPerSecondOf } from "./call-limit.ts";
import { listDailyLimits, setDailyCap } from "./daily-limit.ts";

/** How much a customer may send to a country in a day, and how often programs may call. */
export function dailyLimitRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.dailyLimits,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const limits = await listDailyLimits(deps, deps.db, request.params.userId, deps.clock.now());
      const callsPerSecond = callsPerSecondOf(await findCallLimit(deps.db, request.params.userId));
      return {
        message: "Daily limits",
        data: { recipientsMax: deps.config.dailyRecipientsMax, limits, callsPerSecond },
      };
    },
  });
  app.route({
    ...contract.setCallLimit,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { userId, perSecond } = request.body;
      await withTransaction(deps.db, async (tx) => {
        const changed = await updateCallLimit(tx, userId, perSecond);
        if (changed === undefined) throw new AppError("NOT_FOUND");
        await deps.recordAudit(tx, {
          adminId: request.params.adminId,
          action: "set-call-limit",
          subjectId: userId,
          before: { perSecond: changed.before },
          after: { perSecond },
          clientAddress: request.ip,
        });
        await publishChange(tx, callLimitChanged());
      });
      return { message: "The limit of calls is changed" };
    },
  });
  app.route({
    ...contract.setDailyLimit,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { userId, code, recipientsMax } = request.body;
      await withTransaction(deps.db, async (tx) => {
        if ((await findCustomer(tx, userId)) === undefined) throw new AppError("NOT_FOUND");
        const before = await setDailyCap(tx, { userId, code, recipientsMax: recipientsMax ?? undefined });
        await deps.recordAudit(tx, {
          adminId: request.params.adminId,
          action: "set-daily-limit",
          subjectId: userId,
          before: { code, recipientsMax: before ?? null },
          after: { code, recipientsMax },
          clientAddress: request.ip,
        });
        await publishChange(tx, customerChanged(userId));
      });
      return { message: "The daily limit is changed" };
    },
  });
}
