/** Units that an administrator credits to a customer by hand. */
import { adminRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireFreshSecondFactor } from "../../../http/session/session.ts";
import { presentCredit } from "./present-credit.ts";
import { creditUser } from "./credit-user.ts";

export function creditRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.creditAUser,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request, reply) => {
      const { adminId } = request.params;
      const idempotencyKey = request.headers["idempotency-key"];
      const outcome = await creditUser(deps, {
        ...request.body,
        adminId,
        idempotencyKey,
        clientAddress: request.ip,
      });
      const { status, body } = presentCredit(outcome);
      return await reply.code(status).send(body);
    },
  });
}
