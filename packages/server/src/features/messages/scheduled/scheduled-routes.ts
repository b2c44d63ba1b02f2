import { scheduledRoutes as contract } from "@ewebal/contract";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { publishChange, scheduledMessageDeleted } from "../../../events/index.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomer, requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { deleteScheduledMessage, getMessage, listMessages, readMessageNumbers } from "../../delivery/index.ts";
import { presentMessage } from "../present-message.ts";

/** Reading and deleting what waits for its time; scheduling and editing are in `send-routes.ts`. */
export function scheduledRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.populateScheduledSms,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const { rows, next } = await listMessages(deps.db, {
        userId: request.params.userId,
        query: request.query,
        isScheduled: true,
      });
      return { data: rows.map(presentMessage), next };
    },
  });
  app.route({
    ...contract.viewScheduledSms,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const message = await getMessage(deps.db, request.params);
      const phoneNo = await readMessageNumbers(deps.db, request.params);
      return { message: "Scheduled message", data: { ...presentMessage(message), phoneNo } };
    },
  });
  app.route({
    ...contract.deleteScheduledSms,
    onRequest: requireCustomer,
    handler: async (request) => {
      const key = request.params;
      await withTransaction(deps.db, async (tx) => {
        await deleteScheduledMessage(tx, key, deps.clock.now());
        await publishChange(tx, scheduledMessageDeleted(key));
      });
      return { message: "Deleted Successfully" };
    },
  });
}
