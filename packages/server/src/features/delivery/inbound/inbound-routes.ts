import { inboundRoutes as contract, inboxRoutes } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireCustomer } from "../../../http/session/session.ts";
import { assignNumber, unassignNumber } from "./assign-number.ts";
import { listConversations, listInbox, listInboundNumbers, listInboxReplies } from "./list-inbox.ts";
import { presentConversation, presentInbox, presentNumber, presentReply } from "./present-inbound.ts";
import { listInboundMessages } from "./store-inbound.ts";

/** What phones sent: a customer's inbox, and for administrators what is nobody's and whose each number is. */
export function inboundRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  app.route({
    ...contract.viewUnassignedInbound,
    onRequest: requireAdmin,
    handler: async ({ query }) => {
      const { rows, next } = await listInboundMessages(db, query);
      return { data: rows.map((row) => presentInbox({ ...row, keyword: null, messageId: null })), next };
    },
  });
  app.route({
    ...contract.viewNumbers,
    onRequest: requireAdmin,
    handler: async ({ query }) => {
      const { rows, next } = await listInboundNumbers(db, query);
      return { data: rows.map(presentNumber), next };
    },
  });
  app.route({
    ...contract.assignNumber,
    onRequest: requireAdmin,
    handler: async ({ params, body, ip }, reply) => {
      const { number, keyword, userID: userId } = body;
      const who = { adminId: params.adminId, clientAddress: ip };
      const { numberId } = await assignNumber(deps, who, { number, keyword, userId });
      return await reply.code(201).send({ message: "The number is assigned", data: { _id: numberId } });
    },
  });
  app.route({
    ...contract.unassignNumber,
    onRequest: requireAdmin,
    handler: async ({ params, ip }) => {
      await unassignNumber(deps, { adminId: params.adminId, clientAddress: ip }, params.numberId);
      return { message: "The number is nobody's now" };
    },
  });
  inboxReadingRoutes(app, deps);
}

function inboxReadingRoutes(app: App, { db }: Pick<Deps, "db">): void {
  app.route({
    ...inboxRoutes.inbox,
    onRequest: requireCustomer,
    handler: async ({ params, query }) => {
      const { rows, next } = await listInbox(db, { ...params, ...query });
      return { data: rows.map(presentInbox), next };
    },
  });
  app.route({
    ...inboxRoutes.conversations,
    onRequest: requireCustomer,
    handler: async ({ params, query }) => {
      const { rows, next } = await listConversations(db, { ...params, ...query });
      return { data: rows.map(presentConversation), next };
    },
  });
  app.route({
    ...inboxRoutes.inboxReplies,
    onRequest: requireCustomer,
    handler: async ({ params, query }) => {
      const { rows, next } = await listInboxReplies(db, { ...params, ...query });
      return { data: rows.map(presentReply), next };
    },
  });
}
