/** Buying units by card: begin, verify, the provider's events, the lists and the receipt. */
import { paymentRoutes as contract } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import {
  requireAdmin,
  requireAnyCustomer,
  requireCustomer,
  requireCustomerOrAdmin,
  sessionOf,
} from "../../../http/session/session.ts";
import { listAllPayments, listPayments } from "./list-payments.ts";
import { paymentReceipt } from "./payment-receipt.ts";
import { takeProviderEvent } from "./paystack-webhook.ts";
import { presentCheckout, presentPayment, presentPaymentToAdmin } from "./present-payment.ts";
import { sandboxRoutes } from "./sandbox/sandbox-routes.ts";
import { startPayment } from "./start-payment.ts";
import { getPayment, verifyPayment } from "./settle-payment.ts";

/** Events have a few kilobytes; anything longer is not an event. */
const EVENT_BYTES_MAX = 64 * 1024;

export async function paymentRoutes(app: App, deps: Deps): Promise<void> {
  buyingRoutes(app, deps);
  readingRoutes(app, deps);
  await eventRoutes(app, deps);
  await sandboxRoutes(app, deps);
}

function buyingRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.paystackPayment,
    onRequest: requireAnyCustomer,
    handler: async (request, reply) => {
      const purchase = { userId: sessionOf(request).accountId, units: request.body.proposedUnits };
      return await reply.code(201).send(presentCheckout(await startPayment(deps, purchase)));
    },
  });
  app.route({
    ...contract.verifyTransaction,
    onRequest: requireCustomer,
    handler: async ({ params }) => ({
      message: "Payment received",
      data: presentPayment(await verifyPayment(deps, params)),
    }),
  });
}

function readingRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.payments,
    onRequest: requireCustomerOrAdmin,
    handler: async ({ params, query }) => {
      const { rows, next } = await listPayments(deps.db, params.userId, query);
      return { data: rows.map(presentPayment), next };
    },
  });
  app.route({
    ...contract.viewOnePayment,
    onRequest: requireCustomerOrAdmin,
    handler: async ({ params }) => ({ message: "Payment", data: presentPayment(await getPayment(deps, params)) }),
  });
  app.route({
    ...contract.paymentReceipt,
    onRequest: requireCustomerOrAdmin,
    handler: async ({ params }, reply) => {
      const receipt = await paymentReceipt(deps.config, await getPayment(deps, params));
      const file = reply.type("application/pdf").header("cache-control", "private, no-store");
      void file.header("content-disposition", `attachment; filename="receipt-${params.reference}.pdf"`);
      // The contract describes JSON answers; the cast lets the file bypass their serializer.
      return await (file as FastifyReply).send(receipt);
    },
  });
  app.route({
    ...contract.viewAllPayments,
    onRequest: requireAdmin,
    handler: async ({ query }) => {
      const { rows, next } = await listAllPayments(deps.db, query);
      return { data: rows.map(presentPaymentToAdmin), next };
    },
  });
}

async function eventRoutes(app: App, deps: Deps): Promise<void> {
  await app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: EVENT_BYTES_MAX }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      ...contract.paystackWebhook,
      bodyLimit: EVENT_BYTES_MAX,
      handler: async (request) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        await takeProviderEvent(deps, body, request.headers["x-paystack-signature"]);
        return { message: "Received" };
      },
    });
  });
}
