import { messageRoutes } from "@ewebal/contract";
import type { App } from "../../../http/app-type.ts";
import { bytesOf, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import { limitSends } from "../limits/call-limit.ts";
import { refuseTimes } from "../read-body/read-send.ts";
import { presentSent } from "./present-send.ts";
import { sendNow, type SendDeps, resendFailed } from "./send.ts";

/** Sends at once: from the composer, and to those who did not get a message. */
export async function sendRoutes(app: App, deps: SendDeps): Promise<void> {
  await app.register(async (scope: App) => {
    // The body may hold a million numbers.
    takeJsonAsBytes(scope);
    scope.route({
      ...messageRoutes.sendBulkSms,
      onRequest: [requireCustomer, limitSends(deps)],
      handler: async (request, reply) => {
        const { userId } = request.params;
        const caller = { userId, via: "dashboard", clientAddress: request.ip } as const;
        const send = { bytes: bytesOf(request), key: request.headers["idempotency-key"] };
        const { status, body } = presentSent(await sendNow(deps, caller, send));
        return await reply.code(status).send(body);
      },
    });
  });
  app.route({
    ...messageRoutes.resendFailed,
    onRequest: [requireCustomer, limitSends(deps)],
    preValidation: async (request) => refuseTimes(request.body),
    handler: async (request, reply) => {
      const { userId, messageId } = request.params;
      const caller = { userId, via: "dashboard", clientAddress: request.ip } as const;
      const states = request.body?.states ?? (["failed"] as const);
      const resend = { messageId, states, key: request.headers["idempotency-key"] };
      const { status, body } = presentSent(await resendFailed(deps, caller, resend));
      return await reply.code(status).send(body);
    },
  });
}
