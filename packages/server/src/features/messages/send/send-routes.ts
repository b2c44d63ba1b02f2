import { messageRoutes } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { App } from "../../../http/app-type.ts";
import { bytesOf, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { requireCustomer, sessionOf } from "../../../http/session/session.ts";
import { limitSends } from "../limits/call-limit.ts";
import { refuseTimes } from "../read-body/read-send.ts";
import type { Caller } from "./check-send.ts";
import { presentDashboardSent, presentTried } from "./present-send.ts";
import { sendTest } from "./send-test.ts";
import { resendFailed } from "./resend-failed.ts";
import { sendNow, type SendDeps } from "./send.ts";

/** Sends at once: from the composer, and to those who did not get a message. */
export async function sendRoutes(app: App, deps: SendDeps): Promise<void> {
  await app.register(async (scope: App) => {
    // The body may hold a million numbers.
    takeJsonAsBytes(scope);
    scope.route({
      ...messageRoutes.sendBulkSms,
      onRequest: [requireCustomer, limitSends(deps)],
      handler: async (request, reply) => {
        const caller = dashboardCaller(request);
        const send = { bytes: bytesOf(request), key: request.headers["idempotency-key"] };
        const outcome = await sendNow(deps, caller, send);
        if (outcome.kind === "tried") return await reply.code(200).send(presentTried(outcome).body);
        const { status, body } = presentDashboardSent(outcome);
        return await reply.code(status).send(body);
      },
    });
  });
  app.route({
    ...messageRoutes.sendTest,
    onRequest: [requireCustomer, limitSends(deps)],
    handler: async (request, reply) => {
      const caller = dashboardCaller(request);
      const test = { body: request.body, key: request.headers["idempotency-key"] };
      const { status, body } = presentDashboardSent(await sendTest(deps, caller, test));
      return await reply.code(status).send(body);
    },
  });
  app.route({
    ...messageRoutes.resendFailed,
    onRequest: [requireCustomer, limitSends(deps)],
    preValidation: async (request) => refuseTimes(request.body),
    handler: async (request, reply) => {
      const { messageId } = request.params;
      const caller = dashboardCaller(request);
      const states = request.body?.states ?? (["failed"] as const);
      const { class: messageClass, dnd } = request.body ?? {};
      const resend = { messageId, states, class: messageClass, dnd, key: request.headers["idempotency-key"] };
      const { status, body } = presentDashboardSent(await resendFailed(deps, caller, resend));
      return await reply.code(status).send(body);
    },
  });
}

/** Who sends, behind `requireCustomer`: the account of the path, and the member who acts for it. */
export function dashboardCaller(
  request: FastifyRequest & { params: { userId: string } },
): Caller & { via: "dashboard" } {
  const { userId } = request.params;
  const { actorId, memberRole } = sessionOf(request);
  const member = actorId === userId || memberRole === undefined ? undefined : { personId: actorId, role: memberRole };
  return { userId, via: "dashboard", clientAddress: request.ip, ...(member && { member }) };
}
