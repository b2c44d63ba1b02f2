import { formRoutes, messageRoutes } from "@ewebal/contract";
import type { App } from "../../../http/app-type.ts";
import { AppError } from "../../../base/errors.ts";
import { bytesOf, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import { limitSends } from "../limits/call-limit.ts";
import { refuseTimeFields } from "../read-body/read-send.ts";
import { presentSent } from "./present-send.ts";
import { resendFailed } from "./resend-failed.ts";
import { sendByForm } from "./send-by-form.ts";
import { sendNow, type SendDeps } from "./send.ts";

/** Sends at once: from the composer, to those who did not get a message, and by the GET form. */
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
  app.route({
    ...formRoutes.sendByForm,
    // Link previews and scanners ask with HEAD.
    exposeHeadRoute: false,
    preValidation: async (request) => refuseTimes(request.query),
    handler: async (request, reply) => {
      const { status, body } = presentSent(await sendByForm(deps, request.params, request.ip));
      return await reply.code(status).send(body);
    },
  });
}

/** @throws AppError `VALIDATION` for a field about a time. */
function refuseTimes(body: unknown): void {
  const fields = refuseTimeFields(body);
  if (Object.keys(fields).length > 0) throw new AppError("VALIDATION", { fields });
}
