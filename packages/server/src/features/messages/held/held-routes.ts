import { heldMessageRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin } from "../../../http/session/session.ts";
import { listHeldMessages } from "../../delivery/index.ts";
import { presentHeldMessage } from "../present-message.ts";
import { refuseHeldMessage, releaseHeldMessage } from "./decide-held-message.ts";

/** Messages that are held after a restore, for administrators. */
export function heldRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewHeldMessages,
    onRequest: requireAdmin,
    handler: async ({ query }) => {
      const { rows, next } = await listHeldMessages(deps.db, query);
      return { data: rows.map(presentHeldMessage), next };
    },
  });
  app.route({
    ...contract.releaseMessage,
    onRequest: requireAdmin,
    handler: async ({ params, ip }) => {
      await releaseHeldMessage(deps, { ...params, clientAddress: ip });
      return { message: "Released. The rest of the message is sent" };
    },
  });
  app.route({
    ...contract.refuseMessage,
    onRequest: requireAdmin,
    handler: async ({ params, body, ip }) => {
      await refuseHeldMessage(deps, { ...params, reason: body?.reason ?? "", clientAddress: ip });
      return { message: "Refused. The rest of the message is cancelled, and its units came back" };
    },
  });
}
