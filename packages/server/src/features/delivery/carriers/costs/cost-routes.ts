import { MILLI_PER_UNIT, carrierCostRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../../base/deps.ts";
import type { App } from "../../../../http/app-type.ts";
import { requireAdmin } from "../../../../http/session/session.ts";
import { setCarrierCost, viewCarrierCosts, type NamedCost } from "./carrier-costs.ts";

const presentCost = ({ carrierName, prefix, costMilli }: NamedCost) => ({
  carrier: carrierName,
  prefix,
  cost: costMilli / MILLI_PER_UNIT,
});

/** What carriers bill us, for administrators. */
export function carrierCostRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewCarrierCosts,
    onRequest: requireAdmin,
    handler: async () => ({
      message: "Costs",
      data: (await viewCarrierCosts(deps)).map(presentCost),
    }),
  });
  app.route({
    ...contract.setCarrierCost,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId, carrierId }, body, ip }) => {
      const costs = await setCarrierCost(deps, carrierId, body, { adminId, clientAddress: ip });
      return { message: "The cost is changed", data: costs.map(presentCost) };
    },
  });
}
