/** Customers' records: one's own, and the administrators' list of all. */
import { accountRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireCustomer, requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { presentUser } from "../present.ts";
import { changePersonalInfo } from "./change-user.ts";
import { type UserSummaryPart, viewUser, viewUsers } from "./view-users.ts";

export function userRoutes(app: App, deps: Deps, summaryParts: readonly UserSummaryPart[]): void {
  app.route({
    ...contract.viewOneUser,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => ({
      message: "User",
      data: presentUser(await viewUser(deps, summaryParts, request.params.userId)),
    }),
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
    ...contract.viewAllUsers,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await viewUsers(deps, summaryParts, request.query);
      return { data: rows.map(presentUser), next };
    },
  });
}
