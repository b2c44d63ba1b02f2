import { fundingRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomer, requireFreshSecondFactor } from "../../../http/session/session.ts";
import { setAutoTopUp, viewAutoTopUp } from "./auto-top-up.ts";

/** The auto top-up of a customer's account. */
export function autoTopUpRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.autoTopUp,
    onRequest: requireCustomer,
    handler: async ({ params }) => ({ message: "Auto top-up", data: await viewAutoTopUp(deps, params.userId) }),
  });
  app.route({
    ...contract.setAutoTopUp,
    onRequest: [requireCustomer, requireFreshSecondFactor],
    handler: async ({ params, body }) => {
      const data = await setAutoTopUp(deps, params.userId, body);
      return { message: data.isOn ? "Auto top-up is on" : "Auto top-up is off", data };
    },
  });
}
