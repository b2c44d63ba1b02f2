import { scheduledRoutes as contract } from "@ewebal/contract";
import type { App } from "../../../http/app-type.ts";
import { bytesOf, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { requireCustomer, requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { getMessage, listMessages, readMessageNumbers } from "../../delivery/index.ts";
import { steerMessage } from "../history/steer-message.ts";
import { limitSends } from "../limits/call-limit.ts";
import { presentMessages, presentMessageNow } from "../present-message.ts";
import { dashboardCaller } from "../send/send-routes.ts";
import { presentScheduled, presentTried, scheduledStatus } from "../send/present-send.ts";
import { scheduleSend, type SendDeps } from "../send/send.ts";
import { editScheduled } from "./edit-scheduled.ts";

/** Messages that wait for their time. */
export async function scheduledRoutes(app: App, deps: SendDeps): Promise<void> {
  readingRoutes(app, deps);
  await app.register(async (scope: App) => {
    takeJsonAsBytes(scope);
    writingRoutes(scope, deps);
  });
}

function readingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.populateScheduledSms,
    onRequest: requireCustomerOrAdmin,
    handler: async ({ params: { userId }, query }) => {
      const { rows, next } = await listMessages(deps.db, { userId, query, isScheduled: true });
      return { data: await presentMessages(deps, rows), next };
    },
  });
  app.route({
    ...contract.viewScheduledSms,
    onRequest: requireCustomerOrAdmin,
    handler: async ({ params }) => {
      const message = await getMessage(deps.db, params);
      const phoneNo = await readMessageNumbers(deps.db, params);
      return { message: "Scheduled message", data: { ...(await presentMessageNow(deps, message)), phoneNo } };
    },
  });
  app.route({
    ...contract.deleteScheduledSms,
    onRequest: requireCustomer,
    handler: async ({ params }) => {
      await steerMessage(deps, params, "delete-scheduled");
      return { message: "Deleted Successfully" };
    },
  });
}

/** The body may hold a million numbers. */
function writingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.scheduleSms,
    onRequest: [requireCustomer, limitSends(deps)],
    handler: async (request, reply) => {
      const caller = dashboardCaller(request);
      const send = { bytes: bytesOf(request), key: request.headers["idempotency-key"] };
      const outcome = await scheduleSend(deps, caller, send);
      if (outcome.kind !== "tried") return await reply.code(scheduledStatus(outcome)).send(presentScheduled(outcome));
      return await reply.code(200).send(presentTried(outcome).body);
    },
  });
  app.route({
    ...contract.editScheduledSms,
    onRequest: [requireCustomer, limitSends(deps)],
    handler: async (request) => {
      const { messageId } = request.params;
      const caller = dashboardCaller(request);
      return presentScheduled(await editScheduled(deps, caller, { messageId, bytes: bytesOf(request) }));
    },
  });
}
