import { fundingRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import { openVirtualAccount, viewVirtualAccount } from "./virtual-account.ts";

/** The account number that a customer transfers money to. */
export function virtualAccountRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.virtualAccount,
    onRequest: requireCustomer,
    handler: async ({ params }) => ({ message: "Account number", data: await viewVirtualAccount(deps, params.userId) }),
  });
  app.route({
    ...contract.openVirtualAccount,
    onRequest: requireCustomer,
    handler: async ({ params }, reply) => {
      const data = await openVirtualAccount(deps, params.userId);
      return await reply.code(201).send({ message: "Your account number is open", data });
    },
  });
}
