import { rateRoutes as contract, siteRoutes } from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { requireAdmin } from "../../http/session/session.ts";
import { editRate, withdrawRate } from "./edit-rate.ts";
import { listRateEdits, viewAdminRates, viewPublicRates } from "./list-rates.ts";
import { presentAdminRate, presentRateEdit } from "./present.ts";

/** What a page costs, for everybody; and changing it, for administrators. */
export function rateRoutes(app: App, deps: Deps): void {
  app.route({ ...siteRoutes.rates, handler: async () => await viewPublicRates(deps) });
  app.route({
    ...contract.viewRates,
    onRequest: requireAdmin,
    handler: async () => ({ message: "Rates", data: (await viewAdminRates(deps)).map(presentAdminRate) }),
  });
  app.route({
    ...contract.viewRateEdits,
    onRequest: requireAdmin,
    handler: async ({ query }) => {
      const { rows, next } = await listRateEdits(deps, query);
      return { data: rows.map(presentRateEdit), next };
    },
  });
  app.route({
    ...contract.editRate,
    onRequest: requireAdmin,
    handler: async (request) => {
      const act = { adminId: request.params.adminId, clientAddress: request.ip };
      const data = presentRateEdit(await editRate(deps, request.body, act));
      return { message: data.state === "planned" ? "The rate is planned" : "The rate is changed", data };
    },
  });
  app.route({
    ...contract.withdrawRate,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { adminId, rateEditId } = request.params;
      const data = presentRateEdit(await withdrawRate(deps, rateEditId, { adminId, clientAddress: request.ip }));
      return { message: "The planned rate is withdrawn", data };
    },
  });
}
