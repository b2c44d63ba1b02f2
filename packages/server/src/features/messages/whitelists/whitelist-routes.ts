import { whitelistRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireCustomer, requireCustomerOrAdmin, sessionOf } from "../../../http/session/session.ts";
import { decideWhitelistRequest } from "./decide-whitelist-request.ts";
import { giveSenderNames } from "./give-sender-names.ts";
import { listWhitelistRequests, readWhitelists, restrictDashboard } from "./list-whitelists.ts";
import { presentGift, presentRequest, presentRequestForAdmin, presentWaitingRequest } from "./present-whitelist.ts";
import { requestWhitelist } from "./request-whitelist.ts";

/** Sender names and addresses: customers request them, administrators approve them. */
export function whitelistRoutes(app: App, deps: Deps): void {
  customerRoutes(app, deps);
  adminRoutes(app, deps);
}

function customerRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.sourceWhitelist,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const requests = await requestWhitelist(deps, { ...request.body, userId: request.params.userId });
      const message = "We have your request. We will e-mail you the decision within about 24 hours";
      return await reply.code(201).send({ message, data: requests.map(presentRequest) });
    },
  });
  app.route({
    ...contract.whitelists,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const whitelists = await readWhitelists(deps.db, request.params.userId);
      return { message: "Whitelists", data: { ...whitelists, requests: whitelists.requests.map(presentRequest) } };
    },
  });
  app.route({
    ...contract.restrictDashboard,
    onRequest: requireCustomer,
    handler: async (request) => {
      const { isRestricted } = request.body;
      await restrictDashboard(deps, { ...request.params, isRestricted });
      return {
        message: isRestricted
          ? "The dashboard now sends from approved addresses only"
          : "The dashboard may be used from anywhere",
      };
    },
  });
}

function adminRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewWhitelistRequests,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await listWhitelistRequests(deps.db, request.query);
      return { data: rows.map(presentRequestForAdmin), next };
    },
  });
  app.route({
    ...contract.approveWhitelistRequest,
    onRequest: requireAdmin,
    handler: async (request, reply) => {
      const decision = {
        ...request.params,
        state: "approved",
        reason: "",
        adminId: sessionOf(request).actorId,
      } as const;
      const waiting = await decideWhitelistRequest(deps, { ...decision, clientAddress: request.ip });
      if (waiting !== undefined) {
        return await reply.code(202).send(presentWaitingRequest(waiting.approvalId));
      }
      return { message: "Approved. A mail was sent to the customer" };
    },
  });
  app.route({
    ...contract.declineWhitelistRequest,
    onRequest: requireAdmin,
    handler: async (request) => {
      const reason = request.body?.reason ?? "";
      const decision = { ...request.params, state: "declined", reason, adminId: sessionOf(request).actorId } as const;
      await decideWhitelistRequest(deps, { ...decision, clientAddress: request.ip });
      return { message: "Declined. A mail was sent to the customer" };
    },
  });
  app.route({
    ...contract.whitelistUserSenderId,
    onRequest: requireAdmin,
    handler: async (request, reply) => {
      const gift = { ...request.params, ...request.body, clientAddress: request.ip };
      const { status, body } = presentGift(await giveSenderNames(deps, gift));
      return await reply.code(status).send(body);
    },
  });
}
